import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../../errors.ts'
import { framesOf } from '../testing/scan-segment.ts'
import type { DiskSpace } from './disk-space.ts'
import { encodeFrame, type FrameMeta, readFrame } from './frame.ts'
import { keepFrames, listSegments, readSegment, refuseNewerSegments, segmentPath } from './segment-file.ts'
import { Spool } from './spool.ts'

const log = pino({ level: 'silent' })
const ENOUGH: DiskSpace = { check: async () => {} }
const DAY = 20_000

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function meta(batchId: string | null = null): Omit<FrameMeta, 'number'> {
  return { projectId: 'prj_a', batchId, records: 1, rawBytes: 10, receivedMs: 0, days: [[DAY, 1]], redactions: {} }
}

const payload = (text: string) => Buffer.from(text)

async function spoolWith(...texts: string[]): Promise<{ path: string; id: string }> {
  const spool = await Spool.open({ folder, space: ENOUGH, maxSegmentBytes, log })
  for (const text of texts) await spool.append(meta(), payload(text))
  await spool.close()
  const [id = ''] = await listSegments(folder)
  return { id, path: segmentPath(folder, id) }
}

describe('a frame', () => {
  it('is read back as it was written', () => {
    const file = Buffer.concat([...encodeFrame({ number: 7, ...meta('b1') }, payload('rows'))])
    const frame = readFrame(file, 0)
    expect(frame?.meta).toMatchObject({ number: 7, batchId: 'b1', projectId: 'prj_a' })
    expect(frame?.end).toBe(file.length)
  })

  it('is refused when any single byte of its header or rows is changed', () => {
    const file = Buffer.concat([...encodeFrame({ number: 1, ...meta() }, payload('some rows'))])
    let refused = 0
    for (let at = 0; at < file.length; at++) {
      const damaged = Buffer.from(file)
      damaged[at] = damaged[at]! ^ 0x01
      if (readFrame(damaged, 0) === null) refused++
    }
    expect(refused).toBe(file.length)
  })
})

describe('a segment of a newer version', () => {
  it.each([
    ['a short header', 'b1'],
    ['a long header', 'b'.repeat(500)],
  ])('is refused in words and stays as it is: %s', async (_, batchId) => {
    const file = Buffer.concat([...encodeFrame({ number: 0, ...meta(batchId) }, payload('rows'))])
    const path = segmentPath(folder, 'seg_newer')
    writeFileSync(segmentPath(folder, 'seg_known'), file)
    await expect(refuseNewerSegments(folder, ['seg_known'])).resolves.toBeUndefined()
    file.write('TMF2', file.indexOf('TMF1'))
    writeFileSync(segmentPath(folder, 'seg_flipped'), file)
    await expect(refuseNewerSegments(folder, ['seg_flipped'])).resolves.toBeUndefined()
    // Its checksum covers the digit.
    file.writeUInt32LE(0, file.indexOf('TMF2') + 12)
    writeFileSync(path, file)
    await expect(refuseNewerSegments(folder, ['seg_known', 'seg_newer'])).rejects.toThrow(
      `The spool has records of a newer Tidemark (${path} has format 2, and this build knows formats up to 1). Start that version or a later one: it loads them.`,
    )
    expect(readFileSync(path).equals(file)).toBe(true)
  })

  it('is not seen in what has no frame at its beginning', async () => {
    for (const [index, text] of ['', 'TMF9', '\0\0\0\0TMF9', '\x05TMFx'].entries()) {
      writeFileSync(segmentPath(folder, `seg_${index}`), text)
      await expect(refuseNewerSegments(folder, [`seg_${index}`])).resolves.toBeUndefined()
    }
  })
})

const maxSegmentBytes = () => 16 * 1024 * 1024

describe('the spool', () => {
  it('keeps every appended frame, in order, in one file', async () => {
    const { path } = await spoolWith('one', 'two', 'three')
    expect((await framesOf(path)).map((frame) => frame.meta.number)).toEqual([0, 1, 2])
  })

  it('serves many waiting requests with few syncs and loses none of them', async () => {
    const spool = await Spool.open({ folder, space: ENOUGH, maxSegmentBytes, log })
    await Promise.all(
      Array.from({ length: 500 }, (_, index) => spool.append(meta(`b${index}`), payload(`row ${index}`))),
    )
    await spool.close()
    const segments = await Promise.all((await listSegments(folder)).map((id) => framesOf(segmentPath(folder, id))))
    const ids = segments.flat().map((frame) => frame.meta.batchId)
    expect(new Set(ids).size).toBe(500)
    expect(ids).toHaveLength(500)
  })

  it('seals a segment when it is large enough and starts another', async () => {
    const spool = await Spool.open({ folder, space: ENOUGH, maxSegmentBytes, log })
    const large = Buffer.alloc(6 * 1024 * 1024, 1)
    for (let count = 0; count < 4; count++) await spool.append(meta(), large)
    expect(spool.takeSealed()?.segment.frames).toHaveLength(3)
    expect(spool.takeSealed()).toBeUndefined()
    await spool.close()
    expect(spool.takeSealed()?.segment.frames).toHaveLength(1)
  })

  it('seals a segment of many records, however small', async () => {
    const spool = await Spool.open({ folder, space: ENOUGH, maxSegmentBytes, log })
    for (let count = 0; count < 5; count++) await spool.append({ ...meta(), records: 50_000 }, payload('x'))
    await spool.close()
    expect(spool.takeSealed()?.segment.frames).toHaveLength(4)
    expect(spool.takeSealed()?.segment.frames).toHaveLength(1)
  })

  it('seals by age only when asked, and only when old enough', async () => {
    let now = 1_000_000
    const spool = await Spool.open({ folder, space: ENOUGH, maxSegmentBytes, log, now: () => now })
    await spool.append(meta(), payload('x'))
    await spool.sealIfOlderThan(250)
    expect(spool.takeSealed()).toBeUndefined()
    now += 250
    await spool.sealIfOlderThan(250)
    expect(spool.takeSealed()?.segment.frames).toHaveLength(1)
    await spool.close()
  })

  it('refuses to append once it is closed', async () => {
    const spool = await Spool.open({ folder, space: ENOUGH, maxSegmentBytes, log })
    await spool.close()
    await expect(spool.append(meta(), payload('late'))).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('answers storage_full on a full disk, keeps what was acknowledged, and goes on when there is room again', async (context) => {
    if (process.getuid?.() !== 0) context.skip('mounting a small disk needs root')
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder])
    try {
      const spool = await Spool.open({ folder, space: ENOUGH, maxSegmentBytes, log })
      const acknowledged: string[] = []
      let failure: unknown
      for (let count = 0; count < 40 && failure === undefined; count++) {
        await spool.append(meta(`b${count}`), Buffer.alloc(20_000, count)).then(
          () => acknowledged.push(`b${count}`),
          (error) => {
            failure = error
          },
        )
      }
      expect(failure).toBeInstanceOf(AppError)
      expect(failure).toMatchObject({ code: 'storage_full' })
      expect(acknowledged.length).toBeGreaterThan(5)
      const sealed = spool.takeSealed()
      expect(sealed?.segment.frames.map((frame) => frame.meta.batchId)).toEqual(acknowledged)
      expect(await framesOf(sealed?.segment.path ?? '')).toHaveLength(acknowledged.length)
      rmSync(sealed?.segment.path ?? '')
      await spool.append(meta('again'), Buffer.alloc(20_000))
      await spool.close()
      expect(spool.takeSealed()?.segment.frames.map((frame) => frame.meta.batchId)).toEqual(['again'])
    } finally {
      execFileSync('umount', [folder])
    }
  })
})

describe('a segment', () => {
  it('can be rewritten without some frames, which keep their numbers', async () => {
    const { path } = await spoolWith('one', 'two', 'three')
    const frames = await framesOf(path)
    const moved = await keepFrames(path, await readSegment(path), [frames[0]!, frames[2]!])
    expect(await framesOf(path)).toEqual(moved)
    expect(moved.map((frame) => frame.meta.number)).toEqual([0, 2])
    expect(readdirSync(folder)).toHaveLength(1)
  })
})
