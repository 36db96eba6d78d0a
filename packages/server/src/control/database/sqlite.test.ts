import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { deferred } from '../../testing/deferred.ts'
import { newSecret } from '../keys/key-secret.ts'
import { openControl } from '../open.ts'
import { createSettings } from '../settings.ts'
import { openSqlite } from './sqlite.ts'

const KILLS = 5
const WRITER = fileURLToPath(new URL('../../testing/control-writer.mjs', import.meta.url))
const change = { by: 'operator', nowMs: 1 }
const settings = { databaseUrl: undefined, dataDir: '' }

describe('the SQLite control database', () => {
  beforeEach(() => {
    settings.dataDir = mkdtempSync(join(tmpdir(), 'tidemark-sqlite-'))
  })
  afterEach(() => rmSync(settings.dataDir, { recursive: true, force: true }))
  const file = (name: string) => join(settings.dataDir, name)

  it('can be read by its owner only, its write-ahead log included', async () => {
    writeFileSync(file('control.db'), '', { mode: 0o644 })
    const control = await openControl(settings)
    await control.projects.create({ name: 'x', retentionDays: 1 }, change)
    for (const name of ['control.db', 'control.db-wal', 'control.db-shm']) {
      expect([name, statSync(file(name)).mode & 0o777]).toEqual([name, 0o600])
    }
    for (const name of ['control.db-wal', 'control.db-shm']) chmodSync(file(name), 0o644)
    const second = await openControl(settings)
    for (const name of ['control.db-wal', 'control.db-shm']) expect(statSync(file(name)).mode & 0o777).toBe(0o600)
    await second.close()
    await control.close()
  })

  it('makes its folder when it is missing', async () => {
    const control = await openControl({ ...settings, dataDir: file('deep/er') })
    await control.close()
    expect(existsSync(file('deep/er/control.db'))).toBe(true)
  })

  it('is neither made nor changed by a look', async () => {
    expect(() => openSqlite(file('none'), { purpose: 'look' })).toThrow('The control database cannot be opened.')
    expect(existsSync(file('none'))).toBe(false)
    await (await openControl(settings)).close()
    const looking = openSqlite(settings.dataDir, { purpose: 'look' })
    const setting = { name: 'a', value: 'b', updated_at: 1 }
    await expect(looking.db.insertInto('settings').values(setting).execute()).rejects.toThrow()
    expect(await looking.db.selectFrom('settings').selectAll().execute()).toEqual([])
    await looking.close()
  })

  it('is one whole file after an orderly end, and may be closed twice', async () => {
    const control = await openControl(settings)
    await control.projects.create({ name: 'Whole', retentionDays: 1 }, change)
    await control.close()
    await control.close()
    mkdirSync(file('copy'))
    copyFileSync(file('control.db'), file('copy/control.db'))
    const copy = await openControl({ ...settings, dataDir: file('copy') })
    expect((await copy.projects.list()).map(({ name }) => name)).toEqual(['Whole'])
    await copy.close()
  })

  it('syncs every commit to the disk and checks references', async () => {
    const database = openSqlite(settings.dataDir)
    const pragma = async (name: string) =>
      Object.values((await sql`pragma ${sql.raw(name)}`.execute(database.db)).rows[0] as object)[0]
    expect([await pragma('journal_mode'), await pragma('synchronous'), await pragma('foreign_keys')]).toEqual([
      'wal',
      2,
      1,
    ])
    await database.close()
  })

  it('refuses a file that is no database, in words', async () => {
    writeFileSync(file('control.db'), 'x'.repeat(8_192))
    await expect(openControl(settings)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Restore control.db from a backup.'),
    })
  })

  it('refuses a folder that cannot be made, in words', async () => {
    writeFileSync(file('occupied'), '')
    await expect(openControl({ ...settings, dataDir: file('occupied') })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Check that the data folder exists and can be written.'),
    })
  })

  it('waits for another writer without stopping the process, and reads meanwhile', async () => {
    const clock = watchedClock()
    const control = await openControl({ ...settings, waiting: clock })
    const writer = await openWriter()
    const finished: string[] = []
    const waiting = [
      control.settings.compareAndSet('a', null, 'b', 1).then(() => finished.push('statement')),
      control.projects.create({ name: 'x', retentionDays: 1 }, change).then(() => finished.push('transaction')),
    ]
    await clock.isLookedAt()
    expect(await control.settings.get('a')).toBeNull()
    expect(await control.keys.authenticate(newSecret('read'))).toEqual({ status: 'unknown' })
    expect(finished).toEqual([])
    await Promise.all([writer.finish(), ...waiting])
    expect(finished).toEqual(['statement', 'transaction'])
    expect(await control.settings.get('a')).toBe('b')
    await control.close()
  })

  it('gives up on a writer that never ends, changes nothing, and works again afterwards', async () => {
    const clock = watchedClock()
    const control = await openControl({ ...settings, waiting: clock })
    const writer = await openWriter()
    const blocked = control.projects.create({ name: 'x', retentionDays: 1 }, change)
    blocked.catch(() => {})
    await clock.isLookedAt()
    clock.nowMs = 4_999
    await clock.isLookedAt()
    clock.nowMs = 5_001
    await expect(blocked).rejects.toMatchObject({ code: 'unavailable', status: 503 })
    await writer.finish()
    expect(await control.projects.list()).toEqual([])
    await control.projects.create({ name: 'x', retentionDays: 1 }, change)
    await control.close()
  })

  it('writes again as soon as another process has released the lock, whatever gave up before', async () => {
    const clock = watchedClock()
    const control = await openControl({ ...settings, waiting: clock })
    const holder = await holdInAnotherProcess(file('control.db'))
    const blocked = [
      control.settings.compareAndSet('a', null, 'blocked', 1),
      control.settings.compareAndSet('b', null, 'blocked', 1),
      control.projects.create({ name: 'blocked', retentionDays: 1 }, change),
      control.settings.compareAndSet('c', null, 'blocked', 1),
    ]
    const outcomes = Promise.allSettled(blocked)
    await clock.isLookedAt()
    // One deadline for all that wait, however many there are.
    clock.nowMs = 5_001
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable', status: 503 } })
    await holder.release()

    // Not a statement that gave up: running one of those again would finish it.
    await control.projects.create({ name: 'free', retentionDays: 1 }, change)
    expect(await control.settings.compareAndSet('a', null, 'free', 1)).toBe(true)
    const other = await openControl(settings)
    expect(await other.settings.compareAndSet('b', null, 'free', 1)).toBe(true)
    expect(await other.settings.get('c')).toBeNull()
    expect((await other.projects.list()).map(({ name }) => name)).toEqual(['free'])
    await other.close()
    await control.close()
  })

  it('says the disk is full, keeps what it had, and works again when there is room', async () => {
    const control = await openControl(settings)
    await control.close()
    const database = openSqlite(settings.dataDir)
    const { compareAndSet, get } = createSettings(database)
    const limit = (pages: number) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(database.db)
    await compareAndSet('before', null, 'kept', 1)
    await limit(1)
    const big = 'x'.repeat(1_000_000)
    await expect(compareAndSet('big', null, big, 1)).rejects.toMatchObject({ code: 'storage_full', status: 503 })
    await expect(
      database.db
        .transaction()
        .execute((transaction) =>
          transaction.insertInto('settings').values({ name: 'big', value: big, updated_at: 1 }).execute(),
        ),
    ).rejects.toMatchObject({ code: 'storage_full' })
    expect(await get('before')).toBe('kept')
    await limit(1_000_000)
    expect(await compareAndSet('big', null, big, 1)).toBe(true)
    await database.close()
  })

  it('loses nothing that was acknowledged when its writer is killed', { timeout: 120_000 }, async () => {
    let control = await openControl(settings)
    const { id } = await control.projects.create({ name: 'Survivor', retentionDays: 1 }, change)
    await control.close()
    const acknowledged: string[] = []
    // All at once, because starting takes longer than what they do; each waits for its turn.
    const writers = Array.from({ length: KILLS }, (_, round) =>
      spawn(process.execPath, [WRITER, settings.dataDir, id, String(round)], { stdio: ['pipe', 'pipe', 'inherit'] }),
    )
    onTestFinished(() => {
      for (const writer of writers) writer.kill('SIGKILL')
    })
    for (const [round, writer] of writers.entries()) {
      const before = acknowledged.length
      createInterface(writer.stdout).on('line', (line) => {
        acknowledged.push(line)
        // Each time later, and in the middle of what it does next.
        if (acknowledged.length - before > 5 * round) writer.kill('SIGKILL')
      })
      writer.stdin.write('go')
      await once(writer, 'close')

      control = await openControl(settings)
      const stored = new Set((await control.deploys.list(id, { limit: 1_000_000 })).map(({ sha }) => sha))
      expect(acknowledged.filter((externalId) => !stored.has(externalId))).toEqual([])
      expect((await control.audit.verify()).intact).toBe(true)
      await control.close()
    }
    const database = openSqlite(settings.dataDir)
    expect((await sql`pragma integrity_check`.execute(database.db)).rows).toEqual([{ integrity_check: 'ok' }])
    await database.close()
    expect(acknowledged.length).toBeGreaterThan(KILLS)
  })
})

/** Another writer, in the middle of a transaction until it is told to finish. */
async function openWriter(): Promise<{ finish(): Promise<void> }> {
  const database = openSqlite(settings.dataDir)
  const [begun, held] = [deferred(), deferred()]
  const holding = database.db.transaction().execute(() => {
    begun.resolve()
    return held.promise
  })
  await begun.promise
  return {
    async finish() {
      held.resolve()
      await holding
      await database.close()
    },
  }
}

/** Holds the write lock of a database from another process, as a shell with an open transaction does. */
async function holdInAnotherProcess(path: string): Promise<{ release(): Promise<void> }> {
  const program = `
    const file = new (require('libsql'))(process.argv[1])
    file.exec('begin exclusive')
    process.stdout.write('holds')
    process.stdin.once('data', () => { file.exec('rollback'); process.exit() })`
  const holder = spawn(process.execPath, ['-e', program, path], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  return {
    async release() {
      holder.stdin.write('release')
      await once(holder, 'close')
    },
  }
}

/** Stands where the test puts it, and knows how often it was looked at: whoever waits looks at every attempt. */
function watchedClock() {
  let looks = 0
  const clock = {
    nowMs: 0,
    now() {
      looks += 1
      return clock.nowMs
    },
    async isLookedAt() {
      const before = looks
      await expect.poll(() => looks, { interval: 5 }).toBeGreaterThan(before + 2)
    },
  }
  return clock
}
