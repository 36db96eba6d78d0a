/**
 * From what began to what is sent. Events become items of channels, items become messages, messages are claimed by one
 * node at a time. Every step is one transaction under one lock, so that a node that dies leaves all or nothing of it, and
 * the bounds of a channel hold on all nodes together.
 */
import type { DeliveryState } from '@tidemark/wire/alerts/alert-kinds'
import { type AlertEvent, type AlertMessage, type ClaimedMessage, isOfRule, type Together } from '../../model/alert.ts'
import type { ProjectId } from '../../model/project.ts'
import { type ControlDatabase, chunks, withLock } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'
import { itemsOf, toEvent, writeItems } from './items.ts'
import { type Packing, type PackingPlan, packItems } from './pack-items.ts'
import { rulesOf } from './rules.ts'

type Outcome =
  | { state: Extract<DeliveryState, 'sent' | 'given_up'>; answer: string }
  | { state: Extract<DeliveryState, 'queued'>; answer: string; nextTryAtMs: number }

export type AlertQueue = {
  /** Makes items of a limited number of events at once, and says how many events there were. */
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

export function createAlertQueue(database: ControlDatabase): AlertQueue {
  const { db } = database
  const claimed = ({ id, claim }: ClaimedMessage) =>
    db.updateTable('alert_messages').where('id', '=', id).where('claim', '=', claim).where('state', '=', 'queued')

  return {
    route: (limit) =>
      withLock(database, 'alerts', async (transaction) => {
        const rows = await transaction
          .selectFrom('alert_events')
          .selectAll()
          .orderBy('created_at')
          .orderBy('episode')
          .limit(limit)
          .execute()
        const rules = await rulesOf(transaction, [...new Set(rows.map((row) => row.project_id as ProjectId))])
        const toTell = rows
          .map((row) => ({ event: toEvent({ ...row, detail: '' }), atMs: row.created_at }))
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

    pack: (plan, times) =>
      withLock(database, 'alerts', async (transaction) => {
        return packItems(transaction, plan, times)
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
  }
}
