import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ControlDatabase } from '../control/database/database.ts'
import { openPostgres } from '../control/database/postgres.ts'
import { openSqlite } from '../control/database/sqlite.ts'
import { type Control, type ControlOptions, openControl } from '../control/open.ts'
import { AppError } from '../errors.ts'
import { postgresUnavailable, sharedPostgres } from './postgres.ts'

export type ControlBackend = {
  name: 'SQLite' | 'PostgreSQL'
  /** Why this backend is not available here: skip its tests with these words. */
  unavailable: string | undefined
  /** Where the test file's database is. Empty until the first `open`. */
  options(): Promise<ControlOptions>
  /** One more node on that database. */
  open(): Promise<Control>
  /** The bare database, to do what the store never would. */
  openBare(): Promise<ControlDatabase>
  /** Closes all that was opened and forgets the database. */
  close(): Promise<void>
}

export function controlBackends(): ControlBackend[] {
  return [sqliteBackend(), postgresBackend()]
}

function sqliteBackend(): ControlBackend {
  let dataDir: string | undefined
  const options = async () => {
    dataDir ??= mkdtempSync(join(tmpdir(), 'tidemark-control-'))
    return { databaseUrl: undefined, dataDir }
  }
  return backend(
    'SQLite',
    undefined,
    options,
    ({ dataDir }) => openSqlite(dataDir),
    async () => {
      if (dataDir) rmSync(dataDir, { recursive: true, force: true })
      dataDir = undefined
    },
  )
}

function postgresBackend(): ControlBackend {
  let databaseUrl: Promise<string> | undefined
  // The promise is kept, not its result: two nodes that open at once must share one database.
  const options = async () => {
    databaseUrl ??= sharedPostgres().then((server) => server.createDatabase())
    return { databaseUrl: await databaseUrl, dataDir: '' }
  }
  const bare = ({ databaseUrl }: ControlOptions) => openPostgres(databaseUrl ?? '', 'migrate', { warn: () => {} })
  return backend('PostgreSQL', postgresUnavailable(), options, bare, async () => {
    databaseUrl = undefined
  })
}

function backend(
  name: ControlBackend['name'],
  unavailable: string | undefined,
  options: () => Promise<ControlOptions>,
  bare: (options: ControlOptions) => ControlDatabase,
  remove: () => Promise<void>,
): ControlBackend {
  const opened: { close(): Promise<void> }[] = []
  const keep = <Opened extends { close(): Promise<void> }>(one: Opened): Opened => {
    opened.push(one)
    return one
  }
  return {
    name,
    unavailable,
    options,
    open: async () => keep(await openControl(await options())),
    openBare: async () => keep(bare(await options())),
    async close() {
      await Promise.allSettled(opened.splice(0).map((one) => one.close()))
      await remove()
    },
  }
}

/** A call that waits too long for the others fails and is tried again, as every caller does. */
export async function untilAvailable<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unavailable') throw error
    }
  }
}
