/** Lists of analyses and records of analyses, over a real control store; only the records are counted by the test itself. */
import type { AnalysesInput } from '@tidemark/wire/analyses/analysis'
import { printQuery } from '@tidemark/wire/query/print'
import { HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeError } from '../../analysis/group/describe-error.ts'
import type { ErrorGroup } from '../../control/analyses/place-errors.ts'
import type { Control } from '../../control/open.ts'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import type { LogSearch, Selection, Series, StoredRecord } from '../../logstore/questions.ts'
import { sampleRecord } from '../../logstore/testing/segment.ts'
import type { Caller } from '../../model/caller.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import { controlBackends } from '../../testing/control.ts'
import { errorGroup } from '../../testing/error-group.ts'
import { openReading } from '../open-reading.ts'

const NOW_MS = Date.UTC(2026, 0, 31, 12)
const NOW_US = NOW_MS * 1_000
const change = { by: 'operator', nowMs: NOW_MS }
const backend = controlBackends()[0]!

let control: Control
let project: ProjectWithSettings
let count = 0

beforeAll(async () => {
  control = await backend.open()
})
beforeEach(async () => {
  project = await newProject()
})
afterAll(() => backend.close())

async function newProject(): Promise<ProjectWithSettings> {
  count += 1
  const { id } = await control.projects.create({ name: `Project ${count}`, retentionDays: 30 }, change)
  return (await control.projects.get(id))!
}

const callerOf = (one: ProjectWithSettings): Caller => ({ kind: 'key', keyId: 'key_1', keyKind: 'read', project: one })

const NO_SERIES: Series = { largest: [], others: [], groups: 0, total: 0 }

/** What the log store was asked, and answers from an array. */
function open(records: StoredRecord[] = [], series: Series = NO_SERIES) {
  const asked: { searches: LogSearch[]; series: Selection[] } = { searches: [], series: [] }
  const logs = {
    async search(search: LogSearch) {
      asked.searches.push(search)
      const { fromUs, toUs } = search.range
      return { records: records.filter(({ timeUs }) => timeUs >= fromUs && timeUs < toUs), isEnd: true }
    },
    async series(selection: Selection) {
      asked.series.push(selection)
      return series
    },
    errorSpans: async (spans: readonly unknown[]) => spans.map(() => []),
    recordSpans: async (spans: readonly unknown[]) => spans.map(() => 1),
    errorBuckets: async (spans: readonly unknown[]) => spans.map(() => []),
    profiles: async (places: readonly unknown[]) => places.map(() => ({ records: 0, fields: [] })),
    valueSpans: async (places: readonly unknown[]) => places.map(() => 0),
    startRecords: async (spans: readonly unknown[]) => spans.map(() => []),
    fields: async () => ({ total: null, sampled: 0, fields: [] }),
    lastTimeUs: async () => null,
  } as unknown as ProjectLogs
  const reading = openReading({
    control,
    logStore: { project: () => logs },
    secretKey: 'secret',
    publicUrl: 'http://localhost:4700',
    now: () => NOW_MS,
  })
  const list = (input: AnalysesInput = {}) => reading.listAnalyses(callerOf(project), input)
  return { reading, asked, list }
}

let segments = 0
async function record(...groups: (Partial<ErrorGroup> & { atUs: number })[]): Promise<void> {
  segments += 1
  const segment = { segmentId: `seg_${segments}`, groups: groups.map((one) => errorGroup(project.id, one)) }
  await control.analyses.record([segment], NOW_MS)
}

const fingerprint = (index: number) => String(index).padStart(16, '0')
const deployAt = async (deployedAtUs: number, some: { environment?: string; status?: 'failed' } = {}) =>
  (await control.deploys.record(project.id, { sha: 'abc', environment: 'production', deployedAtUs, ...some }, NOW_MS))
    .deploy

describe('walking through analyses', () => {
  it.each(['rank', 'lastSeen', 'firstSeen', 'count'] as const)('by %s gives each once', async (sort) => {
    await record(
      ...Array.from({ length: 23 }, (_, index) => ({
        fingerprint: fingerprint(index),
        atUs: NOW_US - (1 + (index % 7)) * HOUR_US,
        count: 1 + (index % 5),
      })),
    )
    const { list } = open()
    const seen: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await list({ sort, limit: 4, cursor })
      seen.push(...page.analyses.map(({ id }) => id))
      expect(page.window.to).toBe(formatRfc3339(NOW_US))
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
    expect(new Set(seen).size).toBe(23)
    expect(seen).toHaveLength(23)
    expect(seen).toEqual((await list({ sort, limit: 500 })).analyses.map(({ id }) => id))
  })

  it('by rank stays the same although errors and analyses arrive between the pages', async () => {
    const all = Array.from({ length: 12 }, (_, index) => fingerprint(index))
    await record(...all.map((one, index) => ({ fingerprint: one, atUs: NOW_US - (2 + index) * HOUR_US })))
    const line = (value: string, count: number) => ({
      value,
      count,
      buckets: [{ startUs: NOW_US - 2 * HOUR_US, count }],
    })
    const series = { ...NO_SERIES, largest: all.map((value, index) => line(value, 4 ** (index % 4))) }
    const { list } = open([], series)
    const whole = (await list({ limit: 500 })).analyses.map(({ id }) => id)
    const seen: string[] = []
    for (let cursor: string | undefined, page = 0; ; page++) {
      const { analyses, nextCursor } = await list({ limit: 3, cursor })
      seen.push(...analyses.map(({ id }) => id))
      if (nextCursor === null) break
      cursor = nextCursor
      // The last ones become the newest and the most frequent, and there is one more that began after the window.
      const again = { atUs: NOW_US + MINUTE_US, count: 10_000 }
      await record({ fingerprint: all[11 - page]!, ...again }, { fingerprint: fingerprint(100 + page), ...again })
    }
    expect(seen).toEqual(whole)
  })

  it('is bound to the question and to the project', async () => {
    await record(...[1, 2, 3].map((index) => ({ fingerprint: fingerprint(index), atUs: NOW_US - HOUR_US })))
    const { list, reading } = open()
    const { nextCursor } = await list({ limit: 1 })
    await expect(list({ cursor: nextCursor!, limit: 1, sort: 'count' })).rejects.toThrow('belongs to another question')
    const other = callerOf(await newProject())
    await expect(reading.listAnalyses(other, { cursor: nextCursor! })).rejects.toThrow('belongs to another project')
    await expect(reading.listLogs(callerOf(project), { cursor: nextCursor! })).rejects.toThrow('another question')
  })

  it('says when there are more than can be ranked', async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => ({
      fingerprint: fingerprint(index),
      atUs: NOW_US - HOUR_US - index,
    }))
    await record(...many)
    const { list } = open()
    const { warnings, analyses } = await list({ limit: 5 })
    expect(analyses).toHaveLength(5)
    expect(warnings.map(({ message }) => message)).toEqual([
      'More than 1,000 analyses are in this window: the 1,000 that were seen last are ranked. Narrow the window, or sort by lastSeen to page through all.',
    ])
    expect((await list({ limit: 5, sort: 'lastSeen' })).warnings).toEqual([])
  })
})

describe('a list of analyses', () => {
  it('ranks what is new after a deploy first, and says why', async () => {
    const deploy = await deployAt(NOW_US - 2 * HOUR_US)
    await record(
      { fingerprint: fingerprint(1), atUs: NOW_US - 20 * HOUR_US, lastUs: NOW_US - MINUTE_US, count: 900 },
      { fingerprint: fingerprint(2), atUs: deploy.deployedAtUs + 4 * MINUTE_US, count: 3 },
    )
    const { analyses } = await open().list()
    expect(analyses.map(({ rankReason }) => rankReason)).toEqual([
      'new 4 min after a deploy, 0 errors in the window',
      'new, 0 errors in the window',
    ])
    expect(analyses[0]).toMatchObject({
      summary:
        'First seen in shop 4 min after abc was deployed to production. 3 errors in all, the last 1 h 56 min ago.',
      correlatedDeploy: { deployId: deploy.id, source: 'recorded', elapsedSeconds: 240, confidence: 'medium' },
      correlatedDeployReason: null,
    })
    expect(analyses[1]).toMatchObject({
      correlatedDeploy: null,
      correlatedDeployReason: 'the first deploy in production came 18 h after this error',
    })
  })

  it('shows what is open, counts all states, and shows others when asked', async () => {
    await record(...[1, 2, 3].map((index) => ({ fingerprint: fingerprint(index), atUs: NOW_US - HOUR_US })))
    const { list } = open()
    const [one, two] = (await list()).analyses
    await control.analyses.setStatuses(project.id, [one!.id], 'resolved', change)
    await control.analyses.setStatuses(project.id, [two!.id], 'ignored', change)
    const { analyses, states } = await list()
    expect(analyses).toHaveLength(1)
    expect(states).toEqual({ new: 1, ongoing: 0, regressed: 0, resolved: 1, ignored: 1 })
    expect((await list({ state: 'ignored' })).analyses.map(({ id }) => id)).toEqual([two!.id])
    expect((await list({ state: 'regressed' })).empty).toBe(
      'No analysis here is regressed. Others are: 1 new, 1 resolved, 1 ignored. Choose another state.',
    )
  })

  it('of what a deploy introduced holds what began until the next one there', async () => {
    const deploy = await deployAt(NOW_US - 50 * HOUR_US)
    await deployAt(NOW_US - 49 * HOUR_US, { status: 'failed' })
    await deployAt(NOW_US - 49 * HOUR_US, { environment: 'staging' })
    const next = await deployAt(NOW_US - 48 * HOUR_US)
    await record(
      { fingerprint: fingerprint(1), atUs: deploy.deployedAtUs - 1 },
      { fingerprint: fingerprint(2), atUs: deploy.deployedAtUs },
      { fingerprint: fingerprint(3), atUs: next.deployedAtUs - 1 },
      { fingerprint: fingerprint(4), atUs: next.deployedAtUs },
      { fingerprint: fingerprint(5), atUs: deploy.deployedAtUs, environment: 'staging' },
    )
    const { list } = open()
    const introduced = async (id: string) => {
      const { analyses } = await list({ introducedBy: id, sort: 'firstSeen' })
      expect(analyses.every(({ correlatedDeploy }) => correlatedDeploy?.deployId === id)).toBe(true)
      return analyses.map(({ title }) => title)
    }
    expect(await introduced(deploy.id)).toEqual([`Error ${fingerprint(3)}`, `Error ${fingerprint(2)}`])
    expect(await introduced(next.id)).toEqual([`Error ${fingerprint(4)}`])
    const failed = await deployAt(NOW_US - 47 * HOUR_US, { status: 'failed' })
    const { analyses, warnings, empty } = await list({ introducedBy: failed.id })
    expect(analyses).toEqual([])
    expect([...warnings.map(({ message }) => message), empty]).toEqual([
      'This deploy failed, so no analysis is correlated with it.',
      'No analysis that matches began with this deploy.',
    ])
    await expect(list({ introducedBy: 'dep_unknown' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(list({ introducedBy: deploy.id, environment: 'prod' })).rejects.toThrow('went to "production"')
  })

  it('says why it is empty, and where there is something', async () => {
    const { list } = open()
    expect((await list()).empty).toMatch(
      /^No error was analysed yet\. .* send some to http:\/\/localhost:4700\/v1\/logs\.$/,
    )
    await record({ fingerprint: fingerprint(1), atUs: NOW_US - 48 * HOUR_US })
    expect((await list()).empty).toBe(
      'No analysis was seen in this window. The last error of one is from 2026-01-29T12:00:00Z: move the window there.',
    )
    expect((await list({ environment: 'prod' })).empty).toBe(
      'There is no analysis in environment "prod". Did you mean "production"? Names match exactly.',
    )
    expect((await list({ from: '-7d', query: 'unheard of' })).empty).toBe(
      'Analyses were seen in this window, but none matches: remove a filter or a word.',
    )
  })

  it('has the trend of each, merged groups together, and none for what is split', async () => {
    await record(...[1, 2, 3].map((index) => ({ fingerprint: fingerprint(index), atUs: NOW_US - HOUR_US })))
    const ids = new Map((await open().list()).analyses.map(({ title, id }) => [title, id]))
    const idOf = (index: number) => ids.get(`Error ${fingerprint(index)}`) ?? ''
    const merge = { kind: 'merge', analysisId: idOf(1), intoAnalysisId: idOf(2) } as const
    await control.groupingRules.add(project.id, merge, change)
    await control.groupingRules.add(project.id, { kind: 'split', analysisId: idOf(3), by: 'host' }, change)
    const at = (hours: number, count: number) => ({ startUs: NOW_US - hours * HOUR_US, count })
    const largest = [
      { value: fingerprint(1), count: 5, buckets: [at(24, 2), at(1, 3)] },
      { value: fingerprint(2), count: 10, buckets: [at(1, 10)] },
      { value: fingerprint(3), count: 7, buckets: [at(1, 7)] },
      { value: null, count: 1, buckets: [at(1, 1)] },
    ]
    const { analyses } = await open([], { ...NO_SERIES, largest }).list()
    const trends = new Map(analyses.map(({ id, trend }) => [id, trend]))
    expect(trends.get(idOf(2))).toEqual([2, ...new Array(22).fill(0), 13])
    expect(trends.get(idOf(3))).toEqual([])
  })

  it('has trends that end now where the range ends later', async () => {
    await record({ fingerprint: fingerprint(1), atUs: NOW_US - HOUR_US })
    const { window, analyses } = await open().list({ from: '-24h', to: 'now+24h' })
    expect(window).toEqual({ from: '2026-01-30T12:00:00Z', to: '2026-01-31T12:00:00Z' })
    expect(analyses.map(({ trend }) => trend.length)).toEqual([24])
  })

  it('asks the log store once for each environment', async () => {
    await record(
      { fingerprint: fingerprint(1), atUs: NOW_US - HOUR_US },
      { fingerprint: fingerprint(2), atUs: NOW_US - HOUR_US },
      { fingerprint: fingerprint(2), atUs: NOW_US - HOUR_US, environment: 'staging' },
    )
    const { list, asked } = open()
    await list()
    expect(asked.series.map(({ filter }) => printQuery(filter)).sort()).toEqual([
      'has:fingerprint environment:production',
      'has:fingerprint environment:staging',
    ])
  })
})

describe('a search for words', () => {
  it('finds an analysis by its title, type, place, messages and stack, and by nothing else', async () => {
    const stack =
      'RangeError: too far\n    at Ledger.settle (/srv/src/ledger.ts:7:3)\n    at dispatch (/srv/node_modules/bus/i.js:1:1)'
    const error = { type: 'RangeError', message: 'too far', stack }
    const said = { level: 'error', message: 'Checkout of cart 9 failed', service: 'shop', logger: '', error } as const
    const { message, error: kept, ...face } = describeError(said)
    const sample = { logId: 'log_1', message, error: kept, environmentDefaulted: false }
    await record({ fingerprint: fingerprint(1), atUs: NOW_US - HOUR_US, ...face, sample })
    await record({ fingerprint: fingerprint(2), atUs: NOW_US - HOUR_US })
    const { list } = open()
    const found = async (query: string) => (await list({ query })).analyses.map(({ type }) => type)
    const words = [
      'rangeerror',
      'TOO far',
      'settle',
      'Ledger.settle',
      'ledger.ts:7',
      'bus/i.js',
      'dispatch',
      'checkout',
    ]
    for (const query of [...words, 'cart 9 settle', '"of cart 9"', ' "Checkout of"  dispatch ']) {
      expect(await found(query), query).toEqual(['RangeError'])
    }
    for (const query of ['"9 cart"', 'settle nowhere', 'led_er', '%', '"settle', 'shop']) {
      expect(await found(query), query).toEqual([])
    }
    for (const query of ['', '  ', '""', 'error']) expect(await found(query), query).toHaveLength(2)
    await expect(found('a\0b')).rejects.toThrow('holds a NUL or half of a character pair')
  })
})

describe('another project', () => {
  it('has nothing of it: not in lists, not by id, not as an anchor or a filter', async () => {
    await record({ fingerprint: fingerprint(1), atUs: NOW_US - HOUR_US })
    const { list, reading } = open()
    const [{ id } = { id: '' }] = (await list()).analyses
    const deploy = await deployAt(NOW_US - HOUR_US)
    const stranger = callerOf(await newProject())
    expect((await reading.listAnalyses(stranger, {})).analyses).toEqual([])
    await expect(reading.getAnalysis(stranger, { id })).rejects.toMatchObject({ code: 'not_found' })
    await expect(reading.listLogs(stranger, { analysisId: id })).rejects.toMatchObject({ code: 'not_found' })
    await expect(reading.listLogs(stranger, { deployId: deploy.id })).rejects.toMatchObject({ code: 'not_found' })
    await expect(reading.listLogs(stranger, { from: `analysis:${id}` })).rejects.toMatchObject({
      code: 'invalid_request',
    })
    await expect(reading.listAnalyses(stranger, { introducedBy: deploy.id })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('the stack of an analysis', () => {
  const FRAMES = '    at pay (/app/src/pay.ts:3:1)\n    at next (/app/node_modules/router/index.js:12:5)'
  it.each([
    [
      'that of the field of the error',
      { message: 'it failed', stack: `TypeError: own\n${FRAMES}` },
      `TypeError: own\n${FRAMES}`,
    ],
    [
      'that of the message where that field is empty',
      { message: `TypeError: said\n${FRAMES}`, stack: '' },
      `TypeError: said\n${FRAMES}`,
    ],
    ['empty where neither has one', { message: 'it failed', stack: '' }, ''],
  ])('as it was logged is %s', async (_, { message, stack }, raw) => {
    const error = { type: 'TypeError', message: 'it failed', stack }
    const sample = { logId: 'log_1', message, error, environmentDefaulted: false }
    await record({ fingerprint: fingerprint(1), atUs: NOW_US - HOUR_US, sample })
    const { list, reading } = open()
    const { id } = (await list()).analyses[0]!
    const { analysis } = await reading.getAnalysis(callerOf(project), { id, include: ['stack'] })
    expect(analysis.rawStack).toBe(raw)
    expect(analysis.stack.flatMap(({ frames }) => frames).map((frame) => frame.function)).toEqual(
      raw === '' ? [] : ['pay', 'next'],
    )
  })
})

describe('records and their analyses', () => {
  const stored = (change: Partial<StoredRecord>): StoredRecord => ({
    ...sampleRecord(),
    id: 'log_1',
    pattern: fingerprint(9),
    environment: 'production',
    timeUs: NOW_US - HOUR_US,
    receivedMs: NOW_MS - 3_600_000,
    fingerprint: null,
    ...change,
  })

  it('a row names its analysis, through merges, and the overflow only when it has none of its own', async () => {
    await record(...[1, 2].map((index) => ({ fingerprint: fingerprint(index), atUs: NOW_US - HOUR_US })), {
      fingerprint: 'overflow',
      atUs: NOW_US - HOUR_US,
      environment: 'flooded',
    })
    const byTitle = new Map((await open().list()).analyses.map(({ title, id }) => [title, id]))
    const [from, into] = [1, 2].map((index) => byTitle.get(`Error ${fingerprint(index)}`) ?? '')
    await control.groupingRules.add(project.id, { kind: 'merge', analysisId: from!, intoAnalysisId: into! }, change)
    const overflow = (await open().list({ environment: 'flooded' })).analyses[0]?.id
    const { reading } = open([
      stored({ id: 'log_a', fingerprint: fingerprint(1) }),
      stored({ id: 'log_b', fingerprint: fingerprint(2) }),
      stored({ id: 'log_c', fingerprint: fingerprint(3) }),
      stored({ id: 'log_d', environment: 'flooded', fingerprint: fingerprint(3) }),
      stored({ id: 'log_e', environment: 'flooded', fingerprint: fingerprint(4), receivedMs: NOW_MS - 1_000 }),
      stored({ id: 'log_f' }),
    ])
    const { rows } = await reading.listLogs(callerOf(project), {})
    const ids = Object.fromEntries(rows.map((row) => [row.id, row.kind === 'log' ? row.analysisId : 'a deploy']))
    expect(ids).toEqual({ log_a: into, log_b: into, log_c: null, log_d: overflow, log_e: null, log_f: null })
    expect(overflow).toMatch(/^ana_/)
  })

  it('are searched by analysis since it was first seen, and by deploy while it ran', async () => {
    const deploy = await deployAt(NOW_US - 60 * HOUR_US)
    const next = await deployAt(NOW_US - 50 * HOUR_US)
    await record({ fingerprint: fingerprint(1), atUs: NOW_US - 55 * HOUR_US })
    const { reading, asked, list } = open()
    const id = (await list({ from: '-7d' })).analyses[0]!.id
    const searched = async (input: object) => {
      const answer = await reading.listLogs(callerOf(project), input).catch(({ message }: Error) => message)
      const search = asked.searches.at(-1)!
      return typeof answer === 'string' ? answer : { ...search.range, query: printQuery(search.filter) }
    }
    expect(await searched({ analysisId: id })).toEqual({
      fromUs: NOW_US - 55 * HOUR_US,
      toUs: NOW_US,
      query: `fingerprint:${fingerprint(1)} environment:production`,
    })
    expect(await searched({ deployId: deploy.id, query: 'timeout' })).toEqual({
      fromUs: deploy.deployedAtUs,
      toUs: next.deployedAtUs,
      query: 'timeout environment:production',
    })
    expect(await searched({ deployId: next.id, from: '-1h' })).toMatchObject({ fromUs: NOW_US - HOUR_US, toUs: NOW_US })
    expect(await searched({ deployId: next.id, environment: 'prod' })).toMatch(/^The deploy went to "production"/)
    expect(await searched({ from: `analysis:${id}-5m`, to: `analysis:${id}` })).toMatchObject({
      fromUs: NOW_US - 55 * HOUR_US - 5 * MINUTE_US,
      toUs: NOW_US - 55 * HOUR_US,
    })
  })
})
