/** Whatever a verb asks of the log store ends with the call: each question carries the signal of its caller. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Control } from '../../control/open.ts'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import type { FoundPattern, StoredRecord } from '../../logstore/questions.ts'
import { logId } from '../../logstore/schema/log-id.ts'
import { sampleRecord } from '../../logstore/testing/segment.ts'
import type { Caller } from '../../model/caller.ts'
import { controlBackends } from '../../testing/control.ts'
import { errorGroup } from '../../testing/error-group.ts'
import type { Reading } from '../open-reading.ts'
import { openReading } from '../open-reading.ts'
import { firstArrivals } from './first-arrivals.ts'

const NOW_MS = Date.UTC(2026, 0, 31, 12)
const TIME_US = (NOW_MS - 60_000) * 1_000
const backend = controlBackends()[0]!
let control: Control
let caller: Caller
let analysisId: string

const record: StoredRecord = {
  ...sampleRecord({ timeUs: TIME_US, host: 'h1', traceId: 'abc' }),
  id: logId({ timeUs: TIME_US, sequence: { hi: 0, lo: 1 } }),
  pattern: '0'.repeat(16),
  fingerprint: null,
  receivedMs: NOW_MS,
}

const found: FoundPattern = {
  ...{ pattern: record.pattern, count: 1, baseCount: 0, firstUs: TIME_US, lastUs: TIME_US },
  ...{ slices: [], levels: [], services: [] },
}

beforeAll(async () => {
  control = await backend.open()
  const { id } = await control.projects.create({ name: 'a', retentionDays: 30 }, { by: 'operator', nowMs: NOW_MS })
  const project = (await control.projects.get(id))!
  caller = { kind: 'key', keyId: 'key_1', keyKind: 'read', project }
  await control.analyses.record([{ segmentId: 'seg_1', groups: [errorGroup(id, { atUs: TIME_US })] }], NOW_MS)
  const [analysis] = await control.analyses.list(id, { sort: 'lastSeen', limit: 1 }, NOW_MS * 1_000)
  analysisId = analysis!.id
  const deploy = { sha: 'a1b2c3d', environment: analysis!.environment, deployedAtUs: TIME_US - 60_000_000 }
  await control.deploys.record(id, deploy, NOW_MS)
})
afterAll(() => backend.close())

/** A store that answers every question and notes what came without the signal. `records` is what it finds. */
function storeOf(signal: AbortSignal, records: StoredRecord[]) {
  const asked: string[] = []
  const without: string[] = []
  const answers: Partial<Record<keyof ProjectLogs, unknown>> = {
    byIds: [record],
    search: { records, isEnd: true },
    total: 5,
    groups: { largest: [], groups: 0, total: 0 },
    buckets: [],
    series: { largest: [], others: [], groups: 0, total: 0 },
    patterns: { largest: [found], patterns: 1, total: 1, baseTotal: 0 },
    patternSamples: [{ pattern: found.pattern, timeUs: TIME_US, id: record.id, message: 'a' }],
    fields: { sampled: 0, fields: [] },
    places: [{ environment: 'production', service: '', count: 1 }],
    lastTimeUs: TIME_US,
    loadsSince: [],
    ofLoads: { records, matching: records.length },
  }
  /** Questions about many places at once have an answer for each. */
  const forEach: Partial<Record<keyof ProjectLogs, unknown>> = {
    errorBuckets: [],
    errorSpans: [],
    recordSpans: 3,
    serviceSpans: { records: 9, errors: 9, services: [] },
    profiles: { records: 0, fields: [] },
    valueSpans: 1,
    startRecords: [],
  }
  const logs = new Proxy({} as ProjectLogs, {
    get:
      (_, name: keyof ProjectLogs) =>
      async (...args: unknown[]) => {
        asked.push(name)
        const isCarried = args.some((one) => one === signal || (one as { signal?: unknown })?.signal === signal)
        if (!isCarried) without.push(name)
        return name in forEach ? (args[0] as unknown[]).map(() => forEach[name]) : answers[name]
      },
  })
  return { logStore: { project: () => logs }, asked, without }
}

type Ask = (reading: Reading, signal: AbortSignal) => Promise<unknown>

it.each<[string, Ask]>([
  ['listLogs', (reading, signal) => reading.listLogs(caller, { query: 'environment:stagin user:x' }, signal)],
  ['countLogs', (reading, signal) => reading.countLogs(caller, { query: 'user:x', bucket: '1h' }, signal)],
  ['countLogs', (reading, signal) => reading.countLogs(caller, { groupBy: ['service', 'host'], bucket: '1h' }, signal)],
  ['countLogs', (reading, signal) => reading.countLogs(caller, { groupBy: ['pattern', 'host'], bucket: '1h' }, signal)],
  ['listLogPatterns', (reading, signal) => reading.listLogPatterns(caller, { query: 'user:x' }, signal)],
  ['compareWindows', (reading, signal) => reading.compareWindows(caller, { query: 'user:x' }, signal)],
  ['listFields', (reading, signal) => reading.listFields(caller, { name: 'user', query: 'user:x' }, signal)],
  ['getLogContext', (reading, signal) => reading.getLogContext(caller, { id: record.id }, signal)],
  ['listAnalyses', (reading, signal) => reading.listAnalyses(caller, {}, signal)],
  ['getAnalysis', (reading, signal) => reading.getAnalysis(caller, { id: analysisId }, signal)],
  ['whatChanged', (reading, signal) => reading.whatChanged(caller, {}, signal)],
  ['whatChanged', (reading, signal) => reading.whatChanged(caller, { environment: 'production' }, signal)],
  ['whatChanged', (reading, signal) => reading.whatChanged(caller, { analysisId }, signal)],
  ['getOverview', (reading, signal) => reading.getOverview(caller, {}, signal)],
  ['listDeploys', (reading, signal) => reading.listDeploys(caller, {}, signal)],
  ['getDeploy', (reading, signal) => reading.getDeploy(caller, { id: 'latest' }, signal)],
  [
    'deployVerdict',
    (reading, signal) => reading.deployVerdict(caller, { id: 'latest' }, signal)[Symbol.asyncIterator]().next(),
  ],
  ['resolveLink', (reading, signal) => reading.resolveLink(caller, { ref: record.id }, signal)],
  ['resolveLink', (reading, signal) => reading.resolveLink(caller, { ref: '0123456789abcdef' }, signal)],
  ['resolveLink', (reading, signal) => reading.resolveLink(caller, { ref: 'nothing that anybody said' }, signal)],
  ...(['log', 'environment', 'service'] as const).map((kind): [string, Ask] => [
    'suggestNames',
    (reading, signal) => reading.suggestNames(caller, { kind, prefix: '', limit: 9 }, signal),
  ]),
  ['describeProject', (reading, signal) => reading.describeProject(caller, signal)],
  [
    'exportLogs',
    async (reading, signal) => {
      for await (const _ of (await reading.exportLogs(caller, {}, signal)).pages);
    },
  ],
  ['tailLogs', (reading, signal) => reading.tailLogs(caller, {}, signal)[Symbol.asyncIterator]().next()],
])('%s asks nothing that goes on when its caller has gone', async (_, ask) => {
  for (const records of [[], [record]]) {
    const { signal } = new AbortController()
    const { logStore, asked, without } = storeOf(signal, records)
    const parts = { control, logStore, secretKey: 'secret', publicUrl: 'http://localhost:4700', now: () => NOW_MS }
    await ask(openReading(parts), signal)
    expect(asked).not.toEqual([])
    expect(without).toEqual([])
  }
})

it('firstArrivals asks nothing that goes on when its caller has gone', async () => {
  const { signal } = new AbortController()
  const { logStore, asked, without } = storeOf(signal, [])
  await firstArrivals({ control, logStore, now: () => NOW_MS }, caller, signal)
  expect({ asked, without }).toEqual({ asked: ['lastTimeUs'], without: [] })
})
