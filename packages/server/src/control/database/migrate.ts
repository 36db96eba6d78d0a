/**
 * Brings the tables to this build's version. Everything happens in one transaction under one lock, so any number
 * of nodes may start at once and a node that dies halfway leaves nothing behind.
 */
import type { Kysely } from 'kysely'
import { AppError } from '../../errors.ts'
import {
  type ColumnTypes,
  type ControlDatabase,
  type ControlTransaction,
  type MigrationStep,
  withLock,
} from './database.ts'
import { createTables } from './migrations/0001-create-tables.ts'
import { createAccounts } from './migrations/0002-create-accounts.ts'
import { createRepositories } from './migrations/0003-create-repositories.ts'
import { createAnalyses } from './migrations/0004-create-analyses.ts'
import { addBatchDigests } from './migrations/0005-add-batch-digests.ts'
import { searchStacks } from './migrations/0006-search-stacks.ts'
import { createOAuth } from './migrations/0007-create-oauth.ts'
import { createCalls } from './migrations/0008-create-calls.ts'
import { createNotes } from './migrations/0009-create-notes.ts'
import { createAlerts } from './migrations/0010-create-alerts.ts'
import { addRetentionRules } from './migrations/0011-add-retention-rules.ts'
import { createViewsTable } from './migrations/0012-create-views.ts'
import { createSourceMapTables } from './migrations/0013-create-source-maps.ts'
import { addSampleReleases } from './migrations/0014-add-sample-releases.ts'
import { createUsageDays } from './migrations/0015-create-usage-days.ts'
import { createIngestCounts } from './migrations/0016-create-ingest-counts.ts'
import { createIgnoredAnalyses } from './migrations/0017-create-ignored-analyses.ts'
import { addRepositoryFailures } from './migrations/0018-add-repository-failures.ts'
import type { ControlSchema } from './schema.ts'

type Migration = { name: string; up: MigrationStep }
export type AppliedMigration = { version: number; name: string }

export const VERSION_TABLE = 'tidemark_migrations'

/** A migration's version is its place in this list, counted from one. Append only; never edit one that was released. */
export const MIGRATIONS: readonly Migration[] = [
  { name: 'create tables', up: createTables },
  { name: 'create accounts', up: createAccounts },
  { name: 'create repositories', up: createRepositories },
  { name: 'create analyses', up: createAnalyses },
  { name: 'add batch digests', up: addBatchDigests },
  { name: 'search stacks', up: searchStacks },
  { name: 'create OAuth', up: createOAuth },
  { name: 'create calls', up: createCalls },
  { name: 'create notes', up: createNotes },
  { name: 'create alerts', up: createAlerts },
  { name: 'add retention rules', up: addRetentionRules },
  { name: 'create views', up: createViewsTable },
  { name: 'create source maps', up: createSourceMapTables },
  { name: 'add sample releases', up: addSampleReleases },
  { name: 'create usage days', up: createUsageDays },
  { name: 'create ingest counts', up: createIngestCounts },
  { name: 'create ignored analyses', up: createIgnoredAnalyses },
  { name: 'add repository failures', up: addRepositoryFailures },
]

/** Of the tables of this build. */
export const CONTROL_VERSION = MIGRATIONS.length

export async function migrate(database: ControlDatabase, nowMs: number, migrations = MIGRATIONS): Promise<void> {
  await withLock(database, 'migrations', async (transaction) => {
    await createVersionTable(transaction, database.columns)
    const current = knownVersion(await readApplied(transaction), migrations)
    for (const [index, migration] of migrations.entries()) {
      const version = index + 1
      if (version <= current) continue
      await migration.up(transaction, database.columns)
      await transaction.insertInto(VERSION_TABLE).values({ version, name: migration.name, applied_at: nowMs }).execute()
    }
  })
}

/** The version of tables that these migrations have made; zero without any. Refused when this build does not know it. */
export function knownVersion(applied: readonly AppliedMigration[], migrations = MIGRATIONS): number {
  const newest = newestVersion(applied)
  if (newest > migrations.length) {
    throw new AppError(
      'conflict',
      `The control database has version ${newest}, and this build of Tidemark knows versions up to ${migrations.length}. Start a newer build, or restore the backup made before the upgrade.`,
    )
  }
  // Two builds that were never released may mean different things by one version.
  const other = applied.find(({ version, name }) => migrations[version - 1]?.name !== name)
  if (other === undefined) return newest
  throw new AppError(
    'conflict',
    `Version ${other.version} of the control database is "${other.name}", which this build of Tidemark does not know. Start the build that made it, or restore a backup.`,
  )
}

async function createVersionTable(transaction: ControlTransaction, columns: ColumnTypes): Promise<void> {
  await transaction.schema
    .createTable(VERSION_TABLE)
    .ifNotExists()
    .addColumn('version', columns.integer, (c) => c.primaryKey().notNull())
    .addColumn('name', columns.text, (c) => c.notNull())
    .addColumn('applied_at', columns.integer, (c) => c.notNull())
    .modifyEnd(columns.tableOptions)
    .execute()
}

/** Only reads: none in a database without our tables. */
export async function appliedMigrations({ db }: ControlDatabase): Promise<AppliedMigration[]> {
  const tables = await db.introspection.getTables()
  return tables.some(({ name }) => name === VERSION_TABLE) ? await readApplied(db) : []
}

export function newestVersion(applied: readonly AppliedMigration[]): number {
  return Math.max(0, ...applied.map(({ version }) => version))
}

function readApplied(db: Kysely<ControlSchema>): Promise<AppliedMigration[]> {
  return db.selectFrom(VERSION_TABLE).select(['version', 'name']).execute()
}
