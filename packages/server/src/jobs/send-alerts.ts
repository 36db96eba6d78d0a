/**
 * Sends alerts. Every node with the role takes part; the control store decides which of them makes and sends a message.
 * What is written about a message counts only while its claim is the current one, and a node stops sending before its claim
 * ends, so that no two nodes send the same. A crash between the receiver's answer and our note of it sends it once more,
 * under the same id.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type AlertContent, MAX_NOTES } from '../alerts/content.ts'
import type { Delivering, DeliveryAnswer } from '../alerts/deliver.ts'
import { LEASE_MS, nextTryAt, planPacking, SETTLE_MS } from '../alerts/delivery-rules.ts'
import { quietUntil } from '../alerts/quiet-hours.ts'
import type { Control } from '../control/open.ts'
import type { Log } from '../log.ts'
import type { AlertEvent, ClaimedMessage } from '../model/alert.ts'
import type { ProjectWithSettings } from '../model/project.ts'
import { pause } from '../pause.ts'

type Parts = {
  control: Pick<Control, 'alertQueue' | 'alertChannels' | 'projects'>
  write: (
    project: ProjectWithSettings,
    told: { message: ClaimedMessage; events: readonly AlertEvent[] },
  ) => Promise<AlertContent>
  deliver: (message: Delivering) => Promise<DeliveryAnswer>
  log: Log
  now?: () => number
}

type AlertStats = { queued: number; sent: number; failed: number; givenUp: number }

export type AlertSender = {
  /** All that is due at this moment. */
  runOnce(): Promise<void>
  readonly stats: AlertStats
}

const EVENTS_AT_ONCE = 500
const ROUNDS = 20
const SENT_AT_ONCE = 4
/** In one run by each of those; the rest is due in the next. */
const SENT_IN_A_RUN = 25
/** What is left of a claim when a message must be on its way. */
const MARGIN_MS = 30_000
const LOOK_EVERY_MS = 3_000
const STOP_MS = 5_000

export function createAlertSender({ control, write, deliver, log, now = Date.now }: Parts): AlertSender {
  const { alertQueue: queue, alertChannels, projects } = control
  const stats: AlertStats = { queued: 0, sent: 0, failed: 0, givenUp: 0 }

  async function send(message: ClaimedMessage): Promise<void> {
    const channel = await alertChannels.get(message.projectId, message.channelId)
    const project = await projects.get(message.projectId)
    if (!channel || !project) return
    const quietUntilMs = quietUntil(channel.quiet, now())
    if (quietUntilMs > now()) return void (await queue.postpone(message, quietUntilMs))
    const content = await contentOf(message, project)
    const leftMs = message.claimedUntilMs - MARGIN_MS - now()
    if (content === null || leftMs <= 0) return
    const signal = AbortSignal.timeout(leftMs)
    const { isDelivered, answer, retryAfterMs } = await deliver({ channel, id: message.id, content, signal })
    if (isDelivered) {
      if (await queue.finish(message, { state: 'sent', answer }, now())) stats.sent += 1
      return
    }
    const tried = { attempts: message.attempts + 1, firstTryAtMs: message.firstTryAtMs ?? now(), retryAfterMs }
    const nextTryAtMs = nextTryAt(tried, now())
    stats.failed += 1
    const facts = { message: message.id, channel: channel.id, attempts: tried.attempts }
    if (nextTryAtMs === null) {
      stats.givenUp += 1
      log.warn(facts, 'an alert could not be delivered for a day and is given up')
      await queue.finish(message, { state: 'given_up', answer }, now())
    } else {
      log.info(facts, 'an alert was not delivered and is tried again')
      await queue.finish(message, { state: 'queued', answer, nextTryAtMs }, now())
    }
  }

  /** Written once, then kept; null when the message is no longer this node's. */
  async function contentOf(message: ClaimedMessage, project: ProjectWithSettings): Promise<AlertContent | null> {
    if (message.content !== null) return JSON.parse(message.content) as AlertContent
    const content = await write(project, { message, events: await queue.items(message.id, MAX_NOTES) })
    return (await queue.write(message, JSON.stringify(content))) ? content : null
  }

  async function sendDue(): Promise<void> {
    for (let sent = 0; sent < SENT_IN_A_RUN; sent += 1) {
      const message = await queue.claim(LEASE_MS, now())
      if (message === null) return
      await send(message)
    }
  }

  return {
    stats,
    async runOnce() {
      for (let round = 0; round < ROUNDS; round += 1) {
        if ((await queue.route(EVENTS_AT_ONCE)) < EVENTS_AT_ONCE) break
      }
      const nowMs = now()
      await queue.pack((packing) => planPacking(packing, nowMs), { beforeMs: nowMs - SETTLE_MS, nowMs })
      const all = await Promise.allSettled(Array.from({ length: SENT_AT_ONCE }, sendDue))
      stats.queued = await queue.countQueued()
      for (const one of all) if (one.status === 'rejected') throw one.reason
    },
  }
}

export function startAlertSender(sender: AlertSender, log: Log): { stop(): Promise<void> } {
  const stopping = new AbortController()
  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sender
        .runOnce()
        .catch((error) => log.warn({ err: error }, 'alerts could not be sent; they are tried again'))
      await pause(LOOK_EVERY_MS, stopping.signal)
    }
  }
  const running = loop()
  return {
    // What is under way when it ends is tried again, by whichever node is there.
    async stop() {
      stopping.abort()
      await Promise.race([running, sleep(STOP_MS, undefined, { ref: false })])
    },
  }
}
