/**
 * From what began to what is sent. Events become items of channels, items become messages, messages are claimed by one
 * node at a time. Every step is one transaction under one lock, so that a node that dies leaves all or nothing of it, and
 * the bounds of a channel hold on all nodes together.
 */
import type { AlertReason, DeliveryState } from '@tidemark/wire/alerts/alert-kinds'
import { HOUR_MS } from '@tidemark/wire/time/units'
import type { Transaction } from 'kysely'
import {
  type AlertChannel,
  type AlertEvent,
  type AlertMessage,
  type ClaimedMessage,
  isOfRule,
  type Together,
} from '../../model/alert.ts'
import { newId } from '../../model/id.ts'
import type { ProjectId } from '../../model/project.ts'
import { type ControlDatabase, chunks } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'
import { toChannel } from './channels.ts'
import { itemsOf, writeItems } from './items.ts'
import { rulesOf } from './rules.ts'

/** How items of a channel become messages: none for now and why, each its own, or all in one and why. */
export type PackingPlan = { wait: Together } | 'each' | { together: Together }

/** What a plan is made from. `held`: why some have waited. `sentThisHour`: messages made for the channel in that time. */
export type Packing = { channel: AlertChannel; waiting: number; held: Together | null; sentThisHour: number }

type Outcome =
  | { state: Extract<DeliveryState, 'sent' | 'given_up'>; answer: string }
  | { state: Extract<DeliveryState, 'queued'>; answer: string; nextTryAtMs: number }

export type AlertQueue = {
  /** Makes items of events, at most so many at once, and says how many events there were. */
  route(limit: number): Promise<number>
  /** Makes messages of the items that came before `beforeMs`, as `plan` decides for each channel. Says how many. */
  pack(plan: (packing: Packing) => PackingPlan, times: { beforeMs: number; nowMs: number }): Promise<number>
  /** The message that has been due the longest is this node's for `leaseMs`; null when none is due. */
  claim(leaseMs: number, nowMs: number): Promise<ClaimedMessage | null>
  /** What a message tells, the first ones. */
  items(messageId: string, limit: number): Promise<AlertEvent[]>
  /** Keeps what the message says. False when the claim is no longer the current one: it must not be sent then. */
  write(message: ClaimedMessage, content: string): Promise<boolean>
  /** Puts a message back without a try: its channel is quiet. */
  postpone(message: ClaimedMessage, nextTryAtMs: number): Promise<boolean>
  /** False when the claim is no longer the current one: another node's word counts. */
  finish(message: ClaimedMessage, outcome: Outcome, nowMs: number): Promise<boolean>
  /** Of all living projects. */
  countQueued(): Promise<number>
}

type MessageRow = ControlSchema['alert_messages']
type ItemRow = ControlSchema['alert_items']

const ROWS_PER_STATEMENT = 30
/** Titles are for the log of deliveries; what is sent is written from the items. */
const MAX_TITLE_CHARACTERS = 200

export function createAlertQueue(database: ControlDatabase): AlertQueue {
  const { db } = database
  const claimed = ({ id, claim }: ClaimedMessage) =>
    db.updateTable('alert_messages').where('id', '=', id).where('claim', '=', claim).where('state', '=', 'queued')

  return {
    route: (limit) =>
      db.transaction().execute(async (transaction) => {
        await database.lock(transaction, 'alerts')
        const rows = await transaction
          .selectFrom('alert_events')
          .selectAll()
          .orderBy('created_at')
          .orderBy('episode')
          .limit(limit)
          .execute()
        const rules = await rulesOf(transaction, [...new Set(rows.map((row) => row.project_id as ProjectId))])
        const toTell = rows
          .map((row) => ({ event: toEvent(row), atMs: row.created_at }))
          .map(({ event, atMs }) => ({
            ...{ event, atMs },
            channelIds: [
              ...new Set(
                rules
                  .filter(
                    (rule) => rule.projectId === event.projectId && rule.isOn && rule.reasons.includes(event.reason),
                  )
                  .filter((rule) => isOfRule(rule, event))
                  .flatMap(({ channelIds }) => channelIds),
              ),
            ],
          }))
        await writeItems(transaction, toTell)
        for (const projectId of new Set(rows.map(({ project_id }) => project_id))) {
          const episodes = rows.filter(({ project_id }) => project_id === projectId).map(({ episode }) => episode)
          for (const chunk of chunks(episodes)) {
            await transaction
              .deleteFrom('alert_events')
              .where('project_id', '=', projectId)
              .where('episode', 'in', chunk)
              .execute()
          }
        }
        return rows.length
      }),

    pack: (plan, { beforeMs, nowMs }) =>
      db.transaction().execute(async (transaction) => {
        await database.lock(transaction, 'alerts')
        let made = 0
        for (const { channel, waiting, held } of await waitingChannels(transaction, beforeMs)) {
          const sentThisHour = await madeSince(transaction, channel.id, nowMs - HOUR_MS)
          const decided = plan({ channel, waiting, held, sentThisHour })
          if (typeof decided === 'object' && 'wait' in decided) {
            await markHeld(transaction, channel.id, { as: HELD[decided.wait], beforeMs })
          } else made += await makeMessages(transaction, { channel, decided, waiting, beforeMs, nowMs })
        }
        return made
      }),

    async claim(leaseMs, nowMs) {
      // Another node may be faster between the two statements: then the next one is tried.
      for (;;) {
        const due = await db
          .selectFrom('alert_messages')
          .innerJoin('projects', 'projects.id', 'alert_messages.project_id')
          .select(['alert_messages.id', 'alert_messages.claim'])
          .where('projects.deleted_at', 'is', null)
          .where('state', '=', 'queued')
          .where('next_try_at', '<=', nowMs)
          .where('claimed_until', '<=', nowMs)
          .orderBy('next_try_at')
          .orderBy('alert_messages.id')
          .limit(1)
          .executeTakeFirst()
        if (!due) return null
        const row = await db
          .updateTable('alert_messages')
          .set({ claim: due.claim + 1, claimed_until: nowMs + leaseMs })
          .where('id', '=', due.id)
          .where('claim', '=', due.claim)
          .where('state', '=', 'queued')
          .where('claimed_until', '<=', nowMs)
          .returningAll()
          .executeTakeFirst()
        if (row) return { ...toMessage(row), claim: row.claim, claimedUntilMs: row.claimed_until }
      }
    },

    items: (messageId, limit) => itemsOf(db, messageId, limit),

    async write(message, content) {
      return (await claimed(message).set({ content }).returning('id').executeTakeFirst()) !== undefined
    },

    async postpone(message, nextTryAtMs) {
      const values = { next_try_at: nextTryAtMs, claimed_until: 0 }
      return (await claimed(message).set(values).returning('id').executeTakeFirst()) !== undefined
    },

    async finish(message, outcome, nowMs) {
      const row = await claimed(message)
        .set((eb) => ({
          state: outcome.state,
          attempts: eb('attempts', '+', 1),
          first_try_at: message.firstTryAtMs ?? nowMs,
          next_try_at: outcome.state === 'queued' ? outcome.nextTryAtMs : nowMs,
          claimed_until: 0,
          last_answer: outcome.answer,
          sent_at: outcome.state === 'sent' ? nowMs : null,
        }))
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    async countQueued() {
      const row = await db
        .selectFrom('alert_messages')
        .innerJoin('projects', 'projects.id', 'alert_messages.project_id')
        .select(({ fn }) => fn.countAll<number>().as('queued'))
        .where('projects.deleted_at', 'is', null)
        .where('state', '=', 'queued')
        .executeTakeFirst()
      return row?.queued ?? 0
    },
  }
}

async function waitingChannels(transaction: Transaction<ControlSchema>, beforeMs: number) {
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

async function madeSince(transaction: Transaction<ControlSchema>, channelId: string, sinceMs: number): Promise<number> {
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
  transaction: Transaction<ControlSchema>,
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
  transaction: Transaction<ControlSchema>,
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
  const more = waiting > 1 ? ` and ${waiting - 1} more` : ''
  const title = `${(first?.title ?? '').slice(0, MAX_TITLE_CHARACTERS)}${more}`
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
): MessageRow {
  return {
    id: newId('msg', nowMs),
    project_id: projectId,
    channel_id: channelId,
    state: 'queued',
    together,
    told,
    title: title.slice(0, MAX_TITLE_CHARACTERS + 40),
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

function toEvent(row: Omit<ItemRow, 'id' | 'channel_id' | 'detail' | 'was_held' | 'message_id'>): AlertEvent {
  return {
    projectId: row.project_id as ProjectId,
    reason: row.reason as AlertReason,
    episode: row.episode,
    subject: row.subject,
    environment: row.environment,
    service: row.service,
    title: row.title,
    atUs: row.at_us,
    detail: '',
  }
}

function toMessage(row: MessageRow): AlertMessage {
  return {
    id: row.id,
    projectId: row.project_id as ProjectId,
    channelId: row.channel_id,
    state: row.state as DeliveryState,
    together: row.together as Together | null,
    told: row.told,
    title: row.title,
    content: row.content,
    attempts: row.attempts,
    firstTryAtMs: row.first_try_at,
    createdAtMs: row.created_at,
  }
}
