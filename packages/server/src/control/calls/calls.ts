/** What agents asked with which key. Only members of its project see it; it is bounded by age and by number. */
import { CALLS_KEPT_DAYS, MAX_CALLS_OF_A_KEY, MAX_CALLS_OF_A_PROJECT } from '@tidemark/wire/limits'
import type { Call, CallsInput, CallsOfKey } from '@tidemark/wire/people/call'
import { DAY_MS } from '@tidemark/wire/time/units'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { z } from 'zod'
import { firstIdAt } from '../../model/id.ts'
import type { McpCall } from '../../model/mcp-call.ts'
import type { ProjectId } from '../../model/project.ts'
import { isoTime, parseColumn } from '../database/columns.ts'
import type { ControlDatabase } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'
import type { CallWriter } from './call-writer.ts'

export const CALL_MEMORY_MS = CALLS_KEPT_DAYS * DAY_MS
export const CALL_BOUNDS = { perKey: MAX_CALLS_OF_A_KEY, perProject: MAX_CALLS_OF_A_PROJECT }

export type Calls = {
  /** Never waits, never fails; it can be read about a second later. */
  note(caller: { projectId: string; keyId: string }, call: McpCall): void
  /** Newest first, at most `limit`. */
  list(projectId: ProjectId, filter: CallsInput & { limit: number }): Promise<Call[]>
  /** The keys that called at all, most recent caller first. */
  byKey(projectId: ProjectId, nowMs: number): Promise<CallsOfKey[]>
  /** Every name that was called in the project, in their order. */
  names(projectId: ProjectId): Promise<string[]>
  /** Forgets what is past the bounds, and what belongs to a deleted project. */
  prune(nowMs: number, bounds?: typeof CALL_BOUNDS): Promise<void>
}

type Rows = ExpressionBuilder<ControlSchema, 'mcp_calls'>

/** A long delete would keep other writers waiting. */
const PRUNED_AT_ONCE = 1_000
const argumentNames = z.array(z.string())

export function createCalls({ db }: ControlDatabase, writer: Pick<CallWriter, 'note'>): Calls {
  async function remove(which: (eb: Rows) => Expression<SqlBool>): Promise<void> {
    for (;;) {
      const some = db.selectFrom('mcp_calls').select('id').where(which).limit(PRUNED_AT_ONCE)
      const { numDeletedRows } = await db.deleteFrom('mcp_calls').where('id', 'in', some).executeTakeFirstOrThrow()
      if (numDeletedRows < PRUNED_AT_ONCE) return
    }
  }

  async function keepNewest(column: 'key_id' | 'project_id', most: number): Promise<void> {
    const over = await db
      .selectFrom('mcp_calls')
      .select(column)
      .groupBy(column)
      .having(({ fn }) => fn.countAll(), '>', most)
      .execute()
    for (const row of over) {
      const owner = row[column]
      const firstOver = await db
        .selectFrom('mcp_calls')
        .select('id')
        .where(column, '=', owner)
        .orderBy('id', 'desc')
        .offset(most)
        .limit(1)
        .executeTakeFirst()
      if (firstOver) await remove((eb) => eb.and([eb(column, '=', owner), eb('id', '<=', firstOver.id)]))
    }
  }

  return {
    note: (caller, call) => writer.note(caller, call),

    async list(projectId, { keyId, name, errors, before, limit }) {
      let query = db.selectFrom('mcp_calls').selectAll().where('project_id', '=', projectId)
      if (keyId !== undefined) query = query.where('key_id', '=', keyId)
      if (name !== undefined) query = query.where('name', '=', name)
      if (errors !== undefined) query = query.where('error', 'is not', null)
      if (before !== undefined) query = query.where('id', '<', before)
      return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toCall)
    },

    async byKey(projectId, nowMs) {
      const dayAgo = nowMs - DAY_MS
      const weekAgo = nowMs - 7 * DAY_MS
      const rows = await db
        .selectFrom('mcp_calls')
        .select((eb) => {
          const count = (since: number, isError: boolean) =>
            eb.fn
              .countAll<number>()
              .filterWhere('at', '>=', since)
              .filterWhere(isError ? eb('error', 'is not', null) : eb.lit(true))
          return [
            'key_id',
            eb.fn.countAll<number>().as('kept'),
            eb.fn.min<number>('at').as('oldest'),
            eb.fn.max<number>('at').as('newest'),
            count(dayAgo, false).as('day_calls'),
            count(dayAgo, true).as('day_errors'),
            count(weekAgo, false).as('week_calls'),
            count(weekAgo, true).as('week_errors'),
          ]
        })
        .where('project_id', '=', projectId)
        .groupBy('key_id')
        .orderBy('newest', 'desc')
        .orderBy('key_id')
        .execute()
      const isProjectCut = rows.reduce((sum, { kept }) => sum + kept, 0) >= CALL_BOUNDS.perProject
      const oldestKept = Math.min(...rows.map(({ oldest }) => oldest))
      const sums: CallsOfKey[] = []
      for (const row of rows) {
        const since = row.kept >= CALL_BOUNDS.perKey ? row.oldest : isProjectCut ? oldestKept : null
        const p95Ms = await p95Of(projectId, row.key_id, weekAgo, row.week_calls)
        sums.push({
          keyId: row.key_id,
          lastCallAt: isoTime(row.newest),
          lastDay: { calls: row.day_calls, errors: row.day_errors },
          lastWeek: { calls: row.week_calls, errors: row.week_errors, p95Ms },
          cutBefore: since !== null && since > weekAgo ? isoTime(since) : null,
        })
      }
      return sums
    },

    async names(projectId) {
      const rows = await db
        .selectFrom('mcp_calls')
        .select('name')
        .distinct()
        .where('project_id', '=', projectId)
        .where('name', 'is not', null)
        .orderBy('name')
        .execute()
      return rows.map(({ name }) => name ?? '')
    },

    async prune(nowMs, { perKey, perProject } = CALL_BOUNDS) {
      await remove((eb) => eb('id', '<', firstIdAt('cal', nowMs - CALL_MEMORY_MS)))
      await remove((eb) =>
        eb('project_id', 'in', eb.selectFrom('projects').select('projects.id').where('deleted_at', 'is not', null)),
      )
      await keepNewest('key_id', perKey)
      await keepNewest('project_id', perProject)
    },
  }

  /** The smallest duration that at least 95 of 100 calls did not exceed. */
  async function p95Of(projectId: string, keyId: string, sinceMs: number, calls: number): Promise<number | null> {
    const row = await db
      .selectFrom('mcp_calls')
      .select('duration_ms')
      .where('project_id', '=', projectId)
      .where('key_id', '=', keyId)
      .where('at', '>=', sinceMs)
      .orderBy('duration_ms', 'desc')
      .offset(calls - Math.ceil(calls * 0.95))
      .limit(1)
      .executeTakeFirst()
    return row?.duration_ms ?? null
  }
}

function toCall(row: ControlSchema['mcp_calls']): Call {
  return {
    id: row.id,
    keyId: row.key_id,
    at: isoTime(row.at),
    method: row.method,
    name: row.name,
    arguments: parseColumn(argumentNames, row.arguments),
    durationMs: row.duration_ms,
    rows: row.row_count,
    bytes: row.bytes,
    tokens: row.tokens,
    error: row.error,
  }
}
