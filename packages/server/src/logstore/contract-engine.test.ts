/** What every log store promises, asked of each kind that can be had here. */
import { setMaxListeners } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { DAY_US } from '@tidemark/wire/time/units'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { newId } from '../model/id.ts'
import type { ProjectId } from '../model/project.ts'
import type { PastRetention } from '../model/retention.ts'
import { createStore } from './clickhouse-store.ts'
import { toAppError } from './driver-errors.ts'
import type { LogStore } from './log-store.ts'
import { openServer } from './open-server.ts'
import type { StoredRecord } from './questions.ts'
import { countOf, recordsOf } from './testing/all-records.ts'
import { CLUSTER, openEngineCluster } from './testing/engine-cluster.ts'
import { openEnginePort } from './testing/engine-port.ts'
import { type SegmentRecord, sampleRecord, TODAY, writeSegment } from './testing/segment.ts'
import {
  engineSocket,
  isClusterLayout,
  missingEngine,
  openTestStore,
  STORE_TIMEOUT_MS,
  type TestStore,
} from './testing/test-store.ts'

// An emulated engine takes seconds for what takes milliseconds.
vi.setConfig({ testTimeout: 120_000 })

/** One engine for all that is asked of it here, so that it is started once. The tests that hurt it come last. */
let engine: TestStore
beforeAll(async () => {
  if (missingEngine === undefined && !isClusterLayout)
    engine = await openTestStore({ startMs: 60_000, silenceMs: 5_000 })
}, STORE_TIMEOUT_MS)
afterAll(() => engine?.close())

type Kind = {
  name: string
  /** Why it cannot be had here, if so. */
  missing: string | undefined
  open(): Promise<{ store: LogStore; close?(): unknown }>
}

const serverUrl = process.env.TIDEMARK_TEST_CLICKHOUSE_URL
const serverCluster = process.env.TIDEMARK_TEST_CLICKHOUSE_CLUSTER ?? null
const embedded: Kind[] = [
  { name: 'the embedded log store', missing: missingEngine, open: async () => ({ store: engine.store }) },
  {
    name: "a log store on the engine's own HTTP interface",
    missing: missingEngine,
    async open() {
      const port = await openEnginePort(engineSocket(engine.dataDir))
      const store = createStore(await openServer({ url: port.url, cluster: null }))
      return { store, close: () => store.close().then(port.close) }
    },
  },
]
const clustered: Kind = {
  name: 'a log store on a cluster in one engine',
  missing: missingEngine,
  async open() {
    const cluster = await openEngineCluster({ spread: 'records' })
    const store = createStore(await openServer({ url: cluster.url, cluster: CLUSTER }))
    return { store, close: () => store.close().then(cluster.close) }
  },
}
const kinds = isClusterLayout ? [clustered] : embedded
if (serverUrl !== undefined) {
  kinds.push({
    name: 'a log store on a ClickHouse server',
    missing: undefined,
    async open() {
      const store = createStore(await openServer({ url: serverUrl, cluster: serverCluster }))
      return { store, close: () => store.close() }
    },
  })
}

describe.each(kinds)('$name', ({ missing, open }) => {
  let dataDir: string
  let store: LogStore
  let close: (() => unknown) | undefined
  beforeAll(async () => {
    if (missing !== undefined) return
    dataDir = mkdtempSync(join(tmpdir(), 'tidemark-segments-'))
    ;({ store, close } = await open())
  }, STORE_TIMEOUT_MS)
  beforeEach((context) => {
    if (missing !== undefined) context.skip(missing)
  })
  afterAll(async () => {
    await close?.()
    if (dataDir) rmSync(dataDir, { recursive: true, force: true })
  })

  const freshProject = () => newId('prj') as ProjectId
  const segment = (records: SegmentRecord[]) => writeSegment(dataDir, newId('seg'), records)

  it('gives back a record as it was', async () => {
    const project = freshProject()
    const record = sampleRecord({
      timeUs: TODAY * DAY_US + 1_234_567,
      level: 'error',
      environment: ' Staging',
      environmentDefaulted: true,
      service: 'api',
      host: 'host-1',
      logger: 'http',
      release: '1.2.3',
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      message: 'user 42 not found',
      truncated: true,
      error: { type: 'TypeError', message: 'x is undefined', stack: 'at f (a.ts:1:2)' },
      attributes: new Map<string, string | number | boolean | null>([
        ['10', 'ten'],
        ['9', 9],
        ['__proto__', 'a key like others'],
        ['text', '200'],
        ['yes', true],
        ['none', null],
      ]),
    })
    const row = {
      pattern: { hi: 1, lo: 2 },
      fingerprint: { hi: 0xffffffff, lo: 0xfffffffe },
      receivedMs: 1_750_000_000_123,
    }
    await store.load(segment([{ project, ...record, row }]))
    const [stored] = await recordsOf(store.project(project))
    const { id, pattern, fingerprint, receivedMs, ...rest } = stored as StoredRecord
    expect(rest).toEqual(record)
    expect([...rest.attributes]).toEqual([...record.attributes])
    expect({ pattern, fingerprint, receivedMs }).toEqual({
      pattern: '0000000100000002',
      fingerprint: 'fffffffffffffffe',
      receivedMs: 1_750_000_000_123,
    })
    expect(await store.project(project).byIds([id, 'log_nonsense'])).toEqual([stored])
  })

  it('stores a segment once, however often it is loaded', async () => {
    const project = freshProject()
    const loaded = segment([
      { project, message: 'a' },
      { project, message: 'b' },
    ])
    await store.load(loaded)
    await store.load(loaded)
    expect(await countOf(store.project(project))).toBe(2)
  })

  it('stores equal records of different segments as often as they were sent', async () => {
    const project = freshProject()
    const sequence = { hi: 1, lo: 1 }
    for (let i = 0; i < 2; i++) await store.load(segment([{ project, message: 'heartbeat', row: { sequence } }]))
    expect(await countOf(store.project(project))).toBe(2)
  })

  it('answers questions about many places', async () => {
    const project = freshProject()
    const kinds = [{ fingerprint: '0000000100000002', split: null }]
    const row = { fingerprint: { hi: 1, lo: 2 } }
    const attributes = new Map([['pool', 50]])
    const some = { project, timeUs: TODAY * DAY_US + 5, service: 'api', attributes }
    await store.load(
      segment([
        { ...some, message: 'api started' },
        { ...some, level: 'error', row },
      ]),
    )
    const range = { fromUs: TODAY * DAY_US, toUs: (TODAY + 1) * DAY_US }
    const place = { ranges: [range], environment: 'production', service: 'api', kinds }
    const logs = store.project(project)
    expect(await logs.errorBuckets([{ ...place, range, bucketUs: 3_600_000_000 }])).toEqual([[{ at: 0, count: 1 }]])
    const fields = [{ kind: 'core', name: 'service' } as const, { kind: 'attribute', name: 'pool' } as const]
    const values = [[{ value: 'api', count: 1 }], [{ value: '50', count: 1 }]]
    const profile = { records: 1, fields: fields.map((field, at) => ({ field, records: 1, values: values[at] })) }
    const profiled = (['errors', 'others'] as const).map((of) => ({ ...place, of }))
    expect(await logs.profiles(profiled)).toEqual([profile, profile])
    expect(await logs.valueSpans([{ ...place, field: fields[1]!, value: '50' }])).toEqual([1])
    expect(await logs.startRecords([{ ...place, range }])).toMatchObject([[{ message: 'api started', attributes }]])
  })

  it('loads only the days it is told to, and knows which it has', async () => {
    const project = freshProject()
    const whole = segment(
      [-2, -1, 0].map((ago) => ({ project, timeUs: (TODAY + ago) * DAY_US, message: `day ${ago}` })),
    )
    const days = whole.days.map(({ day }) => day)
    await store.load({ ...whole, days: whole.days.slice(0, 1) })
    expect(await store.loadedDays([whole.id, 'seg_unknown'])).toEqual(new Map([[whole.id, new Set(days.slice(0, 1))]]))
    await store.load({ ...whole, days: whole.days.slice(1) })
    expect(await store.loadedDays([whole.id])).toEqual(new Map([[whole.id, new Set(days)]]))
    expect(await countOf(store.project(project))).toBe(3)
    const range = { fromUs: (TODAY - 1) * DAY_US, toUs: TODAY * DAY_US }
    expect(await countOf(store.project(project), range)).toBe(1)
  })

  it('shows the newest first and keeps to the limit', async () => {
    const project = freshProject()
    const times = [3, 1, 2, 2]
    await store.load(
      segment(times.map((second, at) => ({ project, timeUs: TODAY * DAY_US + second * 1e6, message: `${at}` }))),
    )
    const messages = (await recordsOf(store.project(project), 3)).map(({ message }) => message)
    expect(messages).toEqual(['0', '3', '2'])
  })

  it('never shows one project the records of another, not even by id', async () => {
    const [mine, theirs] = [freshProject(), freshProject()]
    await store.load(
      segment([
        { project: mine, message: 'mine' },
        { project: theirs, message: 'theirs' },
      ]),
    )
    const [hidden] = await recordsOf(store.project(theirs), 1)
    expect(hidden?.message).toBe('theirs')
    expect((await recordsOf(store.project(mine))).map(({ message }) => message)).toEqual(['mine'])
    expect(await store.project(mine).byIds([hidden?.id ?? ''])).toEqual([])
    expect(await countOf(store.project(`${mine}' OR 1 = 1 --` as ProjectId))).toBe(0)
  })

  it('keeps hostile text to the letter', async () => {
    const project = freshProject()
    const texts = [
      '\0',
      "'",
      '"',
      '\\',
      '\\N',
      'a\n\n; DROP TABLE logs;\n\n',
      '\r\n\t',
      '{project:String}',
      '‮ €𝄞',
      '%s',
      '\n',
    ]
    const nasty = texts.map((text, at) => ({
      project,
      timeUs: TODAY * DAY_US - at - 1,
      message: text,
      environment: text,
      service: text,
      traceId: text,
      error: { type: text, message: text, stack: text },
      attributes: new Map([[text, text]]),
    }))
    await store.load(segment(nasty))
    const found = await recordsOf(store.project(project), 100)
    expect(found).toMatchObject(nasty.map(({ project: _, ...record }) => record))
    const odd = `${freshProject()}'\\\n\n\t\0; DROP TABLE logs` as ProjectId
    await store.load(segment([{ project: odd, message: 'odd' }]))
    expect((await recordsOf(store.project(odd), 5)).map(({ message }) => message)).toEqual(['odd'])
  })

  it('forgets the records of a project before a time, or all of them, and nothing of another', async () => {
    const [kept, forgotten] = [freshProject(), freshProject()]
    const days = [TODAY - 2, TODAY - 1, TODAY].map((day) => day * DAY_US + 5)
    const records = [kept, forgotten].flatMap((project) =>
      days.map((timeUs) => ({ project, ...sampleRecord({ timeUs }) })),
    )
    await store.load(segment(records))
    expect(await store.forget(forgotten, { rules: [], beforeUs: (TODAY - 1) * DAY_US })).toBe(true)
    expect(await store.forget(forgotten, { rules: [], beforeUs: (TODAY - 1) * DAY_US })).toBe(false)
    expect(await countOf(store.project(forgotten))).toBe(2)
    expect(await store.forget(forgotten, null)).toBe(true)
    expect(await countOf(store.project(forgotten))).toBe(0)
    expect(await countOf(store.project(kept))).toBe(3)
  })

  it('forgets by rule, the first that applies, and counts beforehand what would go', async () => {
    const [project, another] = [freshProject(), freshProject()]
    const days = [TODAY - 3, TODAY - 2, TODAY - 1].map((day) => day * DAY_US + 5)
    const records = [project, another].flatMap((project) =>
      days.flatMap((timeUs) => [
        { project, ...sampleRecord({ timeUs, level: 'error', message: 'error' }) },
        { project, ...sampleRecord({ timeUs, level: 'debug', service: "o'dd", message: 'odd debug' }) },
        { project, ...sampleRecord({ timeUs, level: 'debug', message: 'debug' }) },
        { project, ...sampleRecord({ timeUs, level: 'info', environment: 'staging', message: 'staging' }) },
        { project, ...sampleRecord({ timeUs, level: 'info', message: 'info' }) },
      ]),
    )
    await store.load(segment(records))
    const daysAgo = (ago: number) => ({
      levels: null,
      service: null,
      environment: null,
      beforeUs: (TODAY - ago) * DAY_US,
    })
    const past: PastRetention = {
      rules: [
        { ...daysAgo(3), levels: ['error', 'fatal'] },
        { ...daysAgo(2), service: "o'dd", levels: ['debug'] },
        { ...daysAgo(0), levels: ['trace', 'debug'] },
        { ...daysAgo(1), environment: 'staging' },
      ],
      beforeUs: (TODAY - 2) * DAY_US,
    }
    expect(await store.project(project).pastCounts(past)).toEqual([0, 1, 3, 2, 1])
    expect(await store.forget(project, past)).toBe(true)
    expect(await store.forget(project, past)).toBe(false)
    expect(await store.project(project).pastCounts(past)).toEqual([0, 0, 0, 0, 0])
    const left = (await recordsOf(store.project(project), 100)).map(({ message }) => message)
    expect(left.sort()).toEqual(['error', 'error', 'error', 'info', 'info', 'odd debug', 'odd debug', 'staging'])
    expect(await countOf(store.project(another))).toBe(15)
  })

  it('refuses numbers that the engine would silently turn into others', async () => {
    const logs = store.project(freshProject())
    for (const limit of [-1, 0, 1.5, 10_001, Number.NaN]) {
      await expect(recordsOf(logs, limit)).rejects.toMatchObject({ code: 'invalid_request' })
    }
    await expect(countOf(logs, { fromUs: 0, toUs: 1e300 })).rejects.toMatchObject({ code: 'invalid_request' })
    const late = 'log_ffffffff-ffff-7000-8000-000000000000'
    expect(await logs.byIds([late])).toEqual([])
  })
})

/** Below the interface: what keeps a query from harming others. The last test ends the engine. */
describe.skipIf(isClusterLayout)('the embedded engine', () => {
  let store: LogStore
  let dataDir: string
  let client: ClickHouseClient
  const enginePid = () => Number(readFileSync(join(dataDir, 'engine', 'engine.pid'), 'utf8').split(' ')[0])
  const ask = async (query: string, settings: Record<string, string | number> = {}) =>
    await (await client.query({ query, format: 'JSONEachRow', clickhouse_settings: settings })).json()
  const refusal = (query: string, settings = {}) =>
    ask(query, settings).then(
      () => 'answered',
      (error) => toAppError(error).code,
    )

  beforeEach((context) => {
    if (missingEngine !== undefined) context.skip(missingEngine)
    ;({ store, dataDir, client } = engine)
  })

  it('is reached through a socket that only its owner may open', () => {
    expect(statSync(engineSocket(dataDir)).mode & 0o777).toBe(0o600)
  })

  it('stops a query that is too large or too slow, and says which', async () => {
    const endless = 'SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 3'
    expect(await refusal(endless, { max_execution_time: 1 })).toBe('query_timeout')
    const large = 'SELECT groupArray(number) FROM numbers(10000000)'
    expect(await refusal(large, { max_memory_usage: '1000000' })).toBe('query_too_large')
    const many = 'SELECT number FROM numbers(100000)'
    expect(await refusal(many, { max_result_rows: '10', result_overflow_mode: 'throw' })).toBe('query_too_large')
    expect(await refusal("SELECT match('a', '((a{100}){100}){100}')")).toBe('invalid_request')
  })

  it('does not put the output of a failed query in front of the next answer', async () => {
    expect(
      await refusal('SELECT number, throwIf(number = 15000) FROM numbers(20000)', { max_block_size: '1000' }),
    ).toBe('internal')
    expect(await ask('SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('changes nothing on a connection that reads', async () => {
    expect(await refusal('SELECT 1; DROP TABLE logs')).toBe('internal')
    expect(await ask("SELECT name FROM system.tables WHERE name = 'logs' AND database = 'default'")).toHaveLength(1)
  })

  it('stops a query when nobody waits for its answer', async () => {
    const leaving = new AbortController()
    const query = 'SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 4'
    const answer = client.query({ query, abort_signal: leaving.signal }).catch(() => 'left')
    const running = () =>
      ask("SELECT count() > 0 AS yes FROM system.processes WHERE query LIKE '%= 4%' AND query NOT LIKE '%LIKE%'")
    await expect.poll(running, { timeout: 60_000 }).toEqual([{ yes: 1 }])
    leaving.abort()
    expect(await answer).toBe('left')
    await expect.poll(running, { timeout: 60_000 }).toEqual([{ yes: 0 }])
  })

  it('refuses a query at once when too many wait already', async () => {
    const leaving = new AbortController()
    setMaxListeners(100, leaving.signal)
    const refused: string[] = []
    const queries = Array.from({ length: 60 }, () =>
      client.query({ query: 'SELECT sleep(3)', abort_signal: leaving.signal }).catch((error) => {
        if (!leaving.signal.aborted) refused.push(toAppError(error).code)
      }),
    )
    await expect.poll(() => refused.length, { timeout: 60_000 }).toBeGreaterThan(0)
    leaving.abort()
    await Promise.all(queries)
    expect(refused.length).toBeLessThanOrEqual(20)
    expect(new Set(refused)).toEqual(new Set(['query_queue_full']))
    await expect.poll(() => refusal('SELECT 1'), { timeout: 60_000 }).toBe('answered')
  })

  it('makes one part of a day of a segment, with counts per minute that agree, also after records are deleted', async () => {
    const [kept, gone] = [newId('prj') as ProjectId, newId('prj') as ProjectId]
    const day = TODAY - 20
    const id = newId('seg')
    const records = [kept, kept, gone].map((project, at) => ({ project, timeUs: day * DAY_US + at * 60e6 }))
    await store.load(writeSegment(dataDir, id, records))
    const partition = `toDate(${day})`
    const parted = `SELECT toUInt32(count()) AS parts FROM system.parts WHERE table = 'logs' AND active AND toDate(min_time) = ${partition}`
    expect(await ask(parted)).toEqual([{ parts: 1 }])
    await client.command({ query: 'DELETE FROM logs WHERE project = {gone:String}', query_params: { gone } })
    const minutes = `SELECT toUInt32(sum(records)) AS total FROM (SELECT toStartOfMinute(time) AS minute, count() AS records FROM logs WHERE minute >= ${partition} AND minute < ${partition} + 1 GROUP BY minute)`
    expect(await ask(minutes, { optimize_use_projections: 0 })).toEqual([{ total: 2 }])
    expect(await ask(minutes, { optimize_use_projections: 1, force_optimize_projection: 1 })).toEqual([{ total: 2 }])
  })

  it('is noticed when it hangs, ended, and started again with all its records', { timeout: 300_000 }, async () => {
    const project = newId('prj') as ProjectId
    await store.load(writeSegment(dataDir, newId('seg'), [{ project, message: 'survives' }]))
    const before = enginePid()
    process.kill(before, 'SIGSTOP')
    const during = countOf(store.project(project))
    await expect(during).rejects.toMatchObject({ code: 'engine_restarting', status: 503 })
    await expect.poll(() => store.health()).toMatchObject({ state: 'restarting', restarts: 1 })
    await expect.poll(() => store.health().state, { timeout: 120_000, interval: 200 }).toBe('ready')
    expect(enginePid()).not.toBe(before)
    expect((await recordsOf(store.project(project), 1)).map(({ message }) => message)).toEqual(['survives'])
  })

  it('answers 503 while it is away after being killed, and can be closed meanwhile', async () => {
    process.kill(enginePid(), 'SIGKILL')
    await expect.poll(() => store.health().state).toBe('restarting')
    await expect(countOf(store.project(newId('prj') as ProjectId))).rejects.toMatchObject({ code: 'engine_restarting' })
    await store.close()
    expect(store.health().state).toBe('closed')
  })
})
