/** Counters that grow once per segment: a segment that is counted again, after a crash or a retry, adds nothing. */
import type { ControlDatabase, ControlTransaction } from '../database/database.ts'

type Amount = { records: number; bytes: number }
/** `day` as `dayOf` writes it. */
type UsageEntry = { projectId: string; day: string } & Amount
type DayUsage = { day: string } & Amount
type RedactionEntry = { projectId: string; rule: string; redactions: number }

export type Usage = {
  /** All entries of a segment in one call. Says whether it was counted by this call and not before. */
  add(segmentId: string, entries: readonly UsageEntry[], nowMs: number): Promise<boolean>
  get(projectId: string, month: string): Promise<Amount>
  /** From `firstDay` on, the oldest first. A day in which nothing came has no row. */
  days(projectId: string, firstDay: string): Promise<DayUsage[]>
  /** Like `add`, and independent of it. */
  addRedactions(segmentId: string, entries: readonly RedactionEntry[], nowMs: number): Promise<boolean>
  /** For what comes in no segment, such as a deploy. */
  countRedactions(projectId: string, counts: Readonly<Record<string, number>>): Promise<void>
  /** Most first. */
  redactions(projectId: string): Promise<{ rule: string; redactions: number }[]>
  /** Forgets which segments were counted before `beforeMs`; a segment must not come back after that. */
  forgetSegments(beforeMs: number): Promise<void>
  /** Months are kept. */
  forgetDays(beforeMs: number): Promise<void>
}

/** `2026-11`: the UTC month that a record is counted in. */
export function monthOf(ms: number): string {
  return monthOfDay(dayOf(ms))
}

/** `2026-11-15`, in UTC. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

const monthOfDay = (day: string) => day.slice(0, 7)

export function createUsage({ db }: ControlDatabase): Usage {
  async function countOnce(
    segmentId: string,
    counter: string,
    nowMs: number,
    raise: (transaction: ControlTransaction) => Promise<void>,
  ): Promise<boolean> {
    return db.transaction().execute(async (transaction) => {
      const marked = await transaction
        .insertInto('counted_segments')
        .values({ segment_id: segmentId, counter, counted_at: nowMs })
        .onConflict((conflict) => conflict.columns(['segment_id', 'counter']).doNothing())
        .returning('segment_id')
        .executeTakeFirst()
      if (marked === undefined) return false
      await raise(transaction)
      return true
    })
  }

  return {
    add(segmentId, entries, nowMs) {
      return countOnce(segmentId, 'usage', nowMs, async (transaction) => {
        const counted = ['records', 'bytes'] as const
        const days = summed(entries, ({ projectId, day }) => `${projectId}\n${day}`, counted)
        for (const { projectId, day, records, bytes } of days) {
          await transaction
            .insertInto('usage_days')
            .values({ project_id: projectId, day, records, bytes })
            .onConflict((conflict) =>
              conflict.columns(['project_id', 'day']).doUpdateSet(({ eb }) => ({
                records: eb('usage_days.records', '+', eb.ref('excluded.records')),
                bytes: eb('usage_days.bytes', '+', eb.ref('excluded.bytes')),
              })),
            )
            .execute()
        }
        const months = summed(days, ({ projectId, day }) => `${projectId}\n${monthOfDay(day)}`, counted)
        for (const { projectId, day, records, bytes } of months) {
          const month = monthOfDay(day)
          await transaction
            .insertInto('usage_months')
            .values({ project_id: projectId, month, records, bytes })
            .onConflict((conflict) =>
              conflict.columns(['project_id', 'month']).doUpdateSet(({ eb }) => ({
                records: eb('usage_months.records', '+', eb.ref('excluded.records')),
                bytes: eb('usage_months.bytes', '+', eb.ref('excluded.bytes')),
              })),
            )
            .execute()
        }
      })
    },

    async get(projectId, month) {
      const row = await db
        .selectFrom('usage_months')
        .select(['records', 'bytes'])
        .where('project_id', '=', projectId)
        .where('month', '=', month)
        .executeTakeFirst()
      return row ?? { records: 0, bytes: 0 }
    },

    async days(projectId, firstDay) {
      return db
        .selectFrom('usage_days')
        .select(['day', 'records', 'bytes'])
        .where('project_id', '=', projectId)
        .where('day', '>=', firstDay)
        .orderBy('day')
        .execute()
    },

    addRedactions(segmentId, entries, nowMs) {
      return countOnce(segmentId, 'redactions', nowMs, (transaction) => raiseRedactions(transaction, entries))
    },

    async countRedactions(projectId, counts) {
      const entries = Object.entries(counts).map(([rule, redactions]) => ({ projectId, rule, redactions }))
      if (entries.length > 0) await db.transaction().execute((transaction) => raiseRedactions(transaction, entries))
    },

    async redactions(projectId) {
      return db
        .selectFrom('redaction_counts')
        .select(['rule', 'redactions'])
        .where('project_id', '=', projectId)
        .orderBy('redactions', 'desc')
        .orderBy('rule')
        .execute()
    },

    async forgetSegments(beforeMs) {
      await db.deleteFrom('counted_segments').where('counted_at', '<', beforeMs).execute()
    },

    async forgetDays(beforeMs) {
      await db.deleteFrom('usage_days').where('day', '<', dayOf(beforeMs)).execute()
    },
  }
}

async function raiseRedactions(transaction: ControlTransaction, entries: readonly RedactionEntry[]): Promise<void> {
  const sums = summed(entries, ({ projectId, rule }) => `${projectId}\n${rule}`, ['redactions'])
  for (const { projectId, rule, redactions } of sums) {
    await transaction
      .insertInto('redaction_counts')
      .values({ project_id: projectId, rule, redactions })
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'rule']).doUpdateSet(({ eb }) => ({
          redactions: eb('redaction_counts.redactions', '+', eb.ref('excluded.redactions')),
        })),
      )
      .execute()
  }
}

/**
 * One entry for each counter: a segment has an entry for every request in it, and a statement for each would hold up the
 * whole service. In one order, because two nodes that raise the same counters in different orders would wait for each
 * other.
 */
function summed<Name extends string, Entry extends Record<Name, number>>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
  counted: readonly Name[],
): Entry[] {
  const sums = new Map<string, Entry>()
  for (const entry of entries) {
    const sum = sums.get(keyOf(entry))
    if (sum === undefined) sums.set(keyOf(entry), { ...entry })
    else for (const name of counted) sum[name] = (sum[name] + entry[name]) as Entry[Name]
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum)
}
