/** Questions about many places at once, asked of the real engine and answered beside it from an array. */
import { DAY_US, MINUTE_US } from '@tidemark/wire/time/units'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ErrorKind } from '../../model/grouping-rule.ts'
import { newId } from '../../model/id.ts'
import type { AttributeValue } from '../../model/log-record.ts'
import type { ProjectId } from '../../model/project.ts'
import { placesInMemory } from '../../testing/places-in-memory.ts'
import type { LogStore, ProjectLogs } from '../log-store.ts'
import type { ProfilePlace, StoredRecord, ValuePlace } from '../questions.ts'
import { PROFILE_FIELDS, PROFILE_VALUES } from '../questions.ts'
import { recordsOf } from '../testing/all-records.ts'
import { type SegmentRecord, TODAY, writeSegment } from '../testing/segment.ts'
import { missingEngine, STORE_TIMEOUT_MS, testStore } from '../testing/test-store.ts'
import { projectLogs } from './project-logs.ts'

const START_US = (TODAY - 3) * DAY_US
const ALL = { fromUs: START_US, toUs: START_US + 3 * DAY_US }
const FIRST: ErrorKind = { fingerprint: '00000abc00000000', split: null }
const SECOND: ErrorKind = { fingerprint: '00000abc00000001', split: null }
const ON_HOST: ErrorKind = { ...SECOND, split: { field: 'host', value: 'host-1' } }
const BY_PATTERN: ErrorKind = { ...FIRST, split: { field: 'pattern', value: '0000000000000001' } }

// An emulated engine takes its time.
vi.setConfig({ testTimeout: 120_000 })

let store: LogStore
let dataDir: string
let all: StoredRecord[]
let logs: ProjectLogs
let expected: ReturnType<typeof placesInMemory>
const project = newId('prj') as ProjectId
const neighbour = newId('prj') as ProjectId
/** Of a project without records. */
const theirs = () => store.project(newId('prj') as ProjectId)

beforeAll(async () => {
  if (missingEngine !== undefined) return
  ;({ store, dataDir } = await testStore())
  logs = store.project(project)
  // The neighbour's records are the same, and in the same parts.
  await store.load(segment([...sample(project), ...sample(neighbour)]))
  all = await recordsOf(logs)
  expected = placesInMemory(all)
}, STORE_TIMEOUT_MS)
beforeEach((context) => {
  if (missingEngine !== undefined) context.skip(missingEngine)
})

const segment = (records: SegmentRecord[]) => writeSegment(dataDir, newId('seg'), records)

/** Six hundred records over two days, three at each moment. A third are errors, of three kinds. */
function sample(owner: ProjectId): SegmentRecord[] {
  return Array.from({ length: 600 }, (_, index) => ({
    project: owner,
    timeUs: START_US + Math.floor(index / 3) * 14 * MINUTE_US + 17,
    level: index % 3 === 0 ? 'error' : 'info',
    environment: index % 4 === 0 ? 'staging' : 'production',
    service: index % 5 === 0 ? '' : `service-${index % 5}`,
    host: `host-${index % 2}`,
    release: index < 300 ? '1.0' : '2.0',
    error: index % 3 === 0 ? { type: `Type${index % 7}`, message: 'broken', stack: '' } : null,
    attributes: new Map<string, AttributeValue>([
      ['http.status', index % 3 === 0 ? 500 : 200],
      ['user', index % 4 === 1 ? '42' : index % 4 === 2 ? 42 : 'ann'],
      ['request', `req ${index % 90}`],
      ['shard', `s${index % 30}`],
      ['host', 'a name of ours'],
      ...(index % 2 === 0 ? ([['cached', index % 6 === 0]] as const) : ([['empty', '']] as const)),
      ...(index % 50 === 0
        ? ([
            ['long', `${'ü'.repeat(300)}${index}`],
            ['none', null],
            ['quoted', '"said"'],
          ] as const)
        : []),
    ]),
    row: {
      pattern: { hi: 0, lo: index % 2 },
      fingerprint: index % 3 === 0 ? { hi: 0xabc, lo: (index / 3) % 3 } : null,
    },
  }))
}

const rangeOf = (fromMinutes: number, toMinutes: number) => ({
  fromUs: START_US + fromMinutes * MINUTE_US + 3,
  toUs: START_US + toMinutes * MINUTE_US + 17,
})
/** Overlapping between places, scattered within one, on the microsecond of a record, outside of all, none. */
const SOME_RANGES = [
  [ALL],
  [rangeOf(0, 28), rangeOf(500, 900), rangeOf(1_000, 1_001)],
  [rangeOf(700, 1_400), rangeOf(2_000, 2_600)],
  [{ fromUs: START_US + 17, toUs: START_US + 18 }],
  [rangeOf(4_300, 4_310)],
  [],
]
const SOME_KINDS = [[FIRST], [SECOND, FIRST], [ON_HOST], [ON_HOST, BY_PATTERN], []]
const PLACES = SOME_RANGES.flatMap((ranges) =>
  SOME_KINDS.flatMap((kinds) =>
    [null, 'service-2', ''].map((service) => ({ ranges, kinds, service, environment: 'production' })),
  ),
)

describe('buckets of errors', () => {
  it('begin with the range, each span with its own width', async () => {
    const spans = SOME_RANGES.flat().flatMap((range) =>
      SOME_KINDS.flatMap((kinds) =>
        [17 * MINUTE_US, 3 * 60 * MINUTE_US].map((bucketUs, at) => {
          return { range, kinds, bucketUs, environment: at === 0 ? 'production' : 'staging' }
        }),
      ),
    )
    const answer = await logs.errorBuckets(spans)
    expect(answer).toEqual(await expected.errorBuckets(spans))
    expect(answer.filter((buckets) => buckets.length > 1).length).toBeGreaterThan(20)
    expect(await theirs().errorBuckets(spans)).toEqual(spans.map(() => []))
  })

  it('are refused where there would be too many', async () => {
    const span = { range: ALL, kinds: [FIRST], environment: 'production', bucketUs: MINUTE_US }
    await expect(logs.errorBuckets([span])).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(logs.errorBuckets([{ ...span, bucketUs: 0 }])).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('profiles', () => {
  it('give the fields and values of errors and of all others in each place', async () => {
    const places = PLACES.flatMap((place): ProfilePlace[] => [
      { ...place, of: 'errors' },
      { ...place, of: 'others' },
    ])
    const answer = await logs.profiles(places)
    expect(answer).toEqual(await expected.profiles(places))
    expect(answer.filter(({ records }) => records > 0).length).toBeGreaterThan(50)
    const errors = places.filter(({ of }) => of === 'errors')
    expect(await logs.profiles([...errors, errors[0]!])).toEqual(await expected.profiles([...errors, errors[0]!]))
    expect(await theirs().profiles(places)).toEqual(places.map(() => ({ records: 0, fields: [] })))
  })

  it('keep to the most frequent fields, and find a frequent value among very many', async () => {
    const crowded = newId('prj') as ProjectId
    const records = Array.from({ length: 3_000 }, (_, index): SegmentRecord => {
      const rare = index % 3 === 0 ? Array.from({ length: 100 }, (_, at) => [`rare.${at}`, at] as const) : []
      const user = ['user', index % 5 === 0 ? 'the one' : `user ${index}`] as const
      return {
        project: crowded,
        timeUs: START_US + index,
        attributes: new Map<string, AttributeValue>([...rare, user]),
      }
    })
    await store.load(segment(records))
    const place = { ranges: [ALL], environment: 'production', service: null, kinds: [FIRST], of: 'others' } as const
    const [profile] = await store.project(crowded).profiles([place])
    expect(profile).toMatchObject({ records: 3_000, fields: { length: PROFILE_FIELDS } })
    const user = profile!.fields[0]!
    expect(user).toMatchObject({ field: { name: 'user' }, records: 3_000, values: { length: PROFILE_VALUES } })
    expect(user.values[0]!.value).toBe('the one')
    expect(user.values[0]!.count).toBeGreaterThan(590)
    expect(user.values[0]!.count).toBeLessThanOrEqual(600)
  })
})

describe('counting a value', () => {
  const fields = [
    ['core', 'host', 'host-1'],
    ['core', 'release', '2.0'],
    ['core', 'service', ''],
    ['core', 'error.type', 'Type3'],
    ['attribute', 'user', '42'],
    ['attribute', 'host', 'a name of ours'],
    ['attribute', 'host', 'host-1'],
    ['attribute', 'cached', 'true'],
    ['attribute', 'empty', ''],
    ['attribute', 'none', 'null'],
    ['attribute', 'quoted', '"said"'],
    ['attribute', 'long', 'ü'.repeat(256)],
    ['attribute', 'long', 'ü'.repeat(300)],
    ["attribute', 'x", "it's", 'nothing'],
  ].map(([kind, name, value]) => ({ field: { kind, name } as ValuePlace['field'], value: value! }))

  it('gives the records in each place that have it and are none of the kinds', async () => {
    const places = PLACES.flatMap((place) => fields.map((one): ValuePlace => ({ ...place, ...one })))
    const answer = await logs.valueSpans(places)
    expect(answer).toEqual(await expected.valueSpans(places))
    expect(answer.filter((count) => count > 0).length).toBeGreaterThan(200)
    expect(await theirs().valueSpans(places)).toEqual(places.map(() => 0))
  })

  it('gives what the profile of the others says', async () => {
    const place = { ranges: SOME_RANGES[2]!, environment: 'production', service: 'service-2', kinds: [ON_HOST] }
    const [profile] = await logs.profiles([{ ...place, of: 'others' }])
    const shown = profile!.fields.flatMap(({ field, values }) => values.map((one) => ({ ...place, field, ...one })))
    expect(shown.length).toBeGreaterThan(40)
    expect(await logs.valueSpans(shown)).toEqual(shown.map(({ count }) => count))
  })
})

describe('many places', () => {
  it('are asked for in as many questions as their names and times need', async () => {
    const places = Array.from({ length: 60 }, (_, at) => ({
      ranges: Array.from({ length: 20 }, (_, part) => rangeOf(part * 140 + at, part * 140 + at + 1)),
      environment: at % 2 === 0 ? 'production' : `${at}${"'ü".repeat(120)}`,
      service: at % 3 === 0 ? null : `${at}${"'ü".repeat(120)}`,
      kinds: [FIRST, { ...SECOND, split: { field: 'host', value: "'ü".repeat(127) } as const }],
      field: { kind: 'attribute', name: 'user' } as const,
      value: at % 2 === 0 ? '42' : `${at}${"'ü".repeat(120)}`,
    }))
    const profiled = places.map((place) => ({ ...place, of: 'others' as const }))
    expect(await logs.valueSpans(places)).toEqual(await expected.valueSpans(places))
    expect(await logs.profiles(profiled)).toEqual(await expected.profiles(profiled))
  })

  it('that are none, or cover no time, are not asked for', async () => {
    const nobody = projectLogs(() => {
      throw new Error('The engine was asked.')
    }, project)
    const empty = { fromUs: START_US, toUs: START_US }
    const place = { ranges: [empty], environment: 'production', service: 'api', kinds: [FIRST] }
    expect(await nobody.errorBuckets([])).toEqual([])
    expect(await nobody.errorBuckets([{ ...place, range: ALL, kinds: [], bucketUs: DAY_US }])).toEqual([[]])
    expect(await nobody.profiles([])).toEqual([])
    expect(await nobody.profiles([{ ...place, of: 'others' }])).toEqual([{ records: 0, fields: [] }])
    expect(await nobody.valueSpans([])).toEqual([])
    expect(await nobody.valueSpans([{ ...place, field: { kind: 'core', name: 'host' }, value: 'a' }])).toEqual([0])
    expect(await nobody.startRecords([])).toEqual([])
    expect(await nobody.startRecords([{ range: empty, environment: 'production', service: 'api' }])).toEqual([[]])
  })
})
