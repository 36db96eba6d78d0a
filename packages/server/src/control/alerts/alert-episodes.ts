/** What goes on for rules that are checked by the clock: told when it begins, and not again until it has ended. */
import type { AlertEvent, AlertRule } from '../../model/alert.ts'
import { type ControlDatabase, chunks, withLock } from '../database/database.ts'
import { writeItems } from './items.ts'

/** What was found to be the case. `event` is sent if it is a beginning. */
type Found = { subject: string; event: AlertEvent }

export type AlertEpisodes = {
  /**
   * Begins an episode for what is found and was not the case, and queues it for the rule's channels, both or neither, once
   * on any number of nodes. What was not found for `endAfterMs` has ended; null to end nothing. Nothing happens for a rule
   * that is gone, off or changed since it was read. Says how many began.
   */
  update(
    rule: AlertRule,
    found: readonly Found[],
    options: { endAfterMs: number | null; nowMs: number },
  ): Promise<number>
}

export function createAlertEpisodes(database: ControlDatabase): AlertEpisodes {
  return {
    update: (rule, found, { endAfterMs, nowMs }) =>
      withLock(database, 'alerts', async (transaction) => {
        const current = await transaction
          .selectFrom('alert_rules')
          .select(['is_on', 'query', 'threshold', 'window_minutes', 'environment', 'service'])
          .where('id', '=', rule.id)
          .executeTakeFirst()
        const isSame =
          current?.is_on === 1 &&
          current.query === rule.query &&
          current.threshold === rule.threshold &&
          current.window_minutes === rule.windowMinutes &&
          current.environment === rule.environment &&
          current.service === rule.service
        if (!isSame) return 0
        const known = new Set(
          (
            await transaction.selectFrom('alert_episodes').select('subject').where('rule_id', '=', rule.id).execute()
          ).map(({ subject }) => subject),
        )
        const begun = found.filter(({ subject }) => !known.has(subject))
        for (const { subject, event } of begun) {
          const row = { rule_id: rule.id, subject, began_at: nowMs, seen_at: nowMs }
          await transaction.insertInto('alert_episodes').values(row).execute()
          await writeItems(transaction, [{ event, channelIds: rule.channelIds, atMs: nowMs }])
        }
        const goingOn = found.map(({ subject }) => subject)
        for (const chunk of chunks(goingOn)) {
          await transaction
            .updateTable('alert_episodes')
            .set({ seen_at: nowMs })
            .where('rule_id', '=', rule.id)
            .where('subject', 'in', chunk)
            .execute()
        }
        if (endAfterMs !== null) {
          await transaction
            .deleteFrom('alert_episodes')
            .where('rule_id', '=', rule.id)
            .where('seen_at', '<', nowMs - endAfterMs)
            .execute()
        }
        return begun.length
      }),
  }
}
