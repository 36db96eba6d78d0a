/** The whole control store, read at one moment, and written into an empty one of either kind. */
import { type Kysely, sql } from 'kysely'
import { AppError } from '../errors.ts'
import {
  type ControlRow,
  type ControlSnapshot,
  type ControlTransaction,
  chunks,
  withLock,
} from './database/database.ts'
import {
  type AppliedMigration,
  appliedMigrations,
  CONTROL_VERSION,
  knownVersion,
  MIGRATIONS,
  migrate,
  newestVersion,
  VERSION_TABLE,
} from './database/migrate.ts'
import { type ControlSchema, TABLES, type TableName } from './database/schema.ts'
import { type ControlOptions, controlOpener } from './open.ts'

export { CONTROL_VERSION, TABLES, type TableName }

/** Bound values in one statement, well below what both databases take. */
const VALUES_A_STATEMENT = 10_000

export type ReadControl = {
  version: number
  /** Those that the version has. */
  tables: readonly TableName[]
  rows(table: TableName): AsyncIterable<ControlRow[]>
  /** To be asked after the last row: a snapshot of PostgreSQL sees columns that were added since. */
  mustStillBeOfVersion(): Promise<void>
  close(): Promise<void>
}

/**
 * Changes nothing: a backup is what one makes before an upgrade, perhaps with the newer build. What is read is as of the
 * moment this resolves, and of the version that was found.
 */
export async function readControl(options: ControlOptions): Promise<ReadControl> {
  const database = (await controlOpener(options))('look')
  let snapshot: ControlSnapshot | undefined
  const close = async () => {
    await snapshot?.close()
    await database.close()
  }
  try {
    snapshot = await database.snapshot()
    const { tables, rows } = snapshot
    const version = await versionIn(snapshot)
    return {
      version,
      tables: TABLES.filter((table) => tables.has(table)),
      rows,
      async mustStillBeOfVersion() {
        if (newestVersion(await appliedMigrations(database)) === version) return
        throw new AppError('conflict', 'The control store was upgraded while it was copied. Make the copy again.')
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function versionIn({ tables, rows }: ControlSnapshot): Promise<number> {
  const applied: AppliedMigration[] = []
  if (tables.has(VERSION_TABLE))
    for await (const some of rows(VERSION_TABLE)) applied.push(...(some as AppliedMigration[]))
  const version = knownVersion(applied)
  if (version > 0) return version
  throw new AppError(
    'not_found',
    'The control store is empty: no service has started on it yet. Check TIDEMARK_DATABASE_URL or TIDEMARK_DATA_DIR.',
  )
}

export type WrittenControl = {
  /** The version of the tables whose rows these are; older ones are brought up to date afterwards. */
  version: number
  rows(table: TableName): AsyncIterable<ControlRow[]>
}

/** All rows or none. Says how many of each table were written. */
export async function writeControl(options: ControlOptions, written: WrittenControl): Promise<Map<TableName, number>> {
  const database = (await controlOpener(options))('migrate')
  try {
    await migrate(database, Date.now(), MIGRATIONS.slice(0, written.version))
    const counts = await withLock(database, 'migrations', async (transaction) => {
      await mustBeEmpty(transaction)
      const found = new Map<TableName, number>()
      for (const table of TABLES) {
        for await (const rows of written.rows(table)) {
          await insertRows(transaction, table, rows)
          found.set(table, (found.get(table) ?? 0) + rows.length)
        }
      }
      return found
    })
    await migrate(database, Date.now())
    return counts
  } finally {
    await database.close()
  }
}

/** Before anything else is written: whether there is nothing that a copy would be mixed with. */
export async function checkControlEmpty(options: ControlOptions): Promise<void> {
  const database = (await controlOpener(options))('migrate')
  try {
    await mustBeEmpty(database.db)
  } finally {
    await database.close()
  }
}

async function mustBeEmpty(db: Kysely<ControlSchema> | ControlTransaction): Promise<void> {
  // Of an earlier version some are missing.
  const tables = new Set((await db.introspection.getTables()).map(({ name }) => name))
  for (const table of TABLES) {
    if (!tables.has(table)) continue
    if ((await db.selectFrom(table).select(sql`1`.as('one')).limit(1).execute()).length === 0) continue
    throw new AppError(
      'conflict',
      `The control store is not empty: there are ${table}. Restore into an empty one: another data folder, or another PostgreSQL database.`,
    )
  }
}

async function insertRows(transaction: ControlTransaction, table: TableName, rows: ControlRow[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const names = sql.join(columns.map((column) => sql.ref(column)))
  for (const some of chunks(rows, Math.max(1, Math.floor(VALUES_A_STATEMENT / columns.length)))) {
    const values = some.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`)
    await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(transaction)
  }
}
