/** Patterns over records in an array: what is merged, what became of it, and that a drill-down finds what was counted. */
import { parseQuery } from '@tidemark/wire/query/parse'
import { MINUTE_US } from '@tidemark/wire/time/units'
import { describe, expect, it } from 'vitest'
import { toBigInt } from '../../../analysis/pattern/hash.ts'
import { patternOf } from '../../../analysis/pattern/pattern.ts'
import type { ProjectLogs } from '../../../logstore/log-store.ts'
import { MAX_PATTERNS, type StoredRecord } from '../../../logstore/questions.ts'
import { logId } from '../../../logstore/schema/log-id.ts'
import { sampleRecord } from '../../../logstore/testing/segment.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Deploy } from '../../../model/deploy.ts'
import { recordsInMemory } from '../../../testing/records-in-memory.ts'
import { openReading } from '../../open-reading.ts'

const NOW_MS = Date.UTC(2026, 0, 31, 12)
const NOW_US = NOW_MS * 1_000
const caller = {
  kind: 'key',
  keyId: 'key_a',
  keyKind: 'read',
  project: { id: 'prj_a', retentionDays: 30 },
} as unknown as Caller
const DEPLOY = {
  ...{ id: 'dep_a', environment: 'production', status: 'succeeded' },
  deployedAtUs: NOW_US - 30 * MINUTE_US,
} as Deploy

let made = 0

/** So many records of a message, one a second, the last so many minutes ago; `#` is a number that differs. */
function said(message: string, count: number, minutesAgo: number, change: Partial<StoredRecord> = {}): StoredRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const timeUs = NOW_US - minutesAgo * MINUTE_US - (index + 1) * 1_000_000
    const text = message.replaceAll('#', String(1_000 + made))
    return {
      ...sampleRecord({ timeUs, message: text, service: 'api', ...change }),
      id: logId({ timeUs, sequence: { hi: 0, lo: made++ } }),
      pattern: toBigInt(patternOf(text).id).toString(16).padStart(16, '0'),
      fingerprint: null,
      receivedMs: NOW_MS,
      ...change,
    }
  })
}

function open(...records: StoredRecord[][]) {
  const { logs, asked } = recordsInMemory(records.flat())
  const others: Partial<ProjectLogs> = {
    fields: async () => ({ total: null, sampled: 0, fields: [] }),
    lastTimeUs: async () => Math.max(...records.flat().map(({ timeUs }) => timeUs)),
    places: async () => [{ environment: 'production', service: 'api', count: 1 }],
  }
  const all = new Proxy(logs, { get: (_, name: keyof ProjectLogs) => others[name] ?? logs[name] })
  const reading = openReading({
    control: { deploys: { get: async () => DEPLOY, next: async () => null, list: async () => [] } } as never,
    logStore: { project: () => all },
    secretKey: 'secret',
    publicUrl: 'http://localhost:4700',
    now: () => NOW_MS,
  })
  const list = (input: Parameters<typeof reading.listLogPatterns>[1] = {}) => reading.listLogPatterns(caller, input)
  /** How many records a drill-down finds. */
  const opened = (query: string, window: { from: string; to: string }) => {
    const parsed = parseQuery(query)
    if (!parsed.ok) throw new Error(parsed.error.message)
    const range = { fromUs: Date.parse(window.from) * 1_000, toUs: Date.parse(window.to) * 1_000 }
    return logs.total({ range, filter: parsed.query })
  }
  return { list, opened, asked, reading }
}

describe('the patterns of a query', () => {
  it('are counted over all its records, the most frequent first', async () => {
    const { list } = open(
      said('order # shipped', 6, 10, { level: 'info' }),
      said('order # shipped', 2, 500, { level: 'error', service: 'worker' }),
      said('cart # is empty', 2, 10, { level: 'warn' }),
    )
    const answer = await list({ limit: 1 })
    expect(answer).toMatchObject({
      ...{ records: 10, baseWindow: null, baseRecords: null, environment: null, warnings: [], empty: null },
      ...{ otherPatterns: 1, otherRecords: 2, trendSeconds: 3_600 },
    })
    expect(answer.patterns).toEqual([
      {
        id: expect.stringMatching(/^pat_[0-9a-f]{16}$/),
        pattern: 'order <*> shipped',
        count: 8,
        share: 0.8,
        state: null,
        baseCount: null,
        firstSeen: '2026-01-31T03:39:58Z',
        lastSeen: '2026-01-31T11:49:59Z',
        trend: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 6],
        levels: ['error', 'info'],
        services: ['api', 'worker'],
        query: expect.stringMatching(/^pattern:[0-9a-f]{16}$/),
        queryCount: 8,
        sampleId: expect.stringMatching(/^log_/),
        sample: expect.stringMatching(/^order \d+ shipped$/),
      },
    ])
  })

  it('are those of the query, and so is the search for their records', async () => {
    const { list, opened } = open(
      said('order # shipped', 6, 10),
      said('order # shipped', 3, 10, { service: 'worker' }),
      said('cart # is empty', 2, 10),
    )
    const answer = await list({ query: 'order', service: 'api', environment: 'production' })
    expect(answer.environment).toBe('production')
    expect(answer.patterns).toHaveLength(1)
    const { query, count } = answer.patterns[0]!
    expect(query).toMatch(/^order service:api pattern:/)
    expect([count, await opened(query ?? '', answer.window)]).toEqual([6, 6])
  })

  it('have the newest record as their sample', async () => {
    const { list } = open(said('order # shipped', 3, 90), said('order 77777 shipped', 1, 5))
    expect((await list()).patterns[0]?.sample).toBe('order 77777 shipped')
  })

  it('are one where the stored patterns have the same text, whatever numbers they are', async () => {
    const { list, opened } = open(
      said('order # shipped', 6, 10),
      said('order # shipped', 3, 10, { pattern: 'aaaaaaaaaaaaaaaa' }),
    )
    const { patterns, window } = await list()
    expect(patterns.map(({ pattern, count, queryCount }) => [pattern, count, queryCount])).toEqual([
      ['order <*> shipped', 9, 9],
    ])
    expect(await opened(patterns[0]?.query ?? '', window)).toBe(9)
  })

  it('that no query can hold have one for their most frequent messages, and say how many those are', async () => {
    const members = Array.from({ length: 230 }, (_, at) =>
      said('order # shipped', at < 10 ? 5 : 1, 10, { pattern: (at + 1).toString(16).padStart(16, '0') }),
    )
    const { list, opened } = open(...members)
    const { patterns, warnings, window } = await list()
    expect(patterns.map(({ count, queryCount }) => [count, queryCount])).toEqual([[270, 240]])
    expect(await opened(patterns[0]?.query ?? '', window)).toBe(240)
    expect(warnings).toEqual([
      {
        message:
          'A query can hold a limited number of terms, so that of 1 pattern finds only its most frequent messages: queryCount says how many records.',
      },
    ])
  })

  it('are asked for without reading messages twice', async () => {
    const { list, asked } = open(said('order # shipped', 3, 10), said('cart # is empty', 2, 10))
    const first = await list()
    asked.length = 0
    expect(await list()).toEqual(first)
    expect(asked.filter((name) => name.startsWith('pattern'))).toEqual(['patterns', 'patternSamples'])
  })

  it('say why there are none', async () => {
    const { list } = open(said('order # shipped', 3, 10))
    expect(await list({ query: 'cart' })).toMatchObject({
      patterns: [],
      records: 0,
      empty: '3 records are in this window, but none matches the query. Nothing matches "cart".',
    })
    expect((await list({ from: '-5m' })).empty).toMatch(/^There are no records in this window. The last record is from/)
  })
})

describe('patterns against a base', () => {
  const hour = { from: '-1h', compareFrom: '-2h', compareTo: '-1h' }
  const { list, opened } = open(
    ...[said('steady # beat', 100, 10), said('steady # beat', 100, 70)],
    ...[said('grown # times', 60, 10), said('grown # times', 5, 70)],
    ...[said('shrunk # times', 5, 10), said('shrunk # times', 60, 70)],
    ...[said('brand # new', 40, 10), said('long # gone', 45, 70)],
    ...[said('seen # once', 1, 10), said('left # once', 1, 70)],
  )

  it('are new, grown, gone, shrunk or steady, the most telling first, then those that are new and rare', async () => {
    const answer = await list(hour)
    expect(answer).toMatchObject({ records: 206, baseRecords: 211, otherPatterns: 0, otherRecords: 0, warnings: [] })
    expect(answer.patterns.map(({ pattern, state, count, baseCount }) => [pattern, state, count, baseCount])).toEqual([
      ['long <*> gone', 'gone', 0, 45],
      ['brand <*> new', 'new', 40, 0],
      ['grown <*> times', 'grown', 60, 5],
      ['shrunk <*> times', 'shrunk', 5, 60],
      ['seen <*> once', 'new', 1, 0],
      ['steady <*> beat', 'steady', 100, 100],
    ])
  })

  it('are named first where they are new errors, though one came only once', async () => {
    const { list } = open(
      ...[said('steady # beat', 100, 10), said('steady # beat', 100, 70)],
      ...[said('grown # times', 60, 10), said('grown # times', 5, 70)],
      ...[said('rare # debug', 2, 10, { level: 'debug' }), said('rare # warning', 1, 10, { level: 'warn' })],
      ...[said('brand # failed', 40, 10, { level: 'error' }), said('lone # failed', 2, 10, { level: 'error' })],
      said('out of # memory', 1, 10, { level: 'fatal' }),
      ...[said('known # failed', 9, 10, { level: 'error' }), said('known # failed', 9, 70, { level: 'error' })],
    )
    const { patterns } = await list(hour)
    expect(patterns.map(({ pattern, state, count }) => [pattern, state, count])).toEqual([
      ['brand <*> failed', 'new', 40],
      ['out of <*> memory', 'new', 1],
      ['lone <*> failed', 'new', 2],
      ['grown <*> times', 'grown', 60],
      ['rare <*> warning', 'new', 1],
      ['rare <*> debug', 'new', 2],
      ['steady <*> beat', 'steady', 100],
      ['known <*> failed', 'steady', 9],
    ])
  })

  it('are new only beyond chance where the base has too few records to say so', async () => {
    const { list } = open(
      ...[said('steady # beat', 200, 10), said('steady # beat', 99, 70)],
      ...[said('brand # failed', 40, 10, { level: 'error' }), said('out of # memory', 1, 10, { level: 'fatal' })],
    )
    expect((await list(hour)).patterns.map(({ pattern, state }) => [pattern, state])).toEqual([
      ['brand <*> failed', 'new'],
      ['steady <*> beat', 'steady'],
      ['out of <*> memory', 'steady'],
    ])
  })

  it('are found again in the window, and those that are gone in the base', async () => {
    const { patterns, window, baseWindow } = await list(hour)
    for (const { query, count, baseCount, queryCount, sample, state, trend } of patterns) {
      expect(await opened(query ?? '', window)).toBe(count)
      expect(await opened(query ?? '', baseWindow!)).toBe(baseCount)
      expect(queryCount).toBe(state === 'gone' ? baseCount : count)
      expect(sample).not.toBeNull()
      expect(trend.reduce((sum, one) => sum + one, 0)).toBe(count)
    }
  })

  it('may be asked against the time before, as long, without naming it', async () => {
    expect(await list({ from: '-1h', compare: 'previous' })).toEqual(await list(hour))
  })

  it('have no state where there is nothing to compare with, and the answer says so', async () => {
    const answer = await list({ from: '-2h', compareFrom: '-20h', compareTo: '-19h' })
    expect(new Set(answer.patterns.map(({ state }) => state))).toEqual(new Set([null]))
    expect(answer.patterns[0]).toMatchObject({ count: 200, baseCount: 0 })
    expect(answer.warnings).toEqual([
      { message: 'No record of the base matches, so nothing is said about what is new or grown.' },
    ])
  })

  it('are none when the window has no records: why is said of the window', async () => {
    const answer = await list({ from: '-5m', compareFrom: '-2h', compareTo: '-1h' })
    expect(answer).toMatchObject({ patterns: [], records: 0, baseRecords: 211 })
    expect(answer.empty).toMatch(/^There are no records in this window/)
  })

  it('may be those after a deploy against those before it, in its environment', async () => {
    const deployed = open(
      said('brand # new', 20, 5),
      said('steady # beat', 30, 5),
      said('steady # beat', 30, 40),
      said('elsewhere # new', 90, 5, { environment: 'staging' }),
    )
    const answer = await deployed.list({ deployId: 'dep_a' })
    expect(answer).toMatchObject({ environment: 'production', records: 50, baseRecords: 30 })
    expect(answer.window).toEqual({ from: '2026-01-31T11:30:00Z', to: '2026-01-31T12:00:00Z' })
    expect(answer.patterns.map(({ pattern, state }) => [pattern, state])).toEqual([
      ['brand <*> new', 'new'],
      ['steady <*> beat', 'steady'],
    ])
  })

  it.each([
    [{ compareFrom: '-2h' }, 'compareTo', /^compareTo is missing: give both ends of the base/],
    [{ from: '-1h', compareFrom: '-2h', compareTo: '-30m' }, 'compareFrom', /^The two windows overlap/],
    [{ deployId: 'dep_a', compareFrom: '-2h' }, 'deployId', /leave out from, to, compareFrom and compareTo/],
    [{ deployId: 'dep_a', compare: 'previous' as const }, 'compare', /leave out compareFrom, compareTo and deployId/],
    [{ query: '(' }, 'query', /^The opening parenthesis at character 1 is not closed/],
  ])('are refused for %j, with what to mend', async (input, path, message) => {
    await expect(list(input)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(message),
      fields: expect.arrayContaining([expect.objectContaining({ path })]),
    })
  })
})

describe('more kinds of messages than are looked at', () => {
  const kinds = Array.from({ length: MAX_PATTERNS + 2 }, (_, at) =>
    said('order # shipped', at < MAX_PATTERNS ? 2 : 1, 10, { pattern: at.toString(16).padStart(16, '0') }),
  )
  const { list, reading } = open(...kinds)
  const warnings = [
    {
      message:
        'Patterns are made of the 5,000 most frequent kinds of messages. 2 rarer kinds, of 2 records together, are in none of them, so a count may be too low: narrow the query or the window.',
    },
  ]

  it('are said to be left out of the patterns', async () => {
    const answer = await list()
    expect(answer).toMatchObject({ records: 10_002, otherPatterns: 0, otherRecords: 2 })
    expect(answer.patterns.map(({ count }) => count)).toEqual([10_000])
    expect(answer.warnings).toEqual(expect.arrayContaining(warnings))
  })

  it('are counted all the same', async () => {
    const input = { groupBy: ['pattern'], bucket: '1d', from: '2026-01-31T00:00:00Z', to: '2026-02-01T00:00:00Z' }
    const answer = await reading.countLogs(caller, input)
    expect(answer).toMatchObject({ total: 10_002, groups: [{ count: 10_000 }], otherGroups: 2, warnings })
    expect(answer.buckets).toMatchObject([{ count: 10_002, by: { 'order <*> shipped': 10_000 } }])
  })
})

describe('counts by pattern', () => {
  const records = [
    said('order # shipped', 6, 10),
    said('order # shipped', 3, 130, { service: 'worker', pattern: 'aaaaaaaaaaaaaaaa' }),
    said('cart # is empty', 2, 10),
  ]
  const { reading } = open(...records)
  const count = (input: Parameters<typeof reading.countLogs>[1]) => reading.countLogs(caller, input)

  it('have the text of what is counted', async () => {
    expect(await count({ groupBy: ['pattern'], limit: 1 })).toMatchObject({
      groups: [{ values: ['order <*> shipped'], count: 9 }],
      otherGroups: 1,
      total: 11,
    })
  })

  it('have it over time too', async () => {
    const { buckets, total } = await count({ groupBy: ['pattern'], bucket: '1h', from: '-3h' })
    expect(total).toBe(11)
    expect(buckets.filter((one) => one.count > 0).map(({ timestamp, by }) => [timestamp.slice(11, 16), by])).toEqual([
      ['09:00', { 'order <*> shipped': 3 }],
      ['11:00', { 'order <*> shipped': 6, 'cart <*> is empty': 2 }],
    ])
  })

  it('may be with other fields, in any order', async () => {
    const groups = [
      { values: ['order <*> shipped', 'api'], count: 6 },
      { values: ['order <*> shipped', 'worker'], count: 3 },
      { values: ['cart <*> is empty', 'api'], count: 2 },
    ]
    const answer = await count({ groupBy: ['pattern', 'service'] })
    expect(answer).toMatchObject({ groups, otherGroups: 0, total: 11 })
    const turned = await count({ groupBy: ['service', 'pattern'], bucket: '1h', from: '-3h' })
    expect(turned.groups).toEqual(groups.map(({ values, ...rest }) => ({ ...rest, values: values.toReversed() })))
    expect(turned.buckets.filter((one) => one.count > 0).map(({ by }) => by)).toEqual([{ worker: 3 }, { api: 8 }])
  })

  it('say why there is nothing', async () => {
    expect(await count({ groupBy: ['pattern'], from: '-5m' })).toMatchObject({
      groups: [],
      total: 0,
      empty: expect.stringMatching(/^There are no records in this window/),
    })
  })
})
