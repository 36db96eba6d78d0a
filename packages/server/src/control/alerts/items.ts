import type { AlertReason } from '@tidemark/wire/alerts/alert-kinds'
import type { Kysely } from 'kysely'
import type { AlertEvent } from '../../model/alert.ts'
import { newId } from '../../model/id.ts'
import type { ProjectId } from '../../model/project.ts'
import { type ControlTransaction, chunks } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'

const ROWS_PER_STATEMENT = 50

/** `atMs`: when it was noticed. */
type ToTell = { event: AlertEvent; channelIds: readonly string[]; atMs: number }

/** For each channel, whichever rules ask for it, an episode is written once. */
export async function writeItems(transaction: ControlTransaction, toTell: readonly ToTell[]): Promise<void> {
  const rows = toTell.flatMap(({ event, channelIds, atMs }) =>
    channelIds.map((channelId) => ({
      id: newId('itm', atMs),
      project_id: event.projectId,
      channel_id: channelId,
      episode: event.episode,
      reason: event.reason,
      subject: event.subject,
      environment: event.environment,
      service: event.service,
      title: event.title,
      detail: event.detail,
      at_us: event.atUs,
      was_held: 0,
      created_at: atMs,
      message_id: null,
    })),
  )
  for (const chunk of chunks(rows, ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('alert_items')
      .values(chunk)
      .onConflict((conflict) => conflict.columns(['channel_id', 'episode']).doNothing())
      .execute()
  }
}

/** The first ones of a message, in the order in which they came. */
export async function itemsOf(db: Kysely<ControlSchema>, messageId: string, limit: number): Promise<AlertEvent[]> {
  const rows = await db
    .selectFrom('alert_items')
    .selectAll()
    .where('message_id', '=', messageId)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toEvent)
}

/** Of an item, and of what is to become one. */
export function toEvent(
  row: Omit<ControlSchema['alert_items'], 'id' | 'channel_id' | 'was_held' | 'message_id'>,
): AlertEvent {
  return {
    projectId: row.project_id as ProjectId,
    reason: row.reason as AlertReason,
    episode: row.episode,
    subject: row.subject,
    environment: row.environment,
    service: row.service,
    title: row.title,
    atUs: row.at_us,
    detail: row.detail,
  }
}
