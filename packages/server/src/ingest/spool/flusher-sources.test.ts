/** Errors get the fingerprints of their source positions on the way, and no trouble with that keeps them from the store. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fingerprintId } from '../../analysis/group/fingerprint.ts'
import { type Control, openControl } from '../../control/open.ts'
import { AppError } from '../../errors.ts'
import type { LogStore, Segment } from '../../logstore/log-store.ts'
import { errorsIn } from '../../logstore/schema/read-errors.ts'
import { RowWriter } from '../../logstore/schema/row-writer.ts'
import { encodeRecord } from '../../logstore/schema/segment-rows.ts'
import { sampleRecord } from '../../logstore/testing/segment.ts'
import type { SourceStacks } from '../../model/source-stacks.ts'
import { framesOf } from '../testing/scan-segment.ts'
import { Flusher } from './flusher.ts'
import { Spool } from './spool.ts'

const log = pino({ level: 'silent' })
const DAY = 20_000
const SOURCE_STACK = 'Error: boom\n    at price (src/cart.ts:3:1)'
const PATIENCE = { timeout: 20_000 }

let dataDir: string
let folder: string
let control: Control
/** Messages of the errors that were loaded, each with its fingerprint. */
let loaded: [message: string, fingerprint: string][]
/** Days of the segments that the store has already. */
let storedDays: number[]
/** Runs before a load, which fails when it throws. */
let beforeLoad: (segment: Segment) => void
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'flusher-sources-'))
  folder = join(dataDir, 'spool')
  control = await openControl({ databaseUrl: undefined, dataDir })
  loaded = []
  storedDays = []
  beforeLoad = () => {}
})
afterEach(async () => {
  await control.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const logStore = {
  async load(segment: Segment) {
    beforeLoad(segment)
    expect((await framesOf(segment.path)).at(-1)?.end).toBe(segment.bytes)
    const bytes = await readFile(segment.path)
    for (const error of errorsIn(bytes, () => true))
      if (error) loaded.push([error.read().message, bytes.readBigUInt64LE(error.fingerprintAt).toString(16)])
  },
  loadedDays: async (ids: readonly string[]) => new Map(ids.map((id) => [id, new Set(storedDays)])),
  isLoadedAgain: () => false,
} as unknown as LogStore

const errorOf = (message: string) =>
  sampleRecord({
    level: 'error',
    release: '1.0',
    message,
    error: { type: 'Error', message: 'boom', stack: 'Error: boom\n    at e (https://a.example/main.js:1:100)' },
  })

const hex = (one: Parameters<typeof fingerprintId>[0]) => {
  const { hi, lo } = fingerprintId(one)!
  return ((BigInt(hi >>> 0) << 32n) | BigInt(lo >>> 0)).toString(16)
}
const asSent = (message: string) => [message, hex(errorOf(message))]
const bySource = (message: string) => [message, hex({ ...errorOf(message), sourceStack: SOURCE_STACK })]

async function start(among: SourceStacks['among'] = async () => reader) {
  const spool = await Spool.open({ folder, space: { check: async () => {} }, maxSegmentBytes: () => 1e6, log })
  let asked = 0
  const sources: SourceStacks = {
    among(ids) {
      asked++
      return among(ids)
    },
  }
  // Pauses between attempts pass at once.
  const after = (_: number, run: () => void) => {
    const timer = setTimeout(run, 1)
    return () => clearTimeout(timer)
  }
  const flusher = new Flusher({ folder, spool, logStore, control, sources, log, after, leaveAfterMs: 100 })
  await flusher.start()
  const append = (batchId: string, message: string) => {
    const record = errorOf(message)
    const writer = new RowWriter()
    const row = { projectId: 'prj_a', record, pattern: { hi: 0, lo: 0 }, fingerprint: fingerprintId(record) }
    encodeRecord(writer, { ...row, sequence: { hi: 0, lo: 1 }, receivedMs: 1, expiresDay: DAY + 30 })
    const size = { records: 1, rawBytes: 10, errors: 1 }
    const meta = { projectId: 'prj_a', batchId, receivedMs: 1, days: [[DAY, 1]] as [number, number][], redactions: {} }
    return spool.append({ ...meta, ...size }, writer.copy())
  }
  const stop = async (deadlineMs = 20_000) => {
    await spool.close()
    await flusher.stop(deadlineMs)
  }
  return { append, stop, asked: () => asked }
}

const reader = { coversProject: () => true, covers: () => true, sourceStack: async () => SOURCE_STACK }

describe('errors of releases with source maps', () => {
  it('get their fingerprints where they are once repeated batches were dropped', async () => {
    const { append, stop } = await start()
    // At once, hence into one segment.
    await Promise.all([append('a', 'first'), append('a', 'a longer one, again'), append('b', 'second')])
    await stop()
    expect(loaded).toEqual([bySource('first'), bySource('second')])
    expect(readdirSync(folder)).toEqual([])
  })

  it('are mapped once however often the load fails', async () => {
    let failures = 0
    beforeLoad = () => {
      if (++failures <= 3) throw new AppError('engine_restarting', 'away')
    }
    const { append, stop, asked } = await start()
    await append('a', 'first')
    await stop()
    expect(loaded).toEqual([bySource('first')])
    expect(asked()).toBe(1)
  })

  it.each([
    ['a store that stays away', new AppError('unavailable', 'away'), 3],
    ['a failure that no attempt mends', new AppError('internal', 'broken'), 1],
  ])('are loaded as sent after %s', async (_, error, attempts) => {
    const { append, stop, asked } = await start(() => Promise.reject(error))
    await append('a', 'first')
    await stop()
    expect(loaded).toEqual([asSent('first')])
    expect(asked()).toBe(attempts)
  })

  it('are loaded as sent where the segment cannot be replaced', async () => {
    const { append, stop } = await start(async () => {
      // A folder of that name keeps the copy from being written.
      for (const name of readdirSync(folder)) if (name.endsWith('.seg')) mkdirSync(join(folder, `${name}.kept`))
      return reader
    })
    await append('a', 'first')
    await stop()
    expect(loaded).toEqual([asSent('first')])
    // Nor does what is in the way keep the next start from loading.
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.seg\.kept$/)])
    const next = await start()
    await next.append('b', 'second')
    await next.stop()
    expect(loaded).toEqual([asSent('first'), bySource('second')])
  })

  it('are not mapped when the store has all their days, and unfinished copies are removed at the start', async () => {
    beforeLoad = () => {
      throw new AppError('engine_restarting', 'away')
    }
    const first = await start(async () => null)
    await first.append('a', 'first')
    await first.stop(50)
    const [name] = readdirSync(folder)
    writeFileSync(join(folder, `${name}.kept`), 'half a copy')
    storedDays = [DAY]
    const second = await start()
    expect(readdirSync(folder)).not.toContain(`${name}.kept`)
    await expect.poll(() => readdirSync(folder), PATIENCE).toEqual([])
    await second.stop()
    expect(loaded).toEqual([])
    expect(second.asked()).toBe(0)
  })
})
