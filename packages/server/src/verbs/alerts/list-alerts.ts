/** The rules and channels of a project, and what became of its messages. For members. */
import type { AlertsAnswer, DeliveriesAnswer, DeliveriesInput } from '@tidemark/wire/alerts/alert'
import { DEFAULT_LIMIT } from '@tidemark/wire/reading/question'
import type { Caller } from '../../model/caller.ts'
import { requireManager } from '../access.ts'
import { type AlertParts, SEES_ALERTS } from './alert-parts.ts'
import { channelView } from './channels.ts'
import { ruleView } from './rules.ts'

export async function listAlerts(
  parts: AlertParts,
  caller: Caller,
  { project }: { project: string },
): Promise<AlertsAnswer> {
  const { id } = await requireManager(parts, caller, { project, least: SEES_ALERTS })
  const [channels, rules] = await Promise.all([parts.control.alertChannels.list(id), parts.control.alertRules.list(id)])
  return {
    channels: await Promise.all(channels.map((channel) => channelView(parts, channel))),
    rules: await Promise.all(rules.map((rule) => ruleView(parts, rule))),
    canSendMail: parts.canSendMail,
  }
}

export async function listAlertDeliveries(
  parts: AlertParts,
  caller: Caller,
  { project, before, limit = DEFAULT_LIMIT }: DeliveriesInput & { project: string },
): Promise<DeliveriesAnswer> {
  const { id } = await requireManager(parts, caller, { project, least: SEES_ALERTS })
  const { alertDeliveries } = parts.control
  const [found, waiting] = await Promise.all([
    alertDeliveries.list(id, { limit: limit + 1, before }),
    alertDeliveries.countWaiting(id),
  ])
  const deliveries = found.slice(0, limit)
  return { waiting, deliveries, nextBefore: found.length > limit ? (deliveries.at(-1)?.id ?? null) : null }
}
