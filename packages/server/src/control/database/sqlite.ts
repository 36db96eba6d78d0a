/**
 * SQLite through libsql. Its calls are synchronous, so waiting inside SQLite for another process's write would stop the
 * whole service: SQLite is set not to wait, and a busy statement is retried from here without blocking.
 * Transactions take the write lock when they begin, because a deferred one could fail halfway with a stale snapshot.
 * A single write is a transaction too: libsql leaves a statement that ended as busy unfinished, and no later transaction of
 * the connection could commit. `begin immediate` is the only statement that can end so, and the next write runs it again.
 * There are two connections, so that looking up a key never waits for a writer; what is committed on one is what the
 * other reads next.
 */
import { accessSync, chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import Libsql from 'libsql'
import { AppError } from '../../errors.ts'
import { CONTROL_FILE } from '../../folder/names.ts'
import { assertStorable, type ControlDatabase, type Purpose } from './database.ts'
import type { ControlSchema } from './schema.ts'
import { isBusy, sqliteError } from './sqlite-errors.ts'
import { openSqliteSnapshot } from './sqlite-snapshot.ts'

/** Includes the time in line after other writers of this process. At the limit the statement fails as `unavailable`. */
const BUSY_WAIT_MS = 5_000
/** Compiling a statement costs more than running it. At the limit all are dropped: the next calls compile again. */
const MAX_CACHED_STATEMENTS = 256

/** `now` is the clock by which waiting for another writer ends. */
export type SqliteWaiting = { now: () => number }

const WAITING: SqliteWaiting = { now: () => performance.now() }

export function openSqlite(
  dataDir: string,
  { purpose = 'serve', ...waiting }: Partial<SqliteWaiting> & { purpose?: Purpose } = {},
): ControlDatabase {
  const openFile = () => (purpose === 'look' ? openExisting(dataDir) : openOrMake(dataDir))
  const driver = new SqliteDriver(openFile, { ...WAITING, ...waiting })
  const db = new Kysely<ControlSchema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  return {
    db,
    columns: { text: sql`text`, integer: sql`integer`, tableOptions: sql`strict` },
    lock: async () => {}, // the transaction holds the only write lock there is
    snapshot: async () => openSqliteSnapshot(openFile()),
    async close() {
      await db.destroy()
      driver.close()
    },
  }
}

export function controlFile(dataDir: string): string {
  return join(dataDir, CONTROL_FILE)
}

function openOrMake(dataDir: string): Libsql.Database {
  return opened(() => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    makePrivate(controlFile(dataDir))
    const file = new Libsql(controlFile(dataDir), { timeout: BUSY_WAIT_MS })
    file.pragma('journal_mode = WAL')
    file.pragma('synchronous = FULL')
    file.pragma('foreign_keys = ON')
    file.pragma('busy_timeout = 0')
    return file
  })
}

function openExisting(dataDir: string): Libsql.Database {
  return opened(() => {
    // SQLite would make it.
    accessSync(controlFile(dataDir))
    const file = new Libsql(controlFile(dataDir), { timeout: BUSY_WAIT_MS })
    file.pragma('query_only = ON')
    file.pragma('busy_timeout = 0')
    return file
  })
}

function opened(open: () => Libsql.Database): Libsql.Database {
  try {
    return open()
  } catch (error) {
    const known = sqliteError(error)
    if (known.code !== 'internal') throw known
    // Opening fails with errors that carry no SQLite code: the file system's, and libsql's own.
    throw new AppError(
      'unavailable',
      'The control database cannot be opened. Check that the data folder exists and can be written.',
      { cause: error },
    )
  }
}

/**
 * Makes the file, because SQLite would make it readable by everyone. SQLite gives its mode to -wal and -shm files that it makes;
 * those that a crash has left have their own.
 */
function makePrivate(path: string): void {
  try {
    // Only if the file does not exist: closing any descriptor of an open database drops this process's locks on it.
    // Another process that closes the same database then believes it is the last and deletes the log we write to.
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600)
}

class SqliteDriver implements Driver {
  readonly #writer: SqliteFile
  readonly #reader: SqliteFile
  readonly #line = new WritersLine()

  constructor(openFile: () => Libsql.Database, waiting: SqliteWaiting) {
    this.#writer = new SqliteFile(openFile(), waiting)
    this.#reader = new SqliteFile(openFile(), waiting)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new SqliteSession(this.#writer, this.#reader, this.#line)
  }

  async beginTransaction(session: DatabaseConnection): Promise<void> {
    await (session as SqliteSession).begin()
  }

  async commitTransaction(): Promise<void> {
    await this.#writer.execute('commit', [])
  }

  async rollbackTransaction(): Promise<void> {
    await this.#writer.rollBack()
  }

  async releaseConnection(session: DatabaseConnection): Promise<void> {
    ;(session as SqliteSession).end()
  }

  /** Kysely calls this only if there was a query, and the files are open without one. */
  async destroy(): Promise<void> {}

  close(): void {
    this.#reader.close()
    this.#writer.close()
  }
}

/** Reads outside a transaction go to the reading connection at once; everything else waits in line for the writing one. */
class SqliteSession implements DatabaseConnection {
  readonly #writer: SqliteFile
  readonly #reader: SqliteFile
  readonly #line: WritersLine
  #leaveLine: (() => void) | undefined

  constructor(writer: SqliteFile, reader: SqliteFile, line: WritersLine) {
    this.#writer = writer
    this.#reader = reader
    this.#line = line
  }

  async begin(): Promise<void> {
    // Counted from here: each of many writers would otherwise wait as long as all before it, one after another.
    const giveUpAt = this.#writer.deadline()
    this.#leaveLine = await this.#line.enter()
    await this.#writer.execute('begin immediate', [], giveUpAt)
  }

  end(): void {
    this.#leaveLine?.()
    this.#leaveLine = undefined
  }

  async executeQuery<Row>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#leaveLine) return this.#writer.execute(sql, parameters)
    if (SelectQueryNode.is(query)) return this.#reader.execute(sql, parameters)
    try {
      await this.begin()
      const result = await this.#writer.execute<Row>(sql, parameters)
      await this.#writer.execute('commit', [])
      return result
    } catch (error) {
      await this.#writer.rollBack()
      throw error
    } finally {
      this.end()
    }
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new AppError('internal', 'The control database is read in pages, never as a stream.')
  }
}

/** First come, first served. */
class WritersLine {
  #last: Promise<void> = Promise.resolve()

  async enter(): Promise<() => void> {
    const before = this.#last
    const { promise, resolve } = withResolvers()
    this.#last = promise
    await before
    return resolve
  }
}

type Prepared = { statement: Libsql.Statement; reader: boolean }

class SqliteFile {
  readonly #file: Libsql.Database
  readonly #now: () => number
  readonly #statements = new Map<string, Prepared>()

  constructor(file: Libsql.Database, { now }: SqliteWaiting) {
    this.#file = file
    this.#now = now
  }

  deadline(): number {
    return this.#now() + BUSY_WAIT_MS
  }

  /** SQLite rolls back by itself after some failures, for instance a full disk. */
  async rollBack(): Promise<void> {
    if (this.#file.inTransaction) await this.execute('rollback', [])
  }

  async execute<Row>(
    sql: string,
    parameters: readonly unknown[],
    giveUpAt = this.deadline(),
  ): Promise<QueryResult<Row>> {
    assertStorable(parameters)
    for (;;) {
      try {
        return this.#run<Row>(sql, parameters)
      } catch (error) {
        // Nothing happened when SQLite says busy, so trying again is safe.
        if (!isBusy(error) || this.#now() > giveUpAt) throw sqliteError(error)
        await sleep(1 + Math.random() * 9)
      }
    }
  }

  close(): void {
    if (!this.#file.open) return
    this.#statements.clear()
    // libsql only closes once its statements have been collected, so the log is folded into the file here: after a
    // clean end control.db is complete by itself. If that fails, nothing is lost: the next to open the file does it.
    try {
      this.#file.pragma('wal_checkpoint(TRUNCATE)')
    } catch {}
    this.#file.close()
  }

  #run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    const { statement, reader } = this.#prepare(sql)
    if (reader) return { rows: statement.all(parameters) as Row[] }
    const { changes } = statement.run(parameters)
    return { rows: [], numAffectedRows: BigInt(changes) }
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known) return known
    if (this.#statements.size >= MAX_CACHED_STATEMENTS) this.#statements.clear()
    const statement = this.#file.prepare(sql)
    const prepared = { statement, reader: statement.reader }
    this.#statements.set(sql, prepared)
    return prepared
  }
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
