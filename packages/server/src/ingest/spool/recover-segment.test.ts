import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Log } from '../../log.ts'
import { framesOf } from '../testing/scan-segment.ts'
import { encodeFrame, type FrameMeta, scanFrames } from './frame.ts'
import { recoverSegment } from './recover-segment.ts'
import { readAround, segmentPath } from './segment-file.ts'

const ID = 'seg_01990000-0000-7000-8000-0000000000ab'
const META: Omit<FrameMeta, 'number'> = {
  projectId: 'prj_a',
  batchId: null,
  records: 1,
  rawBytes: 10,
  receivedMs: 0,
  days: [[20_000, 1]],
  redactions: {},
}

let folder: string
let path: string
let lines: { level: 'error' | 'info'; details: Record<string, unknown> }[]
const log = {
  error: (details: Record<string, unknown>) => lines.push({ level: 'error', details }),
  info: (details: Record<string, unknown>) => lines.push({ level: 'info', details }),
} as unknown as Log

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recover-'))
  path = segmentPath(folder, ID)
  lines = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const encode = (number: number, payload: Uint8Array, segment: string | null = ID) =>
  Buffer.concat(encodeFrame({ ...(segment && { segment }), ...META, number }, payload))
const frame = (number: number, text = `rows of frame ${number}`) => encode(number, Buffer.from(text))

async function recover(content: Buffer, bytes = content.length) {
  writeFileSync(path, content)
  const segment = { id: ID, path, frames: [], bytes, sealedMs: 0 }
  const quarantinedBytes = await recoverSegment(segment, log, Date.now())
  const frames = await framesOf(path)
  expect(segment).toMatchObject({ frames, bytes: frames.at(-1)?.end ?? 0 })
  return { loaded: frames.map(({ meta }) => meta.number), quarantinedBytes, quarantined: quarantined() }
}

function scan(content: Buffer) {
  const { frames, damaged, unfinishedBytes } = scanFrames(content, ID)
  return {
    intact: frames.map(({ meta }) => meta.number),
    damaged: Buffer.concat(damaged.map(({ start, end }) => content.subarray(start, end))),
    unfinishedBytes,
  }
}

function quarantined(): Buffer {
  const names = readdirSync(folder).filter((name) => name.endsWith('.quarantine'))
  return Buffer.concat(names.map((name) => readFileSync(join(folder, name))))
}

function flip(frameBytes: Buffer, at: number, bit = 0): Buffer {
  const damaged = Buffer.from(frameBytes)
  damaged[at] = damaged[at]! ^ (1 << bit)
  return damaged
}

describe('damage in a segment', () => {
  const [first, middle, last] = [frame(0), frame(1), frame(2)]
  const magicAt = middle.indexOf('TMF1')
  const places: [string, number][] = [
    ['the length of the header', 0],
    ['the second byte of that length', 1],
    ['the name', magicAt],
    ['the version', magicAt + 3],
    ['the length of the payload', magicAt + 4],
    ['the high byte of that length', magicAt + 7],
    ['the checksum of the payload', magicAt + 8],
    ['the checksum of the header', magicAt + 12],
    ['the header', magicAt + 30],
    ['the blank columns after the header', middle.indexOf('rows') - 1],
    ['the payload', middle.length - 1],
  ]

  it.each(places)('costs no other frame, wherever it is: %s', (_, at) => {
    for (let bit = 0; bit < 8; bit++) {
      for (const damagedIndex of [0, 1, 2]) {
        const frames: Buffer[] = [first, middle, last]
        const damaged = flip(frames[damagedIndex]!, at, bit)
        frames[damagedIndex] = damaged
        expect(scan(Buffer.concat(frames))).toEqual({
          intact: [0, 1, 2].filter((index) => index !== damagedIndex),
          damaged,
          unfinishedBytes: 0,
        })
      }
    }
  })

  it.each(places)('puts the only frame into quarantine: %s', async (_, at) => {
    const damaged = flip(middle, at, 6)
    expect(await recover(damaged)).toEqual({ loaded: [], quarantinedBytes: damaged.length, quarantined: damaged })
    expect(lines).toMatchObject([{ level: 'error', details: { segment: ID, bytes: damaged.length } }])
  })

  it('in any bits leaves each frame either intact or in a damaged range', () => {
    const cases = fc.array(fc.uint8Array({ maxLength: 400 }), { minLength: 1, maxLength: 6 }).chain((payloads) => {
      const frames = payloads.map((payload, number) => encode(number, payload))
      const bits = Buffer.concat(frames).length * 8
      return fc.tuple(fc.constant(frames), fc.uniqueArray(fc.nat(bits - 1), { minLength: 1, maxLength: 5 }))
    })
    fc.assert(
      fc.property(cases, ([frames, bits]) => {
        let content: Buffer = Buffer.concat(frames)
        for (const bit of bits) content = flip(content, bit >> 3, bit & 7)
        const starts = frames.map((_, index) => Buffer.concat(frames.slice(0, index)).length)
        const after = frames.map(({ length }, index) => content.subarray(starts[index]!, starts[index]! + length))
        const isIntact = (index: number) => after[index]!.equals(frames[index]!)
        expect(scan(content)).toEqual({
          intact: [...frames.keys()].filter(isIntact),
          damaged: Buffer.concat(after.filter((_, index) => !isIntact(index))),
          unfinishedBytes: 0,
        })
      }),
      { numRuns: 500 },
    )
  })

  it('is handled again after a crash that left the quarantine and the damaged segment', async () => {
    const damaged = flip(middle, 40)
    const content = Buffer.concat([first, damaged, last])
    const expected = { loaded: [0, 2], quarantinedBytes: damaged.length, quarantined: damaged }
    expect(await recover(content)).toEqual(expected)
    expect(await recover(content)).toEqual(expected)
  })

  it('that comes again later is saved next to the first', async () => {
    await recover(Buffer.concat([flip(first, 40), middle, last]))
    const { loaded } = await recover(Buffer.concat([flip(middle, 40), last]))
    expect(loaded).toEqual([2])
    expect(quarantined()).toHaveLength(first.length + middle.length)
  })

  it('does not let a record pass for a frame', async () => {
    const forged = [encode(7, Buffer.from('forged'), null), encode(8, Buffer.from('forged'), `${ID}c`)]
    const host = encode(0, Buffer.concat([Buffer.from('text '), ...forged]))
    const damaged = flip(host, magicAt + 4)
    expect(await recover(Buffer.concat([damaged, middle]))).toMatchObject({ loaded: [1], quarantined: damaged })
  })

  it('of a frame from an earlier version leaves the frames before it', async () => {
    const old = [0, 1, 2].map((number) => encode(number, Buffer.from('rows'), null))
    const rest = Buffer.concat([flip(old[1]!, 20), old[2]!])
    expect(await recover(Buffer.concat([old[0]!, rest]))).toMatchObject({ loaded: [0], quarantined: rest })
    const inPayload = flip(old[1]!, old[1]!.length - 1)
    expect(await recover(Buffer.concat([old[0]!, inPayload, old[2]!]))).toMatchObject({ loaded: [0, 2] })
  })
})

describe('the end of a segment', () => {
  const start = Buffer.concat([frame(0), frame(1)])
  const nothingLost = { loaded: [0, 1], quarantinedBytes: 0, quarantined: Buffer.alloc(0) }

  it('is cut off wherever a write was cut short, without an error', async () => {
    const unfinished = frame(2)
    for (let bytes = 1; bytes < unfinished.length; bytes++)
      expect(scan(Buffer.concat([start, unfinished.subarray(0, bytes)]))).toEqual({
        intact: [0, 1],
        damaged: Buffer.alloc(0),
        unfinishedBytes: bytes,
      })
    expect(await recover(Buffer.concat([start, unfinished.subarray(0, 100)]))).toEqual(nothingLost)
    expect(lines).toMatchObject([{ level: 'info', details: { segment: ID, bytes: 100 } }])
  })

  it('is cut off where a power cut left a longer file without its data', async () => {
    expect(await recover(Buffer.concat([start, Buffer.alloc(5_000)]))).toEqual(nothingLost)
  })

  it('goes into quarantine where zeros may be a lost sector', async () => {
    const zeros = Buffer.alloc(512)
    const padding = frame(1, 'x'.repeat(1_024 - frame(0).length - frame(1, '').length))
    expect(await recover(Buffer.concat([frame(0), padding, zeros]))).toEqual({
      loaded: [0, 1],
      quarantinedBytes: 512,
      quarantined: zeros,
    })
    expect(await recover(zeros)).toMatchObject({ loaded: [], quarantinedBytes: 512 })
  })

  it.each([
    ['other bytes', Buffer.from('garbage')],
    ['a length that no header has', Buffer.alloc(9, 0xff)],
    ['a length of too many bytes', Buffer.from([0xff, 0xff, 0xff, 0xff, 1])],
  ])('goes into quarantine where it is no start of a frame: %s', async (_, rest) => {
    expect(await recover(Buffer.concat([start, rest]))).toEqual({
      loaded: [0, 1],
      quarantinedBytes: rest.length,
      quarantined: rest,
    })
  })

  it('is cut off after what this process acknowledged, although the failed write left complete frames', async () => {
    expect(await recover(Buffer.concat([start, frame(2)]), start.length)).toEqual(nothingLost)
  })
})

describe('a block that the disk cannot read', () => {
  const PAGE = 4_096
  // The pages before a mapping of this process fail with EIO, as a bad sector does.
  const MEMORY = '/proc/self/mem'

  it.runIf(existsSync(MEMORY))('is filled in, and what follows it is read', async () => {
    const mapped = Number.parseInt(readFileSync('/proc/self/maps', 'latin1'), 16)
    const memory = await open(MEMORY)
    try {
      await expect(memory.read(Buffer.alloc(PAGE), 0, PAGE, mapped - PAGE)).rejects.toMatchObject({ code: 'EIO' })
      const content = await readAround(memory, mapped - 2 * PAGE - 10, 3 * PAGE)
      expect(content.subarray(0, 2 * PAGE + 10)).toEqual(Buffer.alloc(2 * PAGE + 10, 0xff))
      expect(content.subarray(2 * PAGE + 10, 2 * PAGE + 14)).toEqual(Buffer.from('\x7fELF', 'latin1'))
      expect(content).toHaveLength(3 * PAGE)
    } finally {
      await memory.close()
    }
  })

  it('costs the frame it is in', async () => {
    const frames = [frame(0), frame(1), frame(2, 'x'.repeat(9_000)), frame(3)]
    const content = Buffer.concat(frames)
    content.fill(0xff, PAGE, 2 * PAGE)
    expect(await recover(content)).toMatchObject({ loaded: [0, 1, 3], quarantinedBytes: frames[2]!.length })
  })

  it('at the end is kept as damage, not dropped as an unfinished write', async () => {
    const frames = [frame(0), frame(1, 'x'.repeat(PAGE))]
    const content = Buffer.concat(frames)
    content.fill(0xff, frames[0]!.length)
    expect(await recover(content)).toMatchObject({ loaded: [0], quarantinedBytes: frames[1]!.length })
  })
})
