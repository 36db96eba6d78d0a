/** Measures, asked of the real engine. */
import type { Query } from '@tidemark/wire/query/ast'
import { fieldNamed } from '@tidemark/wire/query/fields'
import { DAY_US, HOUR_US } from '@tidemark/wire/time/units'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { newId } from '../../model/id.ts'
import type { ProjectId } from '../../model/project.ts'
import type { ProjectLogs } from '../log-store.ts'
import type { FieldMeasure } from '../questions.ts'
import { TODAY, writeSegment } from '../testing/segment.ts'
import { missingEngine, STORE_TIMEOUT_MS, testStore } from '../testing/test-store.ts'

const START_US = (TODAY - 2) * DAY_US
const RANGE = { fromUs: START_US, toUs: START_US + 3 * HOUR_US }
const EVERYTHING: Query = { root: null }

// An emulated engine takes its time.
vi.setConfig({ testTimeout: 120_000 })

const project = newId('prj') as ProjectId
const stranger = newId('prj') as ProjectId
let logs: ProjectLogs

beforeAll(async () => {
  if (missingEngine !== undefined) return
  const { store, dataDir } = await testStore()
  logs = store.project(project)
  const record = (timeUs: number, service: string, attributes: [string, string | number | boolean][]) => ({
    project,
    timeUs,
    service,
    message: 'request done',
    attributes: new Map<string, string | number | boolean>(attributes),
  })
  await store.load(
    writeSegment(dataDir, newId('seg'), [
      // 1 to 100 in the first hour, ten people.
      ...Array.from({ length: 100 }, (_, at) =>
        record(START_US + at, 'web', [
          ['took', at + 1],
          ['user', `user-${at % 10}`],
        ]),
      ),
      record(START_US + HOUR_US, 'web', [['took', 1_000]]),
      record(START_US + HOUR_US + 1, 'api', [['took', '500']]),
      record(START_US + HOUR_US + 2, 'api', [['took', 'inf']]),
      record(START_US + HOUR_US + 3, 'api', [['took', 'a while']]),
      record(START_US + HOUR_US + 4, '', [['user', 'user-0']]),
      {
        project: stranger,
        timeUs: START_US,
        service: 'web',
        message: 'of a stranger',
        attributes: new Map([['took', 9e9]]),
      },
    ]),
  )
}, STORE_TIMEOUT_MS)
beforeEach((context) => {
  if (missingEngine !== undefined) context.skip(missingEngine)
})

const selection = { range: RANGE, filter: EVERYTHING }
const by = (service: string, of: string, kind: FieldMeasure['kind'], limit = 10) =>
  logs.measuredGroups(selection, {
    fields: [fieldNamed(service)],
    measure: { kind, field: fieldNamed(of) },
    limit,
  })

describe('a measure', () => {
  it('takes numbers and their texts, skips what is none, and ranks highest first', async () => {
    expect(await by('service', 'took', 'max')).toEqual({
      highest: [
        { values: ['web'], count: 101, measured: 1_000 },
        { values: ['api'], count: 3, measured: 500 },
        { values: [null], count: 1, measured: null },
      ],
      groups: 3,
      total: 105,
    })
    const { highest, groups } = await by('service', 'took', 'avg', 1)
    expect(highest).toEqual([{ values: ['api'], count: 3, measured: 500 }])
    expect(groups).toBe(3)
  })

  it('gives percentiles that are close', async () => {
    const web = async (kind: FieldMeasure['kind']) =>
      (await by('service', 'took', kind)).highest.find(({ values }) => values[0] === 'web')?.measured ?? Number.NaN
    expect(Math.abs((await web('p50')) - 51)).toBeLessThan(2)
    expect(Math.abs((await web('p95')) - 96)).toBeLessThan(2)
  })

  it('counts the distinct values of any field, of all records and by group', async () => {
    const all = await logs.measuredGroups(selection, {
      fields: [],
      measure: { kind: 'distinct', field: fieldNamed('user') },
      limit: 1,
    })
    expect(all).toEqual({ highest: [{ values: [], count: 105, measured: 10 }], groups: 1, total: 105 })
    expect((await by('service', 'user', 'distinct')).highest[0]).toEqual({ values: ['web'], count: 101, measured: 10 })
    expect((await by('user', 'service', 'distinct')).highest.slice(0, 2)).toEqual([
      { values: [null], count: 4, measured: 2 },
      { values: ['user-0'], count: 11, measured: 1 },
    ])
  })

  it('is told over time for all records, for some values, and for the others together', async () => {
    const points = await logs.measuredBuckets(selection, {
      bucketUs: HOUR_US,
      measure: { kind: 'max', field: fieldNamed('took') },
      split: { field: fieldNamed('service'), values: ['web', ''] },
    })
    const sorted = points.toSorted((a, b) =>
      JSON.stringify([a.startUs, a]).localeCompare(JSON.stringify([b.startUs, b])),
    )
    expect(sorted).toHaveLength(6)
    expect(sorted).toEqual(
      expect.arrayContaining([
        { startUs: START_US, count: 100, measured: 100, of: 'all' },
        { startUs: START_US, count: 100, measured: 100, of: 'value', value: 'web' },
        { startUs: START_US + HOUR_US, count: 5, measured: 1_000, of: 'all' },
        { startUs: START_US + HOUR_US, count: 1, measured: 1_000, of: 'value', value: 'web' },
        { startUs: START_US + HOUR_US, count: 1, measured: null, of: 'value', value: '' },
        { startUs: START_US + HOUR_US, count: 3, measured: 500, of: 'others' },
      ]),
    )
    const plain = await logs.measuredBuckets(selection, {
      bucketUs: HOUR_US,
      measure: { kind: 'distinct', field: fieldNamed('user') },
    })
    expect(plain).toHaveLength(2)
    expect(plain).toContainEqual({ startUs: START_US, count: 100, measured: 10, of: 'all' })
  })

  it('is refused where a field of ours holds no numbers', async () => {
    await expect(by('service', 'host', 'p95')).rejects.toThrow('holds no numbers. Measure an attribute that does.')
  })
})

it('sums up the numbers of one attribute, in the newest records', async () => {
  const { fields } = await logs.fields(selection, { field: fieldNamed('took'), maxFields: 1, maxValues: 5 })
  const { numbers, type } = fields[0]!
  expect(type).toBe('mixed')
  expect(numbers).toMatchObject({ count: 102, min: 1, max: 1_000 })
  expect(numbers!.p50).toBeGreaterThan(49)
  expect(numbers!.p50).toBeLessThan(54)
  const listed = await logs.fields(selection, { field: fieldNamed('user'), maxFields: 1, maxValues: 5 })
  expect(listed.fields[0]?.numbers).toBeUndefined()
})
