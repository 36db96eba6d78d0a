/**
 * What came with each ingest key and what was refused of it, by hour. Counted in memory and written some seconds later, so
 * that no batch waits for it: a process that is killed loses the counts of these seconds, and no record.
 */
import { INGEST_REFUSALS, type IngestRefusal } from '@tidemark/wire/people/ingest-refusal'
import { DAY_MS, HOUR_MS } from '@tidemark/wire/time/units'
import { sql } from 'kysely'
import { AppError } from '../../errors.ts'
import { type ControlDatabase, type ControlLog, chunks } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'

const WRITE_AFTER_MS = 10_000
/** Keys times outcomes of some seconds; past it what is not known yet is not counted. */
const MAX_PENDING = 10_000
export const INGEST_COUNTS_KEPT_MS = 8 * DAY_MS

/** `records`: stored ones, or those refused from a batch whose others were stored. Otherwise requests are counted. */
export type IngestOutcome = 'stored' | IngestRefusal
type OfKey = { projectId: string; keyId: string }
export type IngestCount = {
  keyId: string
  outcome: IngestOutcome
  lastDay: number
  lastWeek: number
  lastAtMs: number
}
type CountRow = ControlSchema['ingest_counts']

export class IngestCounts {
  readonly #database: ControlDatabase
  readonly #log: ControlLog
  #pending = new Map<string, CountRow>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(database: ControlDatabase, log: ControlLog) {
    this.#database = database
    this.#log = log
  }

  /** Never waits, never fails. */
  note({ projectId, keyId }: OfKey, outcome: IngestOutcome, amount: number, nowMs: number): void {
    const hour = Math.floor(nowMs / HOUR_MS)
    this.#add({ project_id: projectId, key_id: keyId, hour, outcome, amount, last_at: nowMs })
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref()
  }

  /** Of the last week. What this node has counted is in it. */
  async list(projectId: string, nowMs: number): Promise<IngestCount[]> {
    await this.flush()
    const since = (ms: number) => Math.floor((nowMs - ms) / HOUR_MS) + 1
    const rows = await this.#database.db
      .selectFrom('ingest_counts')
      .select(['key_id', 'outcome'])
      .select(({ fn }) => [fn.sum<number>('amount').as('week'), fn.max('last_at').as('last_at')])
      .select(sql<number>`sum(case when hour >= ${since(DAY_MS)} then amount else 0 end)`.as('day'))
      .where('project_id', '=', projectId)
      .where('hour', '>=', since(7 * DAY_MS))
      .groupBy(['key_id', 'outcome'])
      .execute()
    return rows.flatMap(({ key_id, outcome, week, day, last_at }) => {
      const known = OUTCOMES.find((one) => one === outcome)
      const amounts = { lastDay: Number(day), lastWeek: Number(week), lastAtMs: Number(last_at) }
      return known === undefined ? [] : [{ keyId: key_id, outcome: known, ...amounts }]
    })
  }

  async forget(beforeMs: number): Promise<void> {
    const hour = Math.floor(beforeMs / HOUR_MS)
    await this.#database.db.deleteFrom('ingest_counts').where('hour', '<', hour).execute()
  }

  /** Resolves when what was noted before is written, or could not be. Never fails. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  close(): Promise<void> {
    return this.flush()
  }

  #add(row: CountRow): void {
    const name = `${row.key_id} ${row.hour} ${row.outcome}`
    const known = this.#pending.get(name)
    if (known !== undefined) {
      known.amount += row.amount
      known.last_at = Math.max(known.last_at, row.last_at)
    } else if (this.#pending.size < MAX_PENDING) this.#pending.set(name, row)
  }

  async #write(): Promise<void> {
    // In one order, because two nodes that raise the same counters in different orders would wait for each other.
    const rows = [...this.#pending].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
    this.#pending = new Map()
    for (const some of chunks(rows)) {
      try {
        await this.#raise(some)
      } catch (error) {
        this.#log.warn({ err: error, counts: some.length }, 'could not write down what came with which key')
        if (error instanceof AppError && error.code === 'unavailable') for (const row of some) this.#add(row)
      }
    }
  }

  async #raise(rows: CountRow[]): Promise<void> {
    await this.#database.db
      .insertInto('ingest_counts')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'key_id', 'hour', 'outcome']).doUpdateSet(({ eb }) => ({
          amount: eb('ingest_counts.amount', '+', eb.ref('excluded.amount')),
          last_at: sql<number>`case when excluded.last_at > ingest_counts.last_at then excluded.last_at else ingest_counts.last_at end`,
        })),
      )
      .execute()
  }
}

const OUTCOMES = ['stored', ...INGEST_REFUSALS] as const
