/** What goes on for rules that are checked by the clock: told when it begins, and not again until it has ended. */
import type { AlertReason } from '@tidemark/wire/alerts/alert-kinds'
import type { AlertEvent, AlertRule } from '../../model/alert.ts'
import { type ControlDatabase, type ControlTransaction, chunks, withLock } from '../database/database.ts'
import { writeItems } from './items.ts'

/**
 * What was found to be the case. `event` is sent if it is a beginning. What is named by the time at which it began gets that
 * of the rule of the project that noticed it first: then two rules tell one channel once.
 */
type Found = { subject: string; event: Omit<AlertEvent, 'episode'>; episodeOf: (beganAtMs: number) => string }

/** How the subjects of a reason look. A rule may have several reasons, and each ends what is its own. */
const SUBJECTS = {
  bad_deploy: /^dep_/,
  spiking_analysis: /^ana_/,
  silent_service: /^\[/,
  query: /^$/,
} satisfies Partial<Record<AlertReason, RegExp>>

export type ClockReason = keyof typeof SUBJECTS

type Options = { reason: ClockReason; endAfterMs: number | null; nowMs: number }

export type AlertEpisodes = {
  /**
   * Begins an episode for what is found and was not the case, and queues it for the rule's channels, both or neither, once
   * on any number of nodes. What was not found for `endAfterMs` has ended; null to end nothing. Nothing happens for a rule
   * that is gone, off or changed since it was read. Says how many began.
   */
  update(rule: AlertRule, found: readonly Found[], options: Options): Promise<number>
}

export function createAlertEpisodes(database: ControlDatabase): AlertEpisodes {
  return {
    update: (rule, found, { reason, endAfterMs, nowMs }) =>
      withLock(database, 'alerts', async (transaction) => {
        if (!(await isUnchanged(transaction, rule))) return 0
        const rows = await transaction
          .selectFrom('alert_episodes')
          .select(['subject', 'seen_at'])
          .where('rule_id', '=', rule.id)
          .execute()
        const known = rows.filter(({ subject }) => SUBJECTS[reason].test(subject))
        const endedBeforeMs = endAfterMs === null ? 0 : nowMs - endAfterMs
        const goingOn = new Set(found.map(({ subject }) => subject))
        const begun = found.filter(({ subject }) => !known.some((one) => one.subject === subject))
        for (const { subject, event, episodeOf } of begun) {
          const beganAtMs = (await noticedFirst(transaction, rule, subject, endedBeforeMs)) ?? nowMs
          const row = { rule_id: rule.id, subject, began_at: beganAtMs, seen_at: nowMs }
          await transaction.insertInto('alert_episodes').values(row).execute()
          const told = { ...event, episode: episodeOf(beganAtMs) }
          await writeItems(transaction, [{ event: told, channelIds: rule.channelIds, atMs: nowMs }])
        }
        for (const chunk of chunks([...goingOn])) {
          await transaction
            .updateTable('alert_episodes')
            .set({ seen_at: nowMs })
            .where('rule_id', '=', rule.id)
            .where('subject', 'in', chunk)
            .execute()
        }
        const ended = known.filter(({ subject, seen_at }) => !goingOn.has(subject) && seen_at < endedBeforeMs)
        for (const chunk of chunks(ended.map(({ subject }) => subject))) {
          await transaction
            .deleteFrom('alert_episodes')
            .where('rule_id', '=', rule.id)
            .where('subject', 'in', chunk)
            .execute()
        }
        return begun.length
      }),
  }
}

async function isUnchanged(transaction: ControlTransaction, rule: AlertRule): Promise<boolean> {
  const current = await transaction
    .selectFrom('alert_rules')
    .select(['is_on', 'query', 'threshold', 'window_minutes', 'environment', 'service'])
    .where('id', '=', rule.id)
    .executeTakeFirst()
  return (
    current?.is_on === 1 &&
    current.query === rule.query &&
    current.threshold === rule.threshold &&
    current.window_minutes === rule.windowMinutes &&
    current.environment === rule.environment &&
    current.service === rule.service
  )
}

async function noticedFirst(
  transaction: ControlTransaction,
  { projectId }: AlertRule,
  subject: string,
  endedBeforeMs: number,
): Promise<number | undefined> {
  const first = await transaction
    .selectFrom('alert_episodes')
    .innerJoin('alert_rules', 'alert_rules.id', 'alert_episodes.rule_id')
    .select('alert_episodes.began_at')
    .where('alert_rules.project_id', '=', projectId)
    .where('alert_episodes.subject', '=', subject)
    .where('alert_episodes.seen_at', '>=', endedBeforeMs)
    .orderBy('alert_episodes.began_at')
    .executeTakeFirst()
  return first?.began_at
}
