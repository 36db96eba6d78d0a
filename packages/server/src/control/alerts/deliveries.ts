/** The log of deliveries: what was sent, what failed and what is still to be tried. */
import type { DeliveryView } from '@tidemark/wire/alerts/alert'
import { DELIVERIES_KEPT_DAYS, type DeliveryState } from '@tidemark/wire/alerts/alert-kinds'
import { DAY_MS } from '@tidemark/wire/time/units'
import type { ProjectId } from '../../model/project.ts'
import { isoTime, isoTimeOrNull } from '../database/columns.ts'
import type { ControlDatabase } from '../database/database.ts'

export type AlertDeliveries = {
  /** Newest first, older than `before` when it is given. */
  list(projectId: ProjectId, page: { limit: number; before: string | undefined }): Promise<DeliveryView[]>
  /** Episodes that are in no message yet. */
  countWaiting(projectId: ProjectId): Promise<number>
  /** Of all living projects: how many are queued, how many of those failed at least once, how many were given up since. */
  summary(sinceMs: number): Promise<{ queued: number; failing: number; givenUp: number }>
  /** Forgets what was sent or given up long ago. */
  prune(nowMs: number): Promise<void>
  /** Removes channels, rules, queue and log of a deleted project. */
  purge(projectId: ProjectId): Promise<void>
}

export function createAlertDeliveries({ db }: ControlDatabase): AlertDeliveries {
  return {
    async list(projectId, { limit, before }) {
      let query = db
        .selectFrom('alert_messages')
        .innerJoin('alert_channels', 'alert_channels.id', 'alert_messages.channel_id')
        .selectAll('alert_messages')
        .select('alert_channels.name as channel_name')
        .where('alert_messages.project_id', '=', projectId)
        .orderBy('alert_messages.id', 'desc')
        .limit(limit)
      if (before !== undefined) query = query.where('alert_messages.id', '<', before)
      return (await query.execute()).map((row) => ({
        id: row.id,
        channelId: row.channel_id,
        channelName: row.channel_name,
        state: row.state as DeliveryState,
        title: row.title,
        told: row.told,
        attempts: row.attempts,
        createdAt: isoTime(row.created_at),
        sentAt: isoTimeOrNull(row.sent_at),
        nextTryAt: row.state === 'queued' ? isoTime(row.next_try_at) : null,
        lastAnswer: row.last_answer,
      }))
    },

    async countWaiting(projectId) {
      const row = await db
        .selectFrom('alert_items')
        .select(({ fn }) => fn.countAll<number>().as('waiting'))
        .where('project_id', '=', projectId)
        .where('message_id', 'is', null)
        .executeTakeFirst()
      return row?.waiting ?? 0
    },

    async summary(sinceMs) {
      const living = db
        .selectFrom('alert_messages')
        .innerJoin('projects', 'projects.id', 'alert_messages.project_id')
        .select(({ fn }) => fn.countAll<number>().as('messages'))
        .where('projects.deleted_at', 'is', null)
      const [queued, failing, givenUp] = await Promise.all([
        living.where('state', '=', 'queued').executeTakeFirst(),
        living.where('state', '=', 'queued').where('attempts', '>', 0).executeTakeFirst(),
        living.where('state', '=', 'given_up').where('alert_messages.created_at', '>=', sinceMs).executeTakeFirst(),
      ])
      return { queued: queued?.messages ?? 0, failing: failing?.messages ?? 0, givenUp: givenUp?.messages ?? 0 }
    },

    async prune(nowMs) {
      await db
        .deleteFrom('alert_messages')
        .where('state', '!=', 'queued')
        .where('created_at', '<', nowMs - DELIVERIES_KEPT_DAYS * DAY_MS)
        .execute()
    },

    async purge(projectId) {
      await db.deleteFrom('alert_events').where('project_id', '=', projectId).execute()
      await db.deleteFrom('alert_channels').where('project_id', '=', projectId).execute()
      await db.deleteFrom('alert_rules').where('project_id', '=', projectId).execute()
    },
  }
}
