import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { untilAvailable } from '../../testing/control.ts'
import { postgresUnavailable, startPostgres, type TestPostgres } from '../../testing/postgres.ts'
import { newSecret } from '../keys/key-secret.ts'
import { type Control, lookIntoControl, openControl } from '../open.ts'
import { LOCK_NUMBERS } from './database.ts'
import { openPostgres, POSTGRES_LIMITS, type PostgresWaiting, realDeadline } from './postgres.ts'

const unavailable = postgresUnavailable()
/** Waits for locks no longer than a test likes to. */
const HASTY = {
  ...POSTGRES_LIMITS,
  serve: { ...POSTGRES_LIMITS.serve, lockMs: 100 },
  migrate: { ...POSTGRES_LIMITS.migrate, lockMs: 100 },
}

describe('the PostgreSQL control database', () => {
  let server: TestPostgres
  let databaseUrl: string
  let control: Control
  const warnings: string[] = []
  const log = { warn: (_: object, message: string) => warnings.push(message) }
  const open = (address = databaseUrl, waiting: Partial<PostgresWaiting> = {}) =>
    openControl({ databaseUrl: address, dataDir: '', log, waiting })

  beforeAll(async () => {
    if (unavailable === undefined) server = await startPostgres()
  })
  beforeEach(async (test) => {
    if (unavailable !== undefined) test.skip(unavailable)
    databaseUrl = await server.createDatabase()
    control = await open()
  })
  afterEach(() => control?.close())
  afterAll(() => server?.stop())

  /** A connection beside the store's. */
  async function beside<Result>(use: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = new pg.Client(databaseUrl)
    await client.connect()
    try {
      return await use(client)
    } finally {
      await client.end()
    }
  }
  const storeProcesses = () =>
    beside(async (client) => {
      const found = await client.query("select pid from pg_stat_activity where application_name = 'tidemark'")
      return found.rows.map((row) => row.pid as number)
    })

  it('is unavailable while the server is away, never an unknown key, and comes back by itself', async () => {
    const secret = newSecret('read')
    expect(await control.keys.authenticate(secret)).toEqual({ status: 'unknown' })
    await server.halt()
    try {
      // Before it is asked, or the connection would be busy and not idle when the loss is noticed.
      await expect.poll(() => warnings).toContain('lost an idle connection to the control database')
      for (let i = 0; i < 3; i += 1) {
        await expect(control.keys.authenticate(secret)).rejects.toMatchObject({ code: 'unavailable', status: 503 })
      }
      await expect(control.ping()).rejects.toMatchObject({ code: 'unavailable' })
    } finally {
      await server.start()
    }
    expect(await control.keys.authenticate(secret)).toEqual({ status: 'unknown' })
  })

  it('is known to be read-only where the server refuses changes', async () => {
    expect(await control.ping()).toEqual({ isReadOnly: false })
    const standby = `${databaseUrl}&options=${encodeURIComponent('-c default_transaction_read_only=on')}`
    const looking = await lookIntoControl({ databaseUrl: standby, dataDir: '' })
    expect(await looking?.ping()).toEqual({ isReadOnly: true })
    await looking?.close()
  })

  it('gives up on a server process that hangs, and asks another one next time', async () => {
    let isOver = false
    const deadlinesMs: number[] = []
    const startDeadline: PostgresWaiting['startDeadline'] = (ms) => {
      if (isOver) deadlinesMs.push(ms)
      return realDeadline(isOver ? 1 : ms)
    }
    const hurried = await open(databaseUrl, { startDeadline })
    await hurried.ping()
    const hanging = await storeProcesses()
    expect(hanging.length).toBeGreaterThan(0)
    for (const pid of hanging) process.kill(pid, 'SIGSTOP')
    try {
      isOver = true
      await expect(hurried.keys.authenticate(newSecret('read'))).rejects.toMatchObject({ code: 'unavailable' })
      isOver = false
      expect(await hurried.keys.authenticate(newSecret('read'))).toEqual({ status: 'unknown' })
      expect(deadlinesMs).toEqual([2_500])
    } finally {
      for (const pid of hanging) process.kill(pid, 'SIGCONT')
      await hurried.close()
    }
  })

  it('survives that its connection is cut in the middle of transactions', async () => {
    const busy = Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        control.projects.create({ name: `P${i}`, retentionDays: 1 }, { by: 'operator', nowMs: 1 }),
      ),
    )
    await sleep(20)
    for (const pid of await storeProcesses()) {
      await beside((client) => client.query('select pg_terminate_backend($1)', [pid]))
    }
    for (const result of await busy) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'unavailable' })
    }
    // A connection that was cut while idle may not have been noticed yet.
    const stored = await untilAvailable(() => control.projects.list())
    expect(await control.audit.verify()).toMatchObject({ intact: true, entries: stored.length })
  })

  it('survives that a connection is cut between two statements of a transaction', async () => {
    const database = openPostgres(databaseUrl, 'serve', log)
    const cut = database.db.transaction().execute(async (transaction) => {
      const own = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
      await beside((client) => client.query('select pg_terminate_backend($1)', [own.rows[0]?.pid]))
      await sleep(200)
      await transaction.selectFrom('settings').selectAll().execute()
    })
    await expect(cut).rejects.toMatchObject({ code: 'unavailable' })
    expect(await database.db.selectFrom('settings').selectAll().execute()).toEqual([])
    await database.close()
  })

  it('is unavailable when a change waits too long for the audit lock, and says for whom', async () => {
    const hasty = await open(databaseUrl, { limits: HASTY })
    await beside(async (client) => {
      await client.query('begin')
      await client.query(`select pg_advisory_xact_lock(${LOCK_NUMBERS.audit})`)
      await expect(
        hasty.projects.create({ name: 'Blocked', retentionDays: 1 }, { by: 'operator', nowMs: 1 }),
      ).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('another Tidemark node that holds the audit lock'),
      })
    })
    expect(await control.projects.list()).toEqual([])
    await hasty.close()
  })

  it('does not wait for ever for another node that migrates, and says so', async () => {
    await beside(async (client) => {
      await client.query('begin')
      await client.query(`select pg_advisory_xact_lock(${LOCK_NUMBERS.migrations})`)
      await expect(open(databaseUrl, { limits: HASTY })).rejects.toMatchObject({
        code: 'unavailable',
        message:
          'Waited 0.1 s for another Tidemark node that holds the migrations lock of the control database. Try again when it is done.',
      })
    })
    expect([POSTGRES_LIMITS.migrate.lockMs, POSTGRES_LIMITS.serve.lockMs]).toEqual([5_000, 1_500])
  })

  it('answers many more requests at once than it has connections', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => control.keys.authenticate(newSecret('ingest'))))
    expect(answers).toHaveLength(100)
    expect((await storeProcesses()).length).toBeLessThanOrEqual(10)
  })

  it('refuses to open a database that is missing, away or read-only, with the cure and without the password', async () => {
    const missing = databaseUrl.replace(/test_\d+/, 'nowhere').replace('postgres@', 'postgres:hidden@')
    const error = await open(missing).catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('TIDEMARK_DATABASE_URL') })
    expect(String(error)).not.toContain('hidden')

    await expect(open('postgres://postgres@127.0.0.1:1/none')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('cannot be reached'),
    })

    const readOnly = `${databaseUrl}&options=${encodeURIComponent('-c default_transaction_read_only=on')}`
    await expect(open(readOnly)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Point TIDEMARK_DATABASE_URL at the primary.'),
    })
  })
})
