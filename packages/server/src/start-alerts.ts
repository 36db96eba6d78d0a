/** Assembles alerts: what people do with them, and on nodes with the role, what watches and sends. */
import { deliver } from './alerts/deliver.ts'
import type { Config } from './config/config.ts'
import type { Control } from './control/open.ts'
import { startSchedule } from './jobs/schedule.ts'
import { type AlertSender, createAlertSender, startAlertSender } from './jobs/send-alerts.ts'
import { watchForAlerts } from './jobs/watch-for-alerts.ts'
import type { Log } from './log.ts'
import type { LogStore } from './logstore/log-store.ts'
import { createAddressGuard } from './outbound/address-guard.ts'
import { createPostMessage } from './outbound/post-message.ts'
import { createMailServer } from './outbound/send-mail.ts'
import { TokenBuckets } from './token-buckets.ts'
import { writeAlert } from './verbs/alerts/write-alert.ts'
import { openAlerts } from './verbs/open-alerts.ts'
import type { Reading } from './verbs/open-reading.ts'

type Options = { config: Config; control: Control; secretKey: string }
type WorkerOptions = Options & { logStore: LogStore; reading: Reading; node: string; log: Log }

/** Of one channel. */
const TEST_RATE = { perSecond: 5 / 60, burst: 5 }

/** For the door of people. */
export function openAlertVerbs({ config, control, secretKey }: Options) {
  const { publicUrl } = config.http
  const { allowLocal, mail } = config.alerts
  const tests = new TokenBuckets()
  return openAlerts({
    ...{ control, secretKey, publicUrl, allowLocal },
    now: Date.now,
    checkHost: guardOf(config),
    canSendMail: mail !== null,
    deliver: delivery({ config, secretKey }),
    admitTest: (channelId, nowMs) => tests.take(channelId, 1, TEST_RATE, nowMs) === 0,
  })
}

/** For nodes that work. The watching has a clockwork of its own: a slow question must not hold up other jobs. */
export function startAlerts({ config, control, secretKey, logStore, reading, node, log }: WorkerOptions) {
  const { publicUrl, mcpUrl } = config.http
  const write = { control, reading, publicUrl, mcpUrl, now: Date.now }
  const sender: AlertSender = createAlertSender({
    control,
    log,
    write: (project, told) => writeAlert(write, project, told),
    deliver: delivery({ config, secretKey }),
  })
  const sending = startAlertSender(sender, log)
  const watching = startSchedule({ jobs: watchForAlerts({ control, logStore, reading, log }), node, control, log })
  return {
    stats: sender.stats,
    async stop() {
      await Promise.all([watching.stop(), sending.stop()])
    },
  }
}

function delivery({ config, secretKey }: Pick<Options, 'config' | 'secretKey'>) {
  const { mail } = config.alerts
  const parts = {
    post: createPostMessage({ checkHost: guardOf(config) }),
    mail: mail && createMailServer(mail),
    secretKey,
    publicUrl: config.http.publicUrl,
    now: Date.now,
  }
  return (message: Parameters<typeof deliver>[1]) => deliver(parts, message)
}

function guardOf({ alerts }: Config) {
  return createAddressGuard({ allowPrivate: alerts.allowLocal, allowedBy: 'TIDEMARK_ALLOW_LOCAL_WEBHOOKS' })
}
