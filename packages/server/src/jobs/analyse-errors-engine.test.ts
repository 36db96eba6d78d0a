/** The worker over a real log store and a real control store. Segments are loaded and queued as the flusher does it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_US } from '@tidemark/wire/time/units'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fingerprintId } from '../analysis/group/fingerprint.ts'
import { groupOfRecord } from '../analysis/group/group-of-record.ts'
import { patternId } from '../analysis/pattern/pattern.ts'
import { type Control, openControl } from '../control/open.ts'
import { AppError } from '../errors.ts'
import type { LogStore } from '../logstore/log-store.ts'
import { countOf, recordsOf } from '../logstore/testing/all-records.ts'
import { sampleRecord, TODAY, writeSegment } from '../logstore/testing/segment.ts'
import { missingEngine, STORE_TIMEOUT_MS, testStore } from '../logstore/testing/test-store.ts'
import { currentEpisode } from '../model/analysis.ts'
import { newId } from '../model/id.ts'
import type { LogRecord } from '../model/log-record.ts'
import type { ProjectId } from '../model/project.ts'
import { startErrorAnalysis } from './analyse-errors.ts'

vi.setConfig({ testTimeout: 180_000 })

const log = pino({ level: 'silent' })
const START_US = (TODAY - 1) * DAY_US
const change = { by: 'usr_1', nowMs: Date.now() }

let dataDir: string
let control: Control
let logStore: LogStore
let projectId: ProjectId
let projects = 0
beforeAll(async () => {
  if (missingEngine !== undefined) return
  dataDir = mkdtempSync(join(tmpdir(), 'tidemark-analysis-'))
  control = await openControl({ databaseUrl: undefined, dataDir })
  logStore = (await testStore()).store
}, STORE_TIMEOUT_MS)
beforeEach(async (context) => {
  if (missingEngine !== undefined) return context.skip(missingEngine)
  projects += 1
  projectId = (await control.projects.create({ name: `Project ${projects}`, retentionDays: 30 }, change)).id
})
afterAll(async () => {
  await control?.close()
  if (dataDir) rmSync(dataDir, { recursive: true, force: true })
})

type Given = Partial<LogRecord> & { timeUs: number }

const failure = (timeUs: number, type: string, some: Partial<LogRecord> = {}): Given => ({
  timeUs,
  level: 'error',
  service: 'shop',
  message: `${type}: it failed`,
  error: { type, message: 'it failed', stack: `${type}: it failed\n    at pay (/srv/cart.js:1:2)` },
  ...some,
})

async function load(records: Given[], { errors }: { errors?: number } = {}): Promise<string> {
  const rows = records.map((given) => {
    const record = sampleRecord(given)
    return {
      project: projectId,
      ...given,
      row: { fingerprint: fingerprintId(record), pattern: patternId(record.message) },
    }
  })
  const segment = writeSegment(dataDir, newId('seg'), rows)
  await logStore.load(segment)
  const queued = { segmentId: segment.id, days: segment.days.map(({ day }) => day) }
  const real = rows.filter(({ row }) => row.fingerprint !== null).length
  await control.analysisQueue.add({ ...queued, errors: errors ?? real }, Date.now())
  return segment.id
}

/** Runs a worker until the queue is as short as it should be. */
async function work({
  store = logStore,
  left = 0,
  now = Date.now,
}: {
  store?: typeof logStore
  left?: number
  now?: () => number
} = {}) {
  const worker = startErrorAnalysis({ control, logStore: store, node: newId('nod'), log, now })
  await expect.poll(async () => (await control.analysisQueue.waiting()).segments, { timeout: 120_000 }).toBe(left)
  await worker.stop()
  return worker.stats
}

const analyses = () => control.analyses.list(projectId, { limit: 100, sort: 'count' }, Date.now() * 1_000)

describe('the worker', () => {
  it('makes analyses of the errors that were loaded, and counts each once', async () => {
    const twice = [failure(START_US + 5, 'TypeError'), failure(START_US + 2, 'TypeError')]
    await load([...twice, failure(START_US, 'RangeError', { environment: 'staging', environmentDefaulted: true })])
    const id = await load([...twice, { timeUs: START_US, message: 'all is well' }])
    const stats = await work()
    expect(stats).toMatchObject({ segments: 2, errors: 5 })
    await control.analysisQueue.add({ segmentId: id, days: [TODAY - 1], errors: 2 }, Date.now())
    await work()

    const [first, second, ...others] = await analyses()
    expect(others).toEqual([])
    expect(first).toMatchObject({
      count: 4,
      title: 'TypeError: it failed',
      type: 'TypeError',
      where: 'pay (/srv/cart.js)',
      service: 'shop',
      level: 'error',
      grouping: 'grouped by TypeError and 1 in-app frame',
      environment: 'production',
      firstSeenUs: START_US + 2,
      lastSeenUs: START_US + 5,
    })
    expect(second).toMatchObject({ count: 1, environment: 'staging', sample: { environmentDefaulted: true } })
    const [record] = await logStore.project(projectId).byIds([first?.episodes[0]?.anchorLogId ?? ''])
    expect(record).toMatchObject({ timeUs: START_US + 2, fingerprint: first?.fingerprint })
    expect(first?.sample.error?.stack).toContain('at pay')
  })

  it('finds the first error after a resolve when errors of both sides come in one segment', async () => {
    await load([failure(START_US, 'TypeError'), failure(START_US, 'RangeError')])
    await work()
    for (const { id } of await analyses()) {
      await control.analyses.setStatuses(projectId, [id], 'resolved', { by: 'usr_1', nowMs: START_US / 1_000 + 10 })
    }
    const after = [8_000, 9_000, 11_000, 12_000, 13_000].map((us) => failure(START_US + us, 'TypeError'))
    await load([...after, failure(START_US + 9_000, 'RangeError')])
    await work()
    const [first, second] = await analyses()
    expect(first?.episodes.map(({ began, count }) => [began, count])).toEqual([
      ['first', 3],
      ['resolved', 3],
    ])
    if (!first) throw new Error('no analysis')
    expect(currentEpisode(first).anchorUs).toBe(START_US + 11_000)
    const [anchor] = await logStore.project(projectId).byIds([currentEpisode(first).anchorLogId])
    expect(anchor?.timeUs).toBe(START_US + 11_000)
    expect(second).toMatchObject({ status: 'resolved', count: 2 })
  })

  it('groups as the rules say, and as a reader of the record would', async () => {
    const some = [failure(START_US, 'A'), failure(START_US + 1, 'B'), failure(START_US + 2, 'C')]
    await load(some)
    await work()
    const before = await analyses()
    const byType = (type: string) => before.find((one) => one.type === type)?.id ?? ''
    const { groupingRules } = control
    await groupingRules.add(projectId, { kind: 'merge', analysisId: byType('A'), intoAnalysisId: byType('B') }, change)
    await groupingRules.add(projectId, { kind: 'split', analysisId: byType('C'), by: 'service' }, change)
    await groupingRules.add(projectId, { kind: 'ignore', type: 'D' }, change)
    await load([...some, failure(START_US + 3, 'C', { service: 'mail' }), failure(START_US + 4, 'D')])
    await work()

    const after = await analyses()
    expect(after.map((one) => [one.type, one.splitValue, one.status, one.count]).sort()).toEqual([
      ['B', '', 'open', 4],
      ['C', '', 'open', 1],
      ['C', 'mail', 'open', 1],
      ['C', 'shop', 'open', 1],
      ['D', '', 'ignored', 1],
    ])
    const rules = await groupingRules.list(projectId)
    for (const record of await recordsOf(logStore.project(projectId), 4)) {
      const group = groupOfRecord(record, rules)
      expect(after.some((one) => one.fingerprint === group?.fingerprint && one.splitValue === group.splitValue)).toBe(
        true,
      )
    }
  })

  it('keeps an analysis whole when its records are gone', async () => {
    await load([failure(START_US, 'TypeError')])
    await work()
    const [before] = await analyses()
    await logStore.forget(projectId, null)
    expect(await countOf(logStore.project(projectId))).toBe(0)
    expect(await analyses()).toEqual([before])
    expect(before?.sample.error?.stack).toContain('cart.js')
  })

  it('lets a segment that always fails wait and counts the others', async () => {
    const bad = await load([failure(START_US, 'Bad')])
    for (let n = 0; n < 5; n++) await load([failure(START_US + n, 'Good')])
    const asked: number[] = []
    const store: LogStore = {
      ...logStore,
      errorsOfSegments: async (question) => {
        asked.push(question.segments.length)
        if (question.segments.some(({ id }) => id === bad)) throw new AppError('internal', 'poison')
        return logStore.errorsOfSegments(question)
      },
    }
    const stats = await work({ store, left: 1 })
    expect(stats).toMatchObject({ segments: 5, errors: 5 })
    expect(stats.failures).toBeGreaterThan(0)
    expect(asked[0]).toBe(6)
    const later = () => Date.now() + 3_600_000
    expect(await work({ now: later })).toMatchObject({ segments: 1, errors: 1 })
    expect((await analyses()).map(({ type, count }) => [type, count])).toEqual([
      ['Good', 5],
      ['Bad', 1],
    ])
  })

  it('waits for a store that is away without blaming the segments', async () => {
    await load([failure(START_US, 'TypeError')])
    let isAway = true
    const store: LogStore = {
      ...logStore,
      errorsOfSegments: async (question) => {
        if (!isAway) return logStore.errorsOfSegments(question)
        isAway = false
        throw new AppError('engine_restarting', 'away')
      },
    }
    const { failures, ...stats } = await work({ store })
    expect(stats).toMatchObject({ segments: 1, errors: 1 })
    expect(failures).toBeGreaterThan(0)
    expect(isAway).toBe(false)
  })

  it('does not count a segment of which the store shows too little, until waiting is of no use', async () => {
    const segmentId = await load([failure(START_US, 'TypeError')], { errors: 2 })
    const later = () => Date.now() + 3_600_000
    const worker = startErrorAnalysis({ control, logStore, node: 'nod_x', log, now: later })
    await expect.poll(() => worker.stats.failures, { timeout: 60_000 }).toBeGreaterThan(0)
    await worker.stop()
    expect(await analyses()).toEqual([])
    expect(worker.stats).toMatchObject({ segments: 0, lagMs: 0 })
    for (let n = 0; n < 6; n++) await control.analysisQueue.postpone(segmentId, 0)
    const { lagMs } = await work({ now: later })
    expect(await analyses()).toMatchObject([{ count: 1 }])
    expect(lagMs).toBeGreaterThanOrEqual(3_600_000)
  })
})
