/** Questions about patterns, asked of the real engine and answered beside it from an array. */
import { LEVELS } from '@tidemark/wire/level'
import { parseQuery } from '@tidemark/wire/query/parse'
import { DAY_US, MINUTE_US } from '@tidemark/wire/time/units'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { newId } from '../../model/id.ts'
import type { ProjectId } from '../../model/project.ts'
import { recordsInMemory } from '../../testing/records-in-memory.ts'
import type { LogStore, ProjectLogs } from '../log-store.ts'
import type { PatternQuestion, Selection, StoredRecord } from '../questions.ts'
import { MAX_PATTERNS, PATTERN_MESSAGE_CHARACTERS, PATTERN_SLICES } from '../questions.ts'
import { recordsOf } from '../testing/all-records.ts'
import { type SegmentRecord, TODAY, writeSegment } from '../testing/segment.ts'
import { missingEngine, STORE_TIMEOUT_MS, testStore } from '../testing/test-store.ts'

const START_US = (TODAY - 3) * DAY_US
const ALL = { fromUs: START_US, toUs: START_US + 2 * DAY_US }
const [FIRST_DAY, SECOND_DAY] = [0, 1].map((day) => ({
  fromUs: START_US + day * DAY_US,
  toUs: START_US + (day + 1) * DAY_US,
})) as [Selection['range'], Selection['range']]
const HOURS = { startUs: START_US, lengthUs: 60 * MINUTE_US }

// An emulated engine takes its time.
vi.setConfig({ testTimeout: 120_000 })

let store: LogStore
let all: StoredRecord[]
let logs: ProjectLogs
let expected: ProjectLogs
const project = newId('prj') as ProjectId
const neighbour = newId('prj') as ProjectId

beforeAll(async () => {
  if (missingEngine !== undefined) return
  const { dataDir, ...test } = await testStore()
  store = test.store
  logs = store.project(project)
  // The neighbour's records are the same, and in the same parts.
  await store.load(writeSegment(dataDir, newId('seg'), [...sample(project), ...sample(neighbour)]))
  all = await recordsOf(logs)
  expected = recordsInMemory(all).logs
}, STORE_TIMEOUT_MS)
beforeEach((context) => {
  if (missingEngine !== undefined) context.skip(missingEngine)
})

/** Three hundred records over two days, three at each moment; some patterns are of one day only, one has no service. */
function sample(owner: ProjectId): SegmentRecord[] {
  return Array.from({ length: 300 }, (_, index) => {
    const kind = index % 3 === 0 ? 0 : index % 7 === 0 ? (index < 150 ? 7 : 8) : index % 11
    return {
      project: owner,
      timeUs: START_US + Math.floor(index / 3) * 28 * MINUTE_US + 17,
      level: LEVELS[kind % 6]!,
      environment: index % 4 === 0 ? 'staging' : 'production',
      service: kind === 5 ? '' : `service-${(index % 70) + 10}`,
      message: index === 298 ? 'ü'.repeat(PATTERN_MESSAGE_CHARACTERS + 5) : `request ${index} done`,
      row: { pattern: { hi: 0xfedcba98, lo: kind } },
    }
  })
}

function selection(range: Selection['range'], text = ''): Selection {
  const parsed = parseQuery(text)
  if (!parsed.ok) throw new Error(parsed.error.message)
  return { range, filter: parsed.query }
}

describe('the patterns of a selection', () => {
  it.each<[string, Selection, PatternQuestion]>([
    ['of all records', selection(ALL), { slices: HOURS, limit: 100 }],
    [
      'of a part of the time',
      selection({ fromUs: START_US + 17, toUs: START_US + DAY_US + 17 }),
      { slices: HOURS, limit: 9 },
    ],
    ['that match a query', selection(ALL, 'environment:staging'), { slices: HOURS, limit: 100 }],
    ['beside a base before', selection(SECOND_DAY), { base: FIRST_DAY, slices: HOURS, limit: 100 }],
    [
      'beside a base that is later, and to the limit',
      selection(FIRST_DAY, 'environment:production'),
      { base: SECOND_DAY, slices: { startUs: START_US - 1, lengthUs: 7_777_777_777 }, limit: 3 },
    ],
    [
      'of one that only the base has',
      selection(SECOND_DAY, 'pattern:fedcba9800000007'),
      { base: FIRST_DAY, slices: HOURS, limit: 9 },
    ],
    [
      'where there is nothing',
      selection({ fromUs: START_US - DAY_US, toUs: START_US }),
      { slices: { startUs: 0, lengthUs: DAY_US * 365 }, limit: 9 },
    ],
  ])('are counted as from an array: %s', async (_, asked, question) => {
    expect(await logs.patterns(asked, question)).toEqual(await expected.patterns(asked, question))
  })

  it('say how many there are beyond the limit, and in how many records', async () => {
    const { largest, patterns, total, baseTotal } = await logs.patterns(selection(SECOND_DAY), {
      base: FIRST_DAY,
      slices: HOURS,
      limit: 1,
    })
    expect(largest).toHaveLength(1)
    expect([patterns, total + baseTotal]).toEqual([new Set(all.map(({ pattern }) => pattern)).size, all.length])
  })

  it.each<[string, Partial<PatternQuestion>]>([
    ['too many patterns', { limit: MAX_PATTERNS + 1 }],
    ['too many slices', { slices: { startUs: START_US, lengthUs: Math.floor((2 * DAY_US) / (PATTERN_SLICES + 1)) } }],
    ['slices that begin inside the range', { slices: { startUs: START_US + 1, lengthUs: DAY_US } }],
    ['slices without a length', { slices: { startUs: START_US, lengthUs: 0 } }],
  ])('are refused with %s', async (_, wrong) => {
    const question = { slices: HOURS, limit: 100, ...wrong }
    await expect(logs.patterns(selection(ALL), question)).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('the samples of patterns', () => {
  const places = (records: readonly StoredRecord[]) => records.map(({ pattern, timeUs }) => ({ pattern, timeUs }))
  const byPlace = (a: { pattern: string; timeUs: number }, b: { pattern: string; timeUs: number }) =>
    a.timeUs - b.timeUs || (a.pattern < b.pattern ? -1 : 1)

  it('are the newest records at their places, with the beginning of a long message', async () => {
    const asked = [...new Map(all.map((one) => [`${one.pattern} ${one.timeUs}`, one])).values()]
    const everything = { filter: { root: null } }
    const found = await logs.patternSamples(everything, places(asked))
    expect(found.sort(byPlace)).toEqual((await expected.patternSamples(everything, places(asked))).sort(byPlace))
    expect(found.map(({ message }) => message)).toContain('ü'.repeat(PATTERN_MESSAGE_CHARACTERS))
  })

  it('match the query', async () => {
    const { filter } = selection(ALL, 'environment:staging')
    const found = await logs.patternSamples({ filter }, places(all))
    const staging = new Set(all.filter(({ environment }) => environment === 'staging').map(({ id }) => id))
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter(({ id }) => !staging.has(id))).toEqual([])
  })

  it('are left out where there is no such pattern at that time, and of another project', async () => {
    const [newest] = all as [StoredRecord]
    const wrong = [
      { pattern: newest.pattern, timeUs: newest.timeUs + 1 },
      { pattern: 'ffffffffffffffff', timeUs: newest.timeUs },
    ]
    expect(await logs.patternSamples({ filter: { root: null } }, wrong)).toEqual([])
    const theirs = store.project(newId('prj') as ProjectId)
    expect(await theirs.patternSamples({ filter: { root: null } }, places(all))).toEqual([])
  })
})
