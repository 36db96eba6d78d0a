/** What people can ask and do about alerts, assembled for their door. */
import type { AlertParts } from './alerts/alert-parts.ts'
import { addAlertChannel, changeAlertChannel, removeAlertChannel, testAlertChannel } from './alerts/channels.ts'
import { listAlertDeliveries, listAlerts } from './alerts/list-alerts.ts'
import { addAlertRule, changeAlertRule, removeAlertRule } from './alerts/rules.ts'
import { bindAll } from './bind-all.ts'

export type Alerts = ReturnType<typeof openAlerts>

export function openAlerts(parts: AlertParts) {
  return bindAll(parts, {
    listAlerts,
    listAlertDeliveries,
    addAlertChannel,
    changeAlertChannel,
    removeAlertChannel,
    testAlertChannel,
    addAlertRule,
    changeAlertRule,
    removeAlertRule,
  })
}
