import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fingerprintId } from '../../analysis/group/fingerprint.ts'
import { AppError } from '../../errors.ts'
import type { RecordRow } from '../../logstore/schema/columns.ts'
import { errorsIn } from '../../logstore/schema/read-errors.ts'
import { RowWriter } from '../../logstore/schema/row-writer.ts'
import { encodeRecord } from '../../logstore/schema/segment-rows.ts'
import type { LogRecord } from '../../model/log-record.ts'
import type { SourceStacks } from '../../model/source-stacks.ts'
import { framesOf } from '../testing/scan-segment.ts'
import { encodeFrame, readFrame } from './frame.ts'
import { replaceSegment } from './segment-file.ts'
import { writeSourceFingerprints } from './source-fingerprints.ts'

const log = pino({ level: 'silent' })
const STACK = 'Error: boom\n    at e (https://a.example/main.js:1:100)'
const SOURCE_STACK = 'Error: boom\n    at price (src/cart.ts:3:1)'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'source-fingerprints-'))
  path = join(folder, 'seg_1.seg')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function record(some: Partial<LogRecord> = {}): LogRecord {
  return {
    timeUs: 1_700_000_000_000_000,
    level: 'error',
    environment: 'production',
    environmentDefaulted: false,
    service: 'shöp',
    host: '',
    logger: 'app',
    release: '1.0',
    traceId: '',
    spanId: '',
    message: 'it failed',
    truncated: false,
    error: { type: 'Error', message: 'boom', stack: STACK },
    attributes: new Map([
      ['user.id', 'ü'.repeat(200)],
      ['n', 'x'],
    ]),
    ...some,
  } as LogRecord
}

function frame(projectId: string, records: LogRecord[], number = 0) {
  const writer = new RowWriter()
  for (const [at, one] of records.entries()) {
    const row: RecordRow = {
      projectId,
      record: one,
      pattern: { hi: 1, lo: 2 },
      fingerprint: fingerprintId(one),
      sequence: { hi: 0, lo: at },
      receivedMs: 1_700_000_000_000,
      expiresDay: 20_000,
    }
    encodeRecord(writer, row)
  }
  const errors = records.filter(({ level }) => level === 'error').length
  const meta = { number, projectId, batchId: `b${number}`, records: records.length, rawBytes: 9, receivedMs: 1 }
  return encodeFrame({ ...meta, days: [[20_000, records.length]], redactions: { jwt: 1 }, errors }, writer.copy())
}

async function write(...frames: ReturnType<typeof frame>[]) {
  writeFileSync(path, Buffer.concat(frames.flat()))
  return { path, frames: await framesOf(path) }
}

/** Knows the maps of one project and release; asks are counted. */
function sourcesOf(projectId: string, release: string, read: () => Promise<string | null> = async () => SOURCE_STACK) {
  const asked: string[] = []
  const sources: SourceStacks = {
    among: async (ids) => {
      if (!ids.includes(projectId)) return null
      const covers = (id: string, of: string) => id === projectId && of === release
      return {
        covers,
        coversProject: (id) => id === projectId,
        sourceStack: async (id, { message }) => {
          asked.push(message)
          return covers(id, release) ? read() : null
        },
      }
    },
  }
  return { sources, asked }
}

async function fingerprints(): Promise<string[]> {
  const frames = await framesOf(path)
  const content = await readFile(path)
  return frames.flatMap(({ start, end }) => {
    const bytes = content.subarray(start, end)
    return [...errorsIn(bytes, () => true)].flatMap((error) =>
      error === null ? [] : [bytes.readBigUInt64LE(error.fingerprintAt).toString(16)],
    )
  })
}

const hex = (one: Parameters<typeof fingerprintId>[0]) => {
  const { hi, lo } = fingerprintId(one)!
  return ((BigInt(hi >>> 0) << 32n) | BigInt(lo >>> 0)).toString(16)
}

describe('fingerprints by source positions', () => {
  it('replace those of errors that a map applies to, and of nothing else', async () => {
    const other = record({ release: '2.0' })
    const segment = await write(
      frame('a', [record({ level: 'info', error: null }), record(), other, record({ message: 'again' })], 0),
      frame('b', [record()], 1),
    )
    const before = await readFile(path)
    const { sources, asked } = sourcesOf('a', '1.0')
    expect(await writeSourceFingerprints({ sources, log }, segment)).toBe(2)
    const mapped = hex({ ...record(), sourceStack: SOURCE_STACK })
    expect(mapped).not.toBe(hex(record()))
    expect(await fingerprints()).toEqual([mapped, hex(other), mapped, hex(record())])
    expect(asked).toEqual(['it failed', 'again'])
    const after = await readFile(path)
    expect(after.length).toBe(before.length)
    expect(await framesOf(path)).toEqual(segment.frames)
  })

  it('leave the file as it is where no map applies', async () => {
    const segment = await write(frame('a', [record()]))
    const before = await readFile(path)
    for (const { sources } of [sourcesOf('b', '1.0'), sourcesOf('a', '2.0'), sourcesOf('a', '1.0', async () => null)])
      expect(await writeSourceFingerprints({ sources, log }, segment)).toBe(0)
    expect((await readFile(path)).equals(before)).toBe(true)
  })

  it('are the same when they are written again after a crash', async () => {
    const segment = await write(frame('a', [record()]))
    const { sources } = sourcesOf('a', '1.0')
    await writeSourceFingerprints({ sources, log }, segment)
    const once = await readFile(path)
    const { ino } = await stat(path)
    expect(await writeSourceFingerprints({ sources, log }, { path, frames: await framesOf(path) })).toBe(0)
    // Nothing is another one, so nothing is written.
    expect((await stat(path)).ino).toBe(ino)
    expect((await readFile(path)).equals(once)).toBe(true)
  })

  it('wait for a store that is away, and go without a map that fails otherwise', async () => {
    const segment = await write(frame('a', [record()]))
    const before = await readFile(path)
    const away = sourcesOf('a', '1.0', () => Promise.reject(new AppError('unavailable', 'away')))
    await expect(writeSourceFingerprints({ sources: away.sources, log }, segment)).rejects.toThrow('away')
    const buggy = sourcesOf('a', '1.0', () => Promise.reject(new RangeError('bug')))
    expect(await writeSourceFingerprints({ sources: buggy.sources, log }, segment)).toBe(0)
    const refused = sourcesOf('a', '1.0', () => Promise.reject(new AppError('internal', 'no cure')))
    expect(await writeSourceFingerprints({ sources: refused.sources, log }, segment)).toBe(0)
    expect((await readFile(path)).equals(before)).toBe(true)
  })

  it('read the stack of equal errors once, and of each that differs in what counts', async () => {
    const flood = Array.from({ length: 300 }, () => record())
    const others = [
      record({ message: 'it failed, it' }),
      record({ service: 'shop' }),
      record({ logger: 'ap' }),
      record({ level: 'fatal' }),
      record({ error: { type: 'TypeError', message: 'boom', stack: STACK } }),
      record({ error: { type: 'Error', message: 'boom', stack: `${STACK}0` } }),
      // The same letters in other fields are another kind.
      record({ service: 'shöpa', logger: 'pp' }),
      // Words of one checksum.
      record({ message: 'plumless' }),
      record({ message: 'buckeroo' }),
    ]
    const segment = await write(frame('a', [...flood, ...others], 0), frame('a', flood, 1))
    const { sources, asked } = sourcesOf('a', '1.0')
    expect(await writeSourceFingerprints({ sources, log }, segment)).toBe(609)
    expect(asked).toHaveLength(1 + others.length)
    expect(new Set(await fingerprints())).toEqual(
      new Set([...flood, ...others].map((one) => hex({ ...one, sourceStack: SOURCE_STACK }))),
    )
  })

  it.each([
    ['that are equal', record()],
    ['that nobody wants', record({ release: '2.0' })],
    ['that are no errors', record({ level: 'info', error: null })],
  ])('let others have their turn among rows %s', async (_, one) => {
    const segment = await write(
      frame(
        'a',
        Array.from({ length: 200 }, () => one),
      ),
    )
    // Each look at the clock takes a millisecond, so that turns are counted by rows.
    let nowMs = 0
    let turns = 0
    const turn = async () => turns++
    const { sources } = sourcesOf('a', '1.0')
    await writeSourceFingerprints(
      { sources, log, elapsed: () => nowMs++, turn },
      { ...segment, frames: segment.frames.map((each) => ({ ...each, meta: { ...each.meta, errors: 200 } })) },
    )
    expect(turns).toBe(40)
  })

  it('are only looked for in frames of projects that have maps, and in no file when none has', async () => {
    const segment = await write(frame('a', [record()], 0), frame('b', [record()], 1))
    const walked = new Set<string>()
    const sources = (mapped: string): SourceStacks => ({
      among: async () => ({
        coversProject: (id) => id === mapped,
        covers: (id) => {
          walked.add(id)
          return true
        },
        sourceStack: async () => SOURCE_STACK,
      }),
    })
    expect(await writeSourceFingerprints({ sources: sources('b'), log }, segment)).toBe(1)
    expect([...walked]).toEqual(['b'])
    const nowhere = { ...segment, path: join(folder, 'no such file') }
    expect(await writeSourceFingerprints({ sources: sources('c'), log }, nowhere)).toBe(0)
  })

  it('leave a damaged frame damaged, and are written in the others', async () => {
    const { frames } = await write(frame('a', [record()], 0), frame('a', [record()], 1))
    const content = await readFile(path)
    const lastOfFirst = frames[0]!.end - 1
    content.writeUInt8(content.readUInt8(lastOfFirst) ^ 1, lastOfFirst)
    writeFileSync(path, content)
    const { sources } = sourcesOf('a', '1.0')
    expect(await writeSourceFingerprints({ sources, log }, { path, frames })).toBe(1)
    const after = await readFile(path)
    expect(after.subarray(0, frames[0]!.end).equals(content.subarray(0, frames[0]!.end))).toBe(true)
    expect(readFrame(after, 0)).toBeNull()
    expect(readFrame(after, frames[1]!.start)).toEqual(frames[1])
  })

  it('leave no copy behind when the file cannot be replaced', async () => {
    mkdirSync(join(path, 'in the way'), { recursive: true })
    await expect(replaceSegment(path, [Buffer.from('rows')])).rejects.toThrow()
    expect(readdirSync(folder)).toEqual(['seg_1.seg'])
  })

  it('read the error as it was written', async () => {
    await write(frame('a', [record({ level: 'fatal', error: null, message: 'größer 🙂' })]))
    const [header, error] = errorsIn(await readFile(path), () => true)
    expect(header).toBeNull()
    expect(error?.read()).toEqual({
      level: 'fatal',
      service: 'shöp',
      logger: 'app',
      release: '1.0',
      message: 'größer 🙂',
      error: null,
    })
  })
})
