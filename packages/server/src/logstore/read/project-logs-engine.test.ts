/** Reading, asked of the real engine. */
import type { ClickHouseClient } from '@clickhouse/client'
import { LEVELS } from '@tidemark/wire/level'
import type { Query } from '@tidemark/wire/query/ast'
import type { Field } from '@tidemark/wire/query/fields'
import { parseQuery } from '@tidemark/wire/query/parse'
import { DAY_US, MINUTE_US } from '@tidemark/wire/time/units'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { newId } from '../../model/id.ts'
import type { ProjectId } from '../../model/project.ts'
import { recordsInMemory } from '../../testing/records-in-memory.ts'
import type { LogStore, ProjectLogs } from '../log-store.ts'
import type { FieldList, Order, StoredRecord } from '../questions.ts'
import { recordsOf } from '../testing/all-records.ts'
import { type SegmentRecord, TODAY, writeSegment } from '../testing/segment.ts'
import {
  isClusterLayout,
  missingEngine,
  ONLY_COUNTS_PER_MINUTE,
  STORE_TIMEOUT_MS,
  testStore,
} from '../testing/test-store.ts'
import { projectLogs } from './project-logs.ts'

const START_US = (TODAY - 3) * DAY_US
const RANGE = { fromUs: START_US, toUs: START_US + 3 * DAY_US }
const EVERYTHING: Query = { root: null }

// An emulated engine takes its time.
vi.setConfig({ testTimeout: 120_000 })

let dataDir: string
let store: LogStore
const project = newId('prj') as ProjectId
const stranger = newId('prj') as ProjectId
let logs: ProjectLogs
let client: ClickHouseClient
let all: StoredRecord[]

beforeAll(async () => {
  if (missingEngine !== undefined) return
  ;({ store, dataDir, client } = await testStore())
  logs = store.project(project)
  await store.load(segment(sample()))
  await store.load(segment([{ project: stranger, timeUs: START_US + 5, message: 'of a stranger' }]))
  all = await recordsOf(logs)
}, STORE_TIMEOUT_MS)
beforeEach((context) => {
  if (missingEngine !== undefined) context.skip(missingEngine)
})

/** Three hundred records over two days, three at each moment, so that ties are met everywhere. */
function sample(): SegmentRecord[] {
  return Array.from({ length: 300 }, (_, index) => ({
    project,
    timeUs: START_US + Math.floor(index / 3) * 29 * MINUTE_US + 17,
    level: LEVELS[index % 6]!,
    environment: index % 4 === 0 ? 'staging' : 'production',
    service: index % 5 === 0 ? '' : `service-${index % 5}`,
    host: `host-${index % 2}`,
    message: index % 10 === 0 ? 'connection timeout' : `request ${index} done`,
    attributes: new Map<string, string | number | boolean | null>([
      ['http.status', index % 3 === 0 ? 500 : 200],
      ...(index % 2 === 0 ? ([['user', index % 4 === 0 ? '42' : 'ann']] as const) : []),
      ['cached', index % 2 === 0],
      ['level', 'a name of ours'],
    ]),
    row: { pattern: { hi: 0, lo: index % 2 }, fingerprint: index % 6 < 4 ? null : { hi: 0xabc, lo: 1 } },
  }))
}

/** The same questions, with a setting that the store never sets. */
function bareLogs(settings: Record<string, string | number>): ProjectLogs {
  const forced = new Proxy(client, {
    get: (target, name) =>
      name !== 'query'
        ? Reflect.get(target, name)
        : (question: Parameters<typeof client.query>[0]) =>
            target.query({ ...question, clickhouse_settings: { ...question.clickhouse_settings, ...settings } }),
  })
  return projectLogs(() => forced, project)
}

const segment = (records: SegmentRecord[], id = newId('seg')) => writeSegment(dataDir, id, records)

function query(text: string): Query {
  const parsed = parseQuery(text)
  if (!parsed.ok) throw new Error(parsed.error.message)
  return parsed.query
}

const core = (name: string): Field => ({ kind: 'core', name: name as 'service' })
const attribute = (name: string): Field => ({ kind: 'attribute', name })

describe('searching', () => {
  for (const order of ['newest', 'oldest'] as Order[]) {
    it(`gives every record once over pages of any size, ${order} first`, async () => {
      const expected = order === 'newest' ? all : [...all].reverse()
      for (const limit of order === 'newest' ? [64, 300] : [77, 299]) {
        const walked: StoredRecord[] = []
        for (;;) {
          const after = walked.at(-1)?.id
          const page = await logs.search({ range: RANGE, filter: EVERYTHING, order, limit, after })
          walked.push(...page.records)
          if (page.isEnd || walked.length > 1_000) break
        }
        expect(walked.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
      }
    })
  }

  it('gives what matches within the range and nothing else', async () => {
    const range = { fromUs: START_US + 100 * MINUTE_US, toUs: START_US + DAY_US }
    const filter = query('timeout environment:production')
    const { records, isEnd } = await logs.search({ range, filter, order: 'newest', limit: 500 })
    const expected = all.filter(
      ({ timeUs, message, environment }) =>
        timeUs >= range.fromUs && timeUs < range.toUs && message.includes('timeout') && environment === 'production',
    )
    expect(expected.length).toBeGreaterThan(5)
    expect(records).toEqual(expected)
    expect(isEnd).toBe(true)
  })

  it('gives fewer records at a time when all of them are too large to be answered together', async () => {
    const narrow = bareLogs({ max_result_bytes: '4000' })
    const range = { fromUs: START_US, toUs: START_US + 15 * MINUTE_US * 60 }
    const first = await narrow.search({ range, filter: EVERYTHING, order: 'oldest', limit: 90 })
    expect(first.isEnd).toBe(false)
    expect(first.records.length).toBeLessThan(90)
    const after = first.records.at(-1)?.id
    const second = await narrow.search({ range, filter: EVERYTHING, order: 'oldest', limit: 5, after })
    const walked = [...first.records, ...second.records]
    expect(walked).toEqual([...all].reverse().slice(0, walked.length))
  })

  it('stops when nobody waits any more', async () => {
    const leaving = new AbortController()
    const search = logs.search({
      range: RANGE,
      filter: EVERYTHING,
      order: 'newest',
      limit: 10,
      signal: leaving.signal,
    })
    leaving.abort(new Error('gone'))
    await expect(search).rejects.toThrow('gone')
  })
})

describe('counting', () => {
  const oddRange = { fromUs: START_US + 12_345_678, toUs: START_US + 2 * DAY_US + 1_234_567 }
  const within = ({ timeUs }: StoredRecord) => timeUs >= oddRange.fromUs && timeUs < oddRange.toUs
  const countBy = <Key>(key: (record: StoredRecord) => Key) => {
    const counts = new Map<Key, number>()
    for (const record of all.filter(within)) counts.set(key(record), (counts.get(key(record)) ?? 0) + 1)
    return counts
  }

  it('agrees with the records, from the counts per minute and without them', async () => {
    const expected: [string, (record: StoredRecord) => boolean][] = [
      ['', () => true],
      ['level:>=warn', ({ level }) => LEVELS.indexOf(level) >= 3],
      [
        'environment:staging -service:service-1',
        ({ environment, service }) => environment === 'staging' && service !== 'service-1',
      ],
      ['timeout', ({ message }) => message.includes('timeout')],
      ['@http.status:500', ({ attributes }) => attributes.get('http.status') === 500],
    ]
    for (const [text, matches] of expected) {
      const total = await logs.total({ range: oddRange, filter: query(text) })
      expect(total, text).toBe(all.filter(within).filter(matches).length)
    }
  })

  it('counts per bucket and value', async () => {
    for (const bucketUs of [60 * MINUTE_US, 10_000_000]) {
      const plain = await logs.buckets({ range: oddRange, filter: EVERYTHING }, { bucketUs })
      const expected = countBy(({ timeUs }) => Math.floor(timeUs / bucketUs) * bucketUs)
      expect(new Map(plain.map(({ startUs, count }) => [startUs, count]))).toEqual(new Map([...expected].reverse()))

      for (const originUs of [oddRange.fromUs - 7, Math.floor(oddRange.fromUs / MINUTE_US) * MINUTE_US]) {
        const aligned = await logs.buckets({ range: oddRange, filter: EVERYTHING }, { bucketUs, originUs })
        const since = countBy(({ timeUs }) => originUs + Math.floor((timeUs - originUs) / bucketUs) * bucketUs)
        expect(new Map(aligned.map(({ startUs, count }) => [startUs, count]))).toEqual(new Map([...since].reverse()))
      }

      const split = { field: core('service'), values: ['', 'service-2'] }
      const counts = await logs.buckets({ range: oddRange, filter: EVERYTHING }, { bucketUs, split })
      const bySplit = countBy(({ timeUs, service }) => {
        const told = split.values.includes(service) ? service : null
        return `${Math.floor(timeUs / bucketUs) * bucketUs} ${told}`
      })
      expect(Object.fromEntries(counts.map(({ startUs, value, count }) => [`${startUs} ${value}`, count]))).toEqual(
        Object.fromEntries(bySplit),
      )
    }
  })

  it('groups by our fields and by attributes, with null for records without', async () => {
    const selection = { range: oddRange, filter: EVERYTHING }
    const fields = [core('level'), core('service'), attribute('user')]
    const found = await logs.groups(selection, { fields, limit: 1_000 })
    const expected = countBy((record) =>
      JSON.stringify([record.level, record.service || null, record.attributes.get('user') ?? null]),
    )
    expect(Object.fromEntries(found.largest.map(({ values, count }) => [JSON.stringify(values), count]))).toEqual(
      Object.fromEntries(expected),
    )
    expect(found).toMatchObject({ groups: expected.size, total: all.filter(within).length })

    const few = await logs.groups(selection, { fields, limit: 3 })
    expect(few.largest).toEqual(found.largest.slice(0, 3))
    expect(few).toMatchObject({ groups: expected.size, total: found.total })
  })

  it('gives the most frequent values over time, and the others together, as groups and buckets would', async () => {
    const selection = { range: oddRange, filter: EVERYTHING }
    for (const field of [core('service'), attribute('user')]) {
      const bucketUs = 60 * MINUTE_US
      const { largest, groups, total } = await logs.groups(selection, { fields: [field], limit: 1_000 })
      const series = await logs.series(selection, { bucketUs, field, limit: 2 })
      expect(series).toMatchObject({ groups, total })
      expect(series.largest.map(({ value, count }) => ({ values: [value], count }))).toEqual(largest.slice(0, 2))
      const perBucket = new Map<number, number>()
      for (const { startUs, count } of [...series.largest.flatMap(({ buckets }) => buckets), ...series.others]) {
        perBucket.set(startUs, (perBucket.get(startUs) ?? 0) + count)
      }
      const plain = await logs.buckets(selection, { bucketUs })
      expect([...perBucket].sort(([a], [b]) => a - b)).toEqual(plain.map(({ startUs, count }) => [startUs, count]))
      const values = series.largest.map(({ value }) => value ?? '')
      const split = await logs.buckets(selection, { bucketUs, split: { field, values } })
      for (const { value, buckets } of series.largest) {
        const expected = split.filter((point) => point.value === (value ?? ''))
        expect(buckets).toEqual(expected.map(({ startUs, count }) => ({ startUs, count })))
      }
    }
    const nothing = { fromUs: 0, toUs: 1_000 }
    expect(
      await logs.series({ ...selection, range: nothing }, { bucketUs: 1, field: core('level'), limit: 5 }),
    ).toEqual({ largest: [], others: [], groups: 0, total: 0 })
  })

  it('groups by fingerprint and pattern in their written form', async () => {
    const fields = [core('pattern'), core('fingerprint')]
    const { largest } = await logs.groups({ range: RANGE, filter: EVERYTHING }, { fields, limit: 10 })
    expect(new Set(largest.map(({ values }) => values.join()))).toEqual(
      new Set(
        all.map(({ pattern, fingerprint }) => `${pattern === '0'.repeat(16) ? '' : pattern},${fingerprint ?? ''}`),
      ),
    )
  })

  it.skipIf(isClusterLayout)('takes the counts per minute where they are enough, and only there', async () => {
    // Without ends that are no whole minutes, every part of the question must come from the counts.
    const whole = { range: { fromUs: START_US, toUs: START_US + DAY_US }, filter: query('level:error service:s*') }
    const bucketing = { bucketUs: 60 * MINUTE_US, split: { field: core('environment'), values: ['staging'] } }
    const counts = bareLogs({ force_optimize_projection: 1 })
    expect(await counts.buckets(whole, bucketing)).toEqual(await logs.buckets(whole, bucketing))
    expect(await counts.total(whole)).toBe(await logs.total(whole))
    expect(await counts.places()).toEqual(await logs.places())
    const fields = [core('level'), core('environment'), core('service')]
    expect(await counts.groups(whole, { fields, limit: 5 })).toEqual(await logs.groups(whole, { fields, limit: 5 }))
    await expect(counts.total({ ...whole, filter: query('timeout') })).rejects.toMatchObject({ code: 'internal' })
  })
})

describe('counting many spans at once', () => {
  const spanOf = (fromMinutes: number, toMinutes: number) => ({
    fromUs: START_US + fromMinutes * MINUTE_US + 3,
    toUs: START_US + toMinutes * MINUTE_US + 40,
  })
  const within = (range: { fromUs: number; toUs: number }) => (record: StoredRecord) =>
    record.timeUs >= range.fromUs && record.timeUs < range.toUs
  const countsBy = (records: StoredRecord[], value: (record: StoredRecord) => string) => {
    const counts = new Map<string, number>()
    for (const record of records) counts.set(value(record), (counts.get(value(record)) ?? 0) + 1)
    return [...counts]
      .map(([one, count]) => ({ value: one, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
  }
  const KIND = { fingerprint: '00000abc00000001', split: null }
  const ranges = [spanOf(0, 29), spanOf(28, 29), spanOf(-5, 3_000), spanOf(400, 900), spanOf(800, 1_500)]

  it('of errors gives what each span alone holds, by the value asked for', async () => {
    const places = [null, 'production', 'staging', 'Production']
    const bys = [null, 'release', 'environment'] as const
    const spans = ranges.flatMap((range) =>
      places.flatMap((environment) => bys.map((by) => ({ range, environment, by, kinds: [KIND] }))),
    )
    const expected = spans.map(({ range, environment, by }) => {
      const inside = all
        .filter(within(range))
        .filter((one) => one.fingerprint === KIND.fingerprint && (environment ?? one.environment) === one.environment)
      return countsBy(inside, (one) => (by === null ? '' : one[by]))
    })
    expect(expected.filter((one) => one.length > 0).length).toBeGreaterThan(30)
    expect(await logs.errorSpans(spans)).toEqual(expected)
    expect(await store.project(stranger).errorSpans(spans)).toEqual(spans.map(() => []))
  })

  it('of errors tells split kinds apart, by every field that a rule splits by', async () => {
    const kinds = [
      { field: 'host', value: 'host-1' },
      { field: 'service', value: 'service-4' },
      { field: 'logger', value: 'nobody' },
      { field: 'pattern', value: '0000000000000001' },
    ] as const
    const spans = kinds.map((split) => ({
      range: RANGE,
      environment: null,
      by: null,
      kinds: [
        { ...KIND, split },
        { fingerprint: '00000abc00000002', split: null },
      ],
    }))
    const expected = kinds.map(({ field, value }) => {
      const count = all.filter((one) => one.fingerprint === KIND.fingerprint && one[field] === value).length
      return count === 0 ? [] : [{ value: '', count }]
    })
    expect(expected.filter((one) => one.length > 0)).toHaveLength(3)
    expect(await logs.errorSpans(spans)).toEqual(expected)
  })

  it('of records counts whole environments to the microsecond, from the counts per minute where it can', async () => {
    const spans = ranges.flatMap((range) =>
      ['production', 'staging', 'prod'].map((environment) => ({ range, environment })),
    )
    const expected = spans.map(
      ({ range, environment }) => all.filter(within(range)).filter((one) => one.environment === environment).length,
    )
    expect(await logs.recordSpans(spans)).toEqual(expected)
    // Of the stranger there is one record.
    const theirs = spans.map(({ range, environment }) =>
      environment === 'production' && within(range)({ ...all[0]!, timeUs: START_US + 5 }) ? 1 : 0,
    )
    expect(await store.project(stranger).recordSpans(spans)).toEqual(theirs)
    const minutes = { range: { fromUs: START_US, toUs: START_US + 600 * MINUTE_US }, environment: 'production' }
    expect(await bareLogs(ONLY_COUNTS_PER_MINUTE).recordSpans([minutes])).toEqual([
      all.filter(within(minutes.range)).filter((one) => one.environment === 'production').length,
    ])
  })

  it('of records tells services apart, with the errors among them, from the counts per minute where it can', async () => {
    const spans = ranges.flatMap((range) =>
      ['production', 'staging', 'prod'].map((environment) => ({ range, environment })),
    )
    const expected = await recordsInMemory(all).logs.serviceSpans(spans)
    expect(await logs.serviceSpans(spans)).toEqual(expected)
    const found = expected.filter(({ services }) =>
      services.some(({ errors, records }) => errors > 0 && errors < records),
    )
    expect(found.length).toBeGreaterThan(1)
    const minutes = { range: { fromUs: START_US, toUs: START_US + 600 * MINUTE_US }, environment: 'production' }
    expect(await bareLogs(ONLY_COUNTS_PER_MINUTE).serviceSpans([minutes])).toEqual(
      await recordsInMemory(all).logs.serviceSpans([minutes]),
    )
    expect(await logs.serviceSpans([])).toEqual([])
  })

  it('takes more spans than one question holds, over more stretches of time than are read apart', async () => {
    const many = Array.from({ length: 420 }, (_, at) => spanOf(at * 6, at * 6 + 2))
    const inside = many.map((range) => all.filter(within(range)))
    const errors = await logs.errorSpans(
      many.map((range) => ({ range, environment: 'x'.repeat(255), by: null, kinds: [KIND] })),
    )
    expect(errors.flat()).toEqual([])
    const records = await logs.recordSpans(many.map((range) => ({ range, environment: 'production' })))
    expect(records).toEqual(inside.map((found) => found.filter((one) => one.environment === 'production').length))
    expect(records.some((count) => count > 0)).toBe(true)
    expect(await logs.errorSpans([])).toEqual([])
    expect(await logs.recordSpans([])).toEqual([])
  })
})

describe('fields', () => {
  it('says which there are, how many records have each, their type and values', async () => {
    const listing = { maxFields: 50, maxValues: 3 }
    const { sampled, fields } = await logs.fields({ range: RANGE, filter: EVERYTHING }, listing)
    expect(sampled).toBe(all.length)
    const found = new Map(fields.map((field) => [`${field.field.kind} ${field.field.name}`, field]))
    expect(found.get('attribute http.status')).toMatchObject({
      type: 'number',
      records: 300,
      values: [
        { value: '200', count: 200 },
        { value: '500', count: 100 },
      ],
    })
    expect(found.get('attribute user')).toMatchObject({ type: 'text', records: 150 })
    expect(found.get('attribute user')?.values).toContainEqual({ value: '42', count: 75 })
    expect(found.get('attribute cached')).toMatchObject({ type: 'boolean' })
    expect(found.get('attribute level')).toMatchObject({ values: [{ value: 'a name of ours', count: 300 }] })
    expect(found.get('core level')?.values).toHaveLength(3)
    expect(found.get('core service')).toMatchObject({ records: 240 })
    expect(found.has('core release')).toBe(false)
  })

  it('finds names and values by how they begin', async () => {
    const everything = { range: RANGE, filter: EVERYTHING }
    const names = await logs.fields(everything, { prefix: 'HTTP', maxFields: 50, maxValues: 3 })
    expect(names).toMatchObject({ sampled: 300, fields: [{ field: attribute('http.status') }] })
    expect(names.fields).toHaveLength(1)
    const listing = { field: core('service'), prefix: 'service-1', maxFields: 1, maxValues: 10 }
    const values = await logs.fields(everything, listing)
    expect(values.fields.map(({ values }) => values)).toEqual([[{ value: 'service-1', count: 60 }]])
    const levels = await logs.fields(everything, { ...listing, field: core('level'), prefix: 'w' })
    expect(levels.fields.map(({ values }) => values)).toEqual([[{ value: 'warn', count: 50 }]])
  })

  it('finds names and values by what they contain, in any case', async () => {
    const everything = { range: RANGE, filter: EVERYTHING }
    for (const countsUpTo of [undefined, { ofColumns: 300, ofAttribute: 300 }]) {
      const names = await logs.fields(everything, { contains: 'STATUS', countsUpTo, maxFields: 50, maxValues: 3 })
      expect(names.fields.map(({ field }) => field)).toEqual([attribute('http.status')])
      const listing = { field: core('service'), contains: 'CE-2', countsUpTo, maxFields: 1, maxValues: 10 }
      const { fields } = await logs.fields(everything, listing)
      expect(fields).toMatchObject([{ distinct: 1, values: [{ value: 'service-2', count: 60 }] }])
      const wildcard = await logs.fields(everything, { ...listing, contains: 'service_%' })
      expect(wildcard.fields).toEqual([])
      const users = await logs.fields(everything, { ...listing, field: attribute('user'), contains: 'N' })
      expect(users.fields).toMatchObject([{ values: [{ value: 'ann', count: 75 }] }])
    }
  })

  describe('of more records than are sampled', () => {
    const crowd = newId('prj') as ProjectId
    const range = { fromUs: START_US, toUs: START_US + DAY_US }
    const countsUpTo = { ofColumns: 30_000, ofAttribute: 30_000 }
    const listing = { countsUpTo, maxFields: 50, maxValues: 2 }
    let logs: ProjectLogs

    // The newest 20,000 records are of one host and one service. Every third record has a user.
    beforeAll(async () => {
      if (missingEngine !== undefined) return
      const records = Array.from({ length: 21_000 }, (_, index) => ({
        project: crowd,
        timeUs: START_US + index * 1_000_000 + 3,
        level: index < 1_000 ? ('error' as const) : ('info' as const),
        service: index < 1_000 ? 'early' : 'late',
        host: index < 1_000 ? `host-${index % 4}` : 'host-9',
        message: index % 2 === 0 ? 'even' : 'odd',
        attributes: new Map(index % 3 === 0 ? [['user', `u-${index % 30}`]] : []),
      }))
      await store.load(segment(records))
      logs = store.project(crowd)
    })

    const valuesOf = ({ fields }: FieldList, name: string) => fields.find(({ field }) => field.name === name)

    it.each([
      ['every record', 'level:info OR level:error', 1],
      ['records that only a search finds', 'even', 2],
    ])('counts columns in %s, and attributes in the newest', async (_, text, share) => {
      const list = await logs.fields({ range, filter: query(text) }, listing)
      expect(list).toMatchObject({ total: 21_000 / share, sampled: Math.min(20_000, 21_000 / share) })
      expect(valuesOf(list, 'service')).toMatchObject({
        records: 21_000 / share,
        sampled: 21_000 / share,
        distinct: 2,
        values: [
          { value: 'late', count: 20_000 / share },
          { value: 'early', count: 1_000 / share },
        ],
      })
      expect(valuesOf(list, 'host')).toMatchObject({ distinct: share === 1 ? 5 : 3, sampled: 21_000 / share })
      expect(valuesOf(list, 'user')).toMatchObject({ sampled: list.sampled })
      expect(list.fields.filter(({ field }) => field.name === 'level')).toHaveLength(1)
    })

    it('counts an attribute in all of them when it is the only one wanted', async () => {
      const wanted = { ...listing, field: attribute('user'), maxValues: 1 }
      expect(await logs.fields({ range, filter: EVERYTHING }, wanted)).toMatchObject({
        total: 21_000,
        fields: [{ records: 7_000, sampled: 21_000, distinct: 10, values: [{ value: 'u-0', count: 700 }] }],
      })
      expect(await logs.fields({ range, filter: query('even') }, wanted)).toMatchObject({
        total: 10_500,
        fields: [{ records: 3_500, distinct: 5, values: [{ count: 700 }] }],
      })
    })

    it('counts what the counts per minute answer in any number of records, and the rest in the newest', async () => {
      const few = { ...listing, countsUpTo: { ofColumns: 20_999, ofAttribute: 20_999 } }
      const list = await logs.fields({ range, filter: EVERYTHING }, few)
      expect(list).toMatchObject({ total: 21_000, sampled: 20_000 })
      expect(valuesOf(list, 'level')?.values).toContainEqual({ value: 'error', count: 1_000 })
      expect(valuesOf(list, 'host')).toMatchObject({ sampled: 20_000, values: [{ value: 'host-9', count: 20_000 }] })
      const searched = await logs.fields({ range, filter: query('e*') }, few)
      expect(searched.total).toBeNull()
      const user = await logs.fields({ range, filter: EVERYTHING }, { ...few, field: attribute('user') })
      expect(user).toMatchObject({ total: null, sampled: 20_000, fields: [{ sampled: 20_000 }] })
    })

    it('counts only the newest without a limit up to which all are counted', async () => {
      const { countsUpTo: _, ...newest } = listing
      const list = await logs.fields({ range, filter: EVERYTHING }, newest)
      expect(list).toMatchObject({ total: null, sampled: 20_000 })
      expect(valuesOf(list, 'service')?.values).toEqual([{ value: 'late', count: 20_000 }])
    })
  })
})

describe('what becomes searchable', () => {
  it('is told by loads, however late they come, and never tells a stranger’s', async () => {
    const live = newId('prj') as ProjectId
    const tail = store.project(live)
    const record = (message: string, timeUs = START_US): SegmentRecord => ({ project: live, message, timeUs })
    await store.load(segment([record('before')]))
    const seen = new Set(await tail.loadsSince(START_US))
    expect(seen.size).toBe(1)
    await store.load(
      segment([record('next day', START_US + DAY_US), record('same time'), record('second', START_US + 1)]),
    )
    await store.load(segment([{ project: stranger, message: 'a stranger’s', timeUs: START_US }]))
    const fresh = (await tail.loadsSince(START_US)).filter((load) => !seen.has(load))
    expect(fresh).toHaveLength(2)
    const search = { sinceUs: START_US, filter: EVERYTHING, limit: 10 }
    const { records, matching } = await tail.ofLoads(fresh, search)
    expect(records.map(({ message }) => message)).toEqual(['same time', 'second', 'next day'])
    expect(matching).toBe(3)
    const cut = await tail.ofLoads(fresh, { ...search, limit: 1 })
    expect(cut.records.map(({ message }) => message)).toEqual(['next day'])
    expect(cut.matching).toBe(3)
    expect((await tail.ofLoads(fresh, { ...search, filter: query('second') })).matching).toBe(1)
  })
})

it('knows the places records come from, and when the last one was', async () => {
  const places = await logs.places()
  expect(places.reduce((sum, { count }) => sum + count, 0)).toBe(300)
  expect(new Set(places.map(({ environment }) => environment))).toEqual(new Set(['production', 'staging']))
  expect(await logs.lastTimeUs()).toBe(all[0]?.timeUs)
  expect(await store.project(newId('prj') as ProjectId).lastTimeUs()).toBeNull()
})
