import type { Kysely, RawBuilder, Transaction } from 'kysely'
import { AppError } from '../../errors.ts'
import { isStorable, NOT_STORABLE } from '../../model/storable-text.ts'
import type { ControlSchema } from './schema.ts'

/** What both databases offer. Everything above this seam is written once. */
export type ControlDatabase = {
  /** Every error that leaves it is an AppError. Transactions are serialised in SQLite, read committed in PostgreSQL. */
  db: Kysely<ControlSchema>
  columns: ColumnTypes
  /** Keeps other writers of the same thing out until the transaction ends; `unavailable` if waiting takes too long. */
  lock(transaction: ControlTransaction, name: LockName): Promise<void>
  /**
   * All tables as they are at one moment, which has come when this resolves. Nobody who writes waits for it. Must be
   * closed; meanwhile the database keeps what others change.
   */
  snapshot(): Promise<ControlSnapshot>
  close(): Promise<void>
}

export type ControlTransaction = Transaction<ControlSchema>

/** Numbers of PostgreSQL's advisory locks: nodes of different versions must agree on them. */
export const LOCK_NUMBERS = {
  migrations: 7_404_001,
  audit: 7_404_002,
  analyses: 7_404_003,
  analysisQueue: 7_404_004,
  alerts: 7_404_005,
  views: 7_404_006,
  sourceMaps: 7_404_007,
  limits: 7_404_008,
} as const

export type ControlSnapshot = {
  /** The names of all tables that there were. */
  tables: ReadonlySet<string>
  /** Rows in no order, a bounded number at a time. */
  rows(table: keyof ControlSchema): AsyncIterable<ControlRow[]>
  close(): Promise<void>
}

/** Only text and 64-bit integers exist. */
export type ControlRow = Record<string, string | number | null>

/** As many as `ControlSnapshot.rows` gives at a time. */
export const ROWS_A_READ = 500

type LockName = keyof typeof LOCK_NUMBERS

export type ColumnTypes = {
  /** Compared and sorted byte by byte, whatever locale the database was made with. */
  text: RawBuilder<unknown>
  integer: RawBuilder<unknown>
  /** The end of a CREATE TABLE. */
  tableOptions: RawBuilder<unknown>
}

export type MigrationStep = (transaction: ControlTransaction, columns: ColumnTypes) => Promise<void>

/** Where failures that nobody waits for are reported. A pino logger fits. */
export type ControlLog = { warn(details: object, message: string): void }

/**
 * Migrations may take long and wait for each other; lookups hold up a request. A look is for a store that may belong to
 * a running service of another build: it makes no file and changes none.
 */
export type Purpose = 'migrate' | 'serve' | 'look'

/** A transaction that keeps other writers of the same thing out from its beginning. */
export function withLock<Result>(
  database: ControlDatabase,
  name: LockName,
  work: (transaction: ControlTransaction) => Promise<Result>,
): Promise<Result> {
  return database.db.transaction().execute(async (transaction) => {
    await database.lock(transaction, name)
    return work(transaction)
  })
}

/** The last line of defence, below the doors that refuse such text with the field's name. */
export function assertStorable(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (typeof value === 'string' && !isStorable(value)) {
      throw new AppError(
        'invalid_request',
        `The text ${NOT_STORABLE}, which cannot be stored. Remove it and send again.`,
      )
    }
  }
}

export const alreadyThere = (cause: unknown): AppError =>
  new AppError('conflict', 'Another one already has this name or id. Choose a different one.', { cause })

export const databaseFailed = (cause: unknown): AppError =>
  new AppError('internal', 'The control database failed. The server log says more.', { cause })

/** Below the least number of bound values both databases take in one statement. */
const ITEMS_PER_STATEMENT = 500

/** As many at a time as one statement takes. */
export function chunks<Item>(items: readonly Item[], size: number = ITEMS_PER_STATEMENT): Item[][] {
  const parts: Item[][] = []
  for (let start = 0; start < items.length; start += size) parts.push(items.slice(start, start + size))
  return parts
}
