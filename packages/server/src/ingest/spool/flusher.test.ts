import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Control, openControl } from '../../control/open.ts'
import { monthOf } from '../../control/projects/usage.ts'
import { AppError } from '../../errors.ts'
import type { LogStore, Segment } from '../../logstore/log-store.ts'
import { framesOf } from '../testing/scan-segment.ts'
import { Flusher, restAfter } from './flusher.ts'
import type { FrameMeta } from './frame.ts'
import { Spool } from './spool.ts'

const log = pino({ level: 'silent' })
const NOW = Date.UTC(2026, 5, 15)
const DAY = 20_000

/** Stands for the engine: remembers what each segment brought, day by day, and can be away. */
class RecordingStore implements Pick<LogStore, 'load' | 'loadedDays' | 'isLoadedAgain'> {
  readonly batches = new Map<string, (string | null)[]>()
  readonly days = new Map<string, Set<number>>()
  readonly loads: Segment[] = []
  isAway = false
  loadsAgain = false

  async load(segment: Segment): Promise<void> {
    if (this.isAway) throw new AppError('engine_restarting', 'away')
    this.loads.push(segment)
    const frames = await framesOf(segment.path)
    this.batches.set(
      segment.id,
      frames.map((frame) => frame.meta.batchId),
    )
    this.days.set(segment.id, new Set([...(this.days.get(segment.id) ?? []), ...segment.days.map(({ day }) => day)]))
  }

  async loadedDays(ids: readonly string[]): Promise<Map<string, Set<number>>> {
    if (this.isAway) throw new AppError('engine_restarting', 'away')
    return new Map([...this.days].filter(([id]) => ids.includes(id)))
  }

  isLoadedAgain(): boolean {
    return this.loadsAgain
  }

  get stored(): (string | null)[] {
    return [...this.batches.values()].flat()
  }
}

let dataDir: string
let folder: string
let control: Control
let store: RecordingStore
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'flusher-'))
  folder = join(dataDir, 'spool')
  control = await openControl({ databaseUrl: undefined, dataDir })
  store = new RecordingStore()
})
afterEach(async () => {
  await control.close()
  rmSync(dataDir, { recursive: true, force: true })
})

function meta(batchId: string | null, days: [number, number][] = [[DAY, 1]]): Omit<FrameMeta, 'number'> {
  return { projectId: 'prj_a', batchId, records: 1, rawBytes: 10, receivedMs: NOW, days, redactions: { jwt: 2 } }
}

/** Passes only in pauses, and then at once, unless it is held. */
function hurriedTime() {
  const time = {
    nowMs: NOW,
    isHeld: false,
    pausesMs: [] as number[],
    now: () => time.nowMs,
    after(ms: number, run: () => void): () => void {
      time.pausesMs.push(ms)
      const timer = setInterval(() => {
        if (time.isHeld) return
        clearInterval(timer)
        time.nowMs += ms
        run()
      }, 1)
      return () => clearInterval(timer)
    },
  }
  return time
}

type Time = Pick<ReturnType<typeof hurriedTime>, 'now' | 'after'>

async function start(time?: Time): Promise<{ spool: Spool; flusher: Flusher }> {
  const spool = await Spool.open({
    folder,
    space: { check: async () => {} },
    maxSegmentBytes: () => 1e6,
    log,
    ...(time && { now: time.now }),
  })
  const logStore = store as unknown as LogStore
  const paced = time && { now: time.now, elapsed: time.now, after: time.after }
  const flusher = new Flusher({ folder, spool, logStore, control, log, leaveAfterMs: 100, ...paced })
  await flusher.start()
  return { spool, flusher }
}

async function appendAndStop(...batchIds: (string | null)[]): Promise<void> {
  const { spool, flusher } = await start()
  for (const batchId of batchIds) await spool.append(meta(batchId), Buffer.from('rows'))
  await spool.close()
  await flusher.stop(5_000)
}

describe('the flusher', () => {
  it('loads what was appended, then removes the file', async () => {
    await appendAndStop('a', null, 'b')
    expect(store.stored).toEqual(['a', null, 'b'])
    expect(readdirSync(folder)).toEqual([])
  })

  it('loads an open segment by itself soon after the last append', async () => {
    const { spool, flusher } = await start()
    await spool.append(meta('a'), Buffer.from('rows'))
    await expect.poll(() => store.stored, { timeout: 3_000 }).toEqual(['a'])
    await spool.close()
    await flusher.stop(1_000)
  })

  it.each([
    [1, 14, 250],
    [1, 600, 600],
    [5_000, 600, 600],
    [5_001, 14, 1_000],
    [200_000, 3_000, 1_000],
    [1, 60_000, 2_000],
  ])('after %i records in %i ms rests for %i ms', (records, tookMs, restMs) => {
    expect(restAfter(records, tookMs)).toBe(restMs)
  })

  it('lets a slow store rest after a small load for as long as it took', async () => {
    const time = hurriedTime()
    const loads: { startedAt: number; endedAt: number }[] = []
    store.load = async () => {
      const startedAt = time.now()
      time.nowMs += 600
      time.isHeld = true
      loads.push({ startedAt, endedAt: time.now() })
    }
    const { spool, flusher } = await start(time)
    await spool.append(meta('a'), Buffer.from('rows'))
    await expect.poll(() => loads).toHaveLength(1)
    await spool.append(meta('b'), Buffer.from('rows'))
    time.isHeld = false
    await expect.poll(() => loads).toHaveLength(2)
    expect(loads[1]!.startedAt - loads[0]!.endedAt).toBeGreaterThanOrEqual(590)
    await spool.close()
    await flusher.stop(1_000)
  })

  it('stops in time although a load does not end, and keeps what was not loaded', async () => {
    store.load = () => new Promise(() => {})
    const { spool, flusher } = await start()
    await spool.append(meta('a'), Buffer.from('rows'))
    await spool.close()
    await flusher.stop(100)
    expect(readdirSync(folder)).toHaveLength(1)
  })

  it('stores a repeated batch once, within a segment and across segments', async () => {
    await appendAndStop('a', 'a', 'b')
    await appendAndStop('b', 'c')
    expect(store.stored).toEqual(['a', 'b', 'c'])
  })

  it('keeps equal batch ids of two projects apart', async () => {
    const { spool, flusher } = await start()
    await spool.append(meta('a'), Buffer.from('rows'))
    await spool.append({ ...meta('a'), projectId: 'prj_b' }, Buffer.from('rows'))
    await spool.close()
    await flusher.stop(5_000)
    expect(store.stored).toEqual(['a', 'a'])
  })

  it('keeps everything on disk while the store is away, and loads it when it is back', async () => {
    store.isAway = true
    const { spool, flusher } = await start(hurriedTime())
    await spool.append(meta('a'), Buffer.from('rows'))
    await expect.poll(() => flusher.stats.failures, { timeout: 5_000 }).toBeGreaterThan(1)
    expect(readdirSync(folder)).toHaveLength(1)
    expect(spool.bytes).toBeGreaterThan(0)
    store.isAway = false
    await expect.poll(() => store.stored, { timeout: 5_000 }).toEqual(['a'])
    await expect.poll(() => spool.bytes).toBe(0)
    await spool.close()
    await flusher.stop(1_000)
  })

  it('stops in time with the store away, and the next start loads what was left', async () => {
    store.isAway = true
    await appendAndStopWithin(50, 'a', 'b', 'a')
    expect(readdirSync(folder)).toHaveLength(1)
    store.isAway = false
    const { spool, flusher } = await start()
    await expect.poll(() => store.stored, { timeout: 5_000 }).toEqual(['a', 'b'])
    await spool.close()
    await flusher.stop(1_000)
    expect(readdirSync(folder)).toEqual([])
  })

  it('loads the intact batches of a damaged segment once, across a crash and its retries', async () => {
    store.isAway = true
    await appendAndStopWithin(50, 'a', 'b', 'c')
    const name = readdirSync(folder)[0] ?? ''
    damage(name, 'b')
    const crashed = await start(hurriedTime())
    await expect.poll(() => crashed.flusher.stats.failures, { timeout: 5_000 }).toBeGreaterThan(0)
    await crashed.spool.close()
    await crashed.flusher.stop(1)
    store.isAway = false
    const { spool, flusher } = await start()
    await expect.poll(() => store.stored, { timeout: 5_000 }).toEqual(['a', 'c'])
    await spool.close()
    await flusher.stop(1_000)
    const quarantined = readdirSync(folder)
    expect(quarantined).toEqual([expect.stringMatching(`^${name.replace('.seg', '')}-[0-9a-f]{8}.quarantine$`)])
    expect(flusher.stats.quarantinedBytes).toBe(statSync(join(folder, quarantined[0]!)).size)
  })

  it('does not load what is damaged on the disk while the store is away', async () => {
    store.isAway = true
    const time = hurriedTime()
    const { spool, flusher } = await start(time)
    await Promise.all(['a', 'b'].map((batchId) => spool.append(meta(batchId), Buffer.from('rows'))))
    await expect.poll(() => flusher.stats.failures, { timeout: 5_000 }).toBeGreaterThan(0)
    damage(readdirSync(folder)[0] ?? '', 'b')
    time.nowMs += 60_000
    store.isAway = false
    await expect.poll(() => store.stored, { timeout: 5_000 }).toEqual(['a'])
    await spool.close()
    await flusher.stop(1_000)
    expect(flusher.stats.quarantinedBytes).toBeGreaterThan(0)
  })

  it('does not load again the days that the store has from before a crash', async () => {
    store.isAway = true
    await appendAndStopWithin(50, 'a')
    const id = readdirSync(folder)[0]?.replace('.seg', '') ?? ''
    store.isAway = false
    store.days.set(id, new Set([DAY]))
    const { spool, flusher } = await start()
    await expect.poll(() => readdirSync(folder), { timeout: 5_000 }).toEqual([])
    expect(store.loads).toEqual([])
    await spool.close()
    await flusher.stop(1_000)
  })

  it('loads again what the store has, where only that makes sure of it', async () => {
    store.isAway = true
    await appendAndStopWithin(50, 'a')
    const id = readdirSync(folder)[0]?.replace('.seg', '') ?? ''
    Object.assign(store, { isAway: false, loadsAgain: true })
    store.days.set(id, new Set([DAY]))
    const { spool, flusher } = await start()
    await expect.poll(() => readdirSync(folder), { timeout: 5_000 }).toEqual([])
    expect(store.loads.map((segment) => segment.days)).toEqual([[{ day: DAY, records: 1 }]])
    await spool.close()
    await flusher.stop(1_000)
  })

  it('loads the missing days of a segment that was stored in part', async () => {
    store.isAway = true
    const { spool, flusher } = await start()
    await spool.append(
      meta('a', [
        [DAY, 1],
        [DAY + 1, 4],
      ]),
      Buffer.from('rows'),
    )
    await spool.close()
    await flusher.stop(50)
    const id = readdirSync(folder)[0]?.replace('.seg', '') ?? ''
    store.isAway = false
    store.days.set(id, new Set([DAY]))
    const second = await start()
    await expect
      .poll(() => store.loads.map((segment) => segment.days), { timeout: 5_000 })
      .toEqual([[{ day: DAY + 1, records: 4 }]])
    await second.spool.close()
    await second.flusher.stop(1_000)
  })

  it('queues segments that hold errors, with their days, and tells who waits for them', async () => {
    const { spool, flusher } = await start()
    let told = 0
    flusher.onQueued(() => told++)
    const send = async (errors: number | undefined, days: [number, number][]) => {
      const given = meta(null, days)
      await spool.append(errors === undefined ? given : { ...given, errors }, Buffer.from('rows'))
    }
    // At once, hence into one segment, however long a sync takes.
    await Promise.all([
      send(0, [[DAY, 1]]),
      send(3, [
        [DAY, 5],
        [DAY - 1, 1],
      ]),
    ])
    await spool.close()
    await flusher.stop(5_000)
    const next = await start()
    await next.spool.append({ ...meta(null), errors: 0 }, Buffer.from('rows'))
    await next.spool.close()
    await next.flusher.stop(5_000)
    const queued = await control.analysisQueue.claim('nod', { limit: 9, leaseMs: 1, nowMs: Date.now() })
    expect(queued).toMatchObject([{ segmentId: store.loads[0]?.id, days: [DAY - 1, DAY], errors: 3 }])
    expect(told).toBe(1)
  })

  it('queues a segment of an earlier version, which does not say how many errors it holds', async () => {
    await appendAndStop('a')
    expect(await control.analysisQueue.claim('nod', { limit: 9, leaseMs: 1, nowMs: Date.now() })).toMatchObject([
      { segmentId: store.loads[0]?.id, errors: null },
    ])
  })

  it('counts usage and redactions once, without the repeated batches', async () => {
    const project = await control.projects.create({ name: 'a', retentionDays: 30 }, { by: 'test', nowMs: NOW })
    const { spool, flusher } = await start()
    const entry = { ...meta('a'), projectId: project.id }
    await spool.append(entry, Buffer.from('rows'))
    await spool.append(entry, Buffer.from('rows'))
    await spool.close()
    await flusher.stop(5_000)
    expect(await control.usage.get(project.id, monthOf(NOW))).toEqual({ records: 1, bytes: 10 })
    expect(await control.usage.redactions(project.id)).toEqual([{ rule: 'jwt', redactions: 2 }])
  })

  /** Changes the id of a batch in the header of its frame. */
  function damage(name: string, batchId: string): void {
    const content = readFileSync(join(folder, name))
    content.write('!', content.indexOf(`"batchId":"${batchId}"`) + '"batchId":"'.length)
    writeFileSync(join(folder, name), content)
  }

  async function appendAndStopWithin(ms: number, ...batchIds: string[]): Promise<void> {
    const { spool, flusher } = await start()
    // At once, hence into one segment, however long a sync takes.
    await Promise.all(batchIds.map((batchId) => spool.append(meta(batchId), Buffer.from('rows'))))
    await spool.close()
    await flusher.stop(ms)
  }
})
