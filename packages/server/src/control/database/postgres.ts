/**
 * PostgreSQL through pg. The server's own time limits do not help when the server or the network hangs, so every
 * statement also has a deadline on this side. A connection that broke or missed its deadline is thrown away, and the
 * pool makes a new one: that is how we recover after the server restarts.
 */
import { Kysely, PostgresDialect, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import { AppError } from '../../errors.ts'
import { assertStorable, type ControlDatabase, type ControlLog, LOCK_NUMBERS, type Purpose } from './database.ts'
import { isConnectionLost, isLockTimeout, postgresError } from './postgres-errors.ts'
import { openPostgresSnapshot } from './postgres-snapshot.ts'
import type { ControlSchema } from './schema.ts'

const CONNECT_TIMEOUT_MS = 2_000
/** How much later than the server we give up. */
const DEADLINE_SLACK_MS = 500
/** A node that hangs in the middle of a transaction must not hold its locks against the others. */
const IDLE_IN_TRANSACTION_MS = 10_000
export const POSTGRES_LIMITS: Record<Purpose, { connections: number; statementMs: number; lockMs: number }> = {
  serve: { connections: 10, statementMs: 2_000, lockMs: 1_500 },
  migrate: { connections: 1, statementMs: 60_000, lockMs: 5_000 },
  look: { connections: 1, statementMs: 5_000, lockMs: 1_500 },
}
const INT8_OID = 20

type Deadline = { passed: Promise<never>; clear: () => void }
/** How long we wait for the server and for other nodes, and by which clock. */
export type PostgresWaiting = { limits: typeof POSTGRES_LIMITS; startDeadline: (ms: number) => Deadline }

export function openPostgres(
  databaseUrl: string,
  purpose: Purpose,
  log: ControlLog,
  waiting: Partial<PostgresWaiting> = {},
): ControlDatabase {
  const { limits, startDeadline } = { limits: POSTGRES_LIMITS, startDeadline: realDeadline, ...waiting }
  const { connections, statementMs, lockMs } = limits[purpose]
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'tidemark',
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    types: { getTypeParser },
  })
  // An idle connection that breaks is an event, and an event nobody listens to would end the process.
  pool.on('error', (error) => log.warn({ err: error }, 'lost an idle connection to the control database'))
  const db = new Kysely<ControlSchema>({
    dialect: new PostgresDialect({
      pool: {
        connect: () => checkOut(pool, () => startDeadline(statementMs + DEADLINE_SLACK_MS)),
        end: () => pool.end(),
      },
    }),
  })
  return {
    db,
    columns: { text: sql`text collate "C"`, integer: sql`bigint`, tableOptions: sql`` },
    async lock(transaction, name) {
      try {
        await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_NUMBERS[name])})`.execute(transaction)
      } catch (error) {
        if (!isLockTimeout(error)) throw error
        throw new AppError(
          'unavailable',
          `Waited ${lockMs / 1000} s for another Tidemark node that holds the ${name} lock of the control database. Try again when it is done.`,
          { cause: error },
        )
      }
    },
    snapshot: () => openPostgresSnapshot(databaseUrl, getTypeParser),
    close: () => db.destroy(),
  }
}

/** pg returns 64-bit integers as text. All of ours are times and counts, far below 2^53. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format as 'text')

async function checkOut(pool: pg.Pool, startDeadline: () => Deadline): Promise<PostgresPoolClient> {
  const client = await pool.connect().catch((error: unknown) => {
    throw postgresError(error)
  })
  let isBroken = false
  const markBroken = () => {
    isBroken = true
  }
  // While it is checked out, the pool does not listen for the client's errors.
  client.on('error', markBroken)

  async function query(text: string, parameters: readonly unknown[]) {
    assertStorable(parameters)
    if (isBroken) throw postgresError(new Error('the connection broke earlier in this transaction'))
    const deadline = startDeadline()
    try {
      return await Promise.race([client.query(text, [...parameters]), deadline.passed])
    } catch (error) {
      if (isConnectionLost(error)) markBroken()
      throw postgresError(error)
    } finally {
      deadline.clear()
    }
  }
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release() {
      client.off('error', markBroken)
      client.release(isBroken)
    },
  }
}

export function realDeadline(ms: number): Deadline {
  let timer: NodeJS.Timeout | undefined
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  return { passed, clear: () => clearTimeout(timer) }
}
