import type { Kysely, RawBuilder, Transaction } from 'kysely'
import type { ControlSchema } from './schema.ts'

/** What the two databases have to offer alike. Everything above this seam is written once. */
export type ControlDatabase = {
  /** Every error that leaves it is an AppError. Transactions are serialised in SQLite, read committed in PostgreSQL. */
  db: Kysely<ControlSchema>
  columns: ColumnTypes
  /** Holds all other writers of the same thing off until the transaction ends; fails as `unavailable` when that takes too long. */
  lock(transaction: Transaction<ControlSchema>, name: LockName): Promise<void>
  close(): Promise<void>
}

/** Numbers of PostgreSQL's advisory locks: nodes of different versions must agree on them. */
export const LOCK_NUMBERS = {
  migrations: 7_404_001,
  audit: 7_404_002,
  analyses: 7_404_003,
  analysisQueue: 7_404_004,
} as const

export type LockName = keyof typeof LOCK_NUMBERS

export type ColumnTypes = {
  /** Compared and sorted byte by byte, whatever locale the database was made with. */
  text: RawBuilder<unknown>
  integer: RawBuilder<unknown>
  /** Stands at the end of a CREATE TABLE. */
  tableOptions: RawBuilder<unknown>
}

/** Where a failure goes that nobody waits for. A pino logger fits. */
export type ControlLog = { warn(details: object, message: string): void }

/** Migrations may take long and wait for each other; look-ups stand in the way of a request. */
export type Purpose = 'migrate' | 'serve'
