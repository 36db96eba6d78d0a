/** Makes messages of items: for each channel none for now, one each, or one for all, as the rules of delivery decide. */
import { withCommas } from '@tidemark/wire/text/counted'
import { cutWithin } from '@tidemark/wire/text/cut-text'
import { HOUR_MS } from '@tidemark/wire/time/units'
import type { AlertChannel, Together } from '../../model/alert.ts'
import { newId } from '../../model/id.ts'
import { type ControlTransaction, chunks } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'
import { toChannel } from './channels.ts'

/** How items of a channel become messages: none for now and why, each its own, or all in one and why. */
export type PackingPlan = { wait: Together } | 'each' | { together: Together }

/** What a plan is made from. `held`: why some have waited. `sentThisHour`: messages made for the channel in that time. */
export type Packing = { channel: AlertChannel; waiting: number; held: Together | null; sentThisHour: number }

const ROWS_PER_STATEMENT = 30
/** Titles are for the log of deliveries; what is sent is written from the items. */
const MAX_TITLE_CHARACTERS = 200

/** Says how many messages. The caller holds the lock of alerts. */
export async function packItems(
  transaction: ControlTransaction,
  plan: (packing: Packing) => PackingPlan,
  { beforeMs, nowMs }: { beforeMs: number; nowMs: number },
): Promise<number> {
  let made = 0
  for (const { channel, waiting, held } of await waitingChannels(transaction, beforeMs)) {
    const sentThisHour = await madeSince(transaction, channel.id, nowMs - HOUR_MS)
    const decided = plan({ channel, waiting, held, sentThisHour })
    if (typeof decided === 'object' && 'wait' in decided) {
      await markHeld(transaction, channel.id, { as: HELD[decided.wait], beforeMs })
    } else made += await makeMessages(transaction, { channel, decided, waiting, beforeMs, nowMs })
  }
  return made
}

async function waitingChannels(transaction: ControlTransaction, beforeMs: number) {
  const rows = await transaction
    .selectFrom('alert_items')
    .innerJoin('projects', 'projects.id', 'alert_items.project_id')
    .select(({ fn }) => [
      'alert_items.channel_id',
      fn.countAll<number>().as('waiting'),
      fn.max<number>('alert_items.was_held').as('were_held'),
    ])
    .where('projects.deleted_at', 'is', null)
    .where('alert_items.message_id', 'is', null)
    .where('alert_items.created_at', '<=', beforeMs)
    .groupBy('alert_items.channel_id')
    .execute()
  const ids = rows.map(({ channel_id }) => channel_id)
  const channels = new Map<string, AlertChannel>()
  for (const chunk of chunks(ids)) {
    const found = await transaction.selectFrom('alert_channels').selectAll().where('id', 'in', chunk).execute()
    for (const row of found) channels.set(row.id, toChannel(row))
  }
  return rows.flatMap(({ channel_id, waiting, were_held }) => {
    const channel = channels.get(channel_id)
    return channel ? [{ channel, waiting, held: heldBy(were_held) }] : []
  })
}

async function madeSince(transaction: ControlTransaction, channelId: string, sinceMs: number): Promise<number> {
  const row = await transaction
    .selectFrom('alert_messages')
    .select(({ fn }) => fn.countAll<number>().as('made'))
    .where('channel_id', '=', channelId)
    .where('created_at', '>', sinceMs)
    .executeTakeFirst()
  return row?.made ?? 0
}

/** As numbers, so that the larger one of several counts. */
const HELD: Record<Together, number> = { quiet: 1, many: 2 }

function heldBy(wasHeld: number): Together | null {
  return wasHeld === 0 ? null : wasHeld === HELD.quiet ? 'quiet' : 'many'
}

async function markHeld(
  transaction: ControlTransaction,
  channelId: string,
  { as, beforeMs }: { as: number; beforeMs: number },
): Promise<void> {
  await transaction
    .updateTable('alert_items')
    .set({ was_held: as })
    .where('channel_id', '=', channelId)
    .where('message_id', 'is', null)
    .where('created_at', '<=', beforeMs)
    .where('was_held', '<', as)
    .execute()
}

type Making = {
  channel: AlertChannel
  decided: 'each' | { together: Together }
  waiting: number
  beforeMs: number
  nowMs: number
}

async function makeMessages(
  transaction: ControlTransaction,
  { channel, decided, waiting, beforeMs, nowMs }: Making,
): Promise<number> {
  const ofChannel = transaction
    .selectFrom('alert_items')
    .select(['id', 'title'])
    .where('channel_id', '=', channel.id)
    .where('message_id', 'is', null)
    .where('created_at', '<=', beforeMs)
    .orderBy('id')
  if (decided === 'each') {
    const items = await ofChannel.execute()
    const rows = items.map(({ title }) => newMessage(channel, { title, told: 1, together: null, nowMs }))
    for (const chunk of chunks(rows, ROWS_PER_STATEMENT)) {
      await transaction.insertInto('alert_messages').values(chunk).execute()
    }
    for (const [at, { id }] of items.entries()) {
      await transaction.updateTable('alert_items').set({ message_id: rows[at]!.id }).where('id', '=', id).execute()
    }
    return rows.length
  }
  const first = await ofChannel.limit(1).executeTakeFirst()
  const more = waiting > 1 ? ` and ${withCommas(waiting - 1)} more` : ''
  const title = `${cutWithin(first?.title ?? '', MAX_TITLE_CHARACTERS)}${more}`
  const row = newMessage(channel, { title, told: waiting, together: decided.together, nowMs })
  await transaction.insertInto('alert_messages').values(row).execute()
  await transaction
    .updateTable('alert_items')
    .set({ message_id: row.id })
    .where('channel_id', '=', channel.id)
    .where('message_id', 'is', null)
    .where('created_at', '<=', beforeMs)
    .execute()
  return 1
}

function newMessage(
  { id: channelId, projectId }: AlertChannel,
  { title, told, together, nowMs }: { title: string; told: number; together: Together | null; nowMs: number },
): ControlSchema['alert_messages'] {
  return {
    id: newId('msg', nowMs),
    project_id: projectId,
    channel_id: channelId,
    state: 'queued',
    together,
    told,
    title: cutWithin(title, MAX_TITLE_CHARACTERS + 40),
    content: null,
    attempts: 0,
    first_try_at: null,
    next_try_at: nowMs,
    claim: 0,
    claimed_until: 0,
    last_answer: null,
    created_at: nowMs,
    sent_at: null,
  }
}
