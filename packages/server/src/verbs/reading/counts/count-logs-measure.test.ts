import { describe, expect, it } from 'vitest'
import type { ProjectLogs } from '../../../logstore/log-store.ts'
import type { FieldMeasure, MeasuredBucket } from '../../../logstore/questions.ts'
import { fieldMeasure, measureRecords } from './count-logs-measure.ts'

describe('what is measured', () => {
  it('is nothing when records are only counted', () => {
    expect(fieldMeasure({})).toBeNull()
    expect(fieldMeasure({ measure: 'count', groupBy: ['pattern'] })).toBeNull()
  })

  it('is one measure of one field', () => {
    expect(fieldMeasure({ measure: 'p95', of: 'duration' })).toEqual({
      kind: 'p95',
      field: { kind: 'attribute', name: 'duration' },
    })
    expect(fieldMeasure({ measure: 'distinct', of: 'trace_id' })).toEqual({
      kind: 'distinct',
      field: { kind: 'core', name: 'traceId' },
    })
  })

  it('is refused when half of it is missing, with what to add', () => {
    expect(() => fieldMeasure({ of: 'duration' })).toThrow('give one too, such as measure=p95, or leave of out')
    expect(() => fieldMeasure({ measure: 'max' })).toThrow('max is measured of a field: name it, such as of=duration.')
    expect(() => fieldMeasure({ measure: 'distinct', of: '' })).toThrow('such as of=user.id.')
  })

  it('is refused of patterns and by them', () => {
    expect(() => fieldMeasure({ measure: 'distinct', of: 'pattern' })).toThrow('use measure=count')
    expect(() => fieldMeasure({ measure: 'avg', of: 'took', groupBy: ['service', 'pattern'] })).toThrow(
      'use measure=count',
    )
  })
})

describe('measured records', () => {
  const MEASURE: FieldMeasure = { kind: 'max', field: { kind: 'attribute', name: 'took' } }
  const SERVICE = { kind: 'core', name: 'service' } as const
  const selection = { range: { fromUs: 0, toUs: 120e6 }, filter: { root: null } }

  /** Ten services and three buckets' worth of answers; what was asked is kept. */
  function store(points: MeasuredBucket[]) {
    const splits: unknown[] = []
    const highest = Array.from({ length: 10 }, (_, at) => ({
      values: [at === 0 ? null : `s${at}`],
      count: 1,
      measured: 10 - at,
    }))
    const logs = {
      measuredGroups: async (_: unknown, { fields, limit }: { fields: readonly unknown[]; limit: number }) =>
        fields.length === 0
          ? { highest: [{ values: [], count: 10, measured: 10 }], groups: 1, total: 10 }
          : { highest: highest.slice(0, limit), groups: 10, total: 10 },
      measuredBuckets: async (_: unknown, { split }: { split?: unknown }) => {
        splits.push(split)
        return points
      },
    } as unknown as ProjectLogs
    return { logs, splits }
  }

  it('tell the eight highest groups apart over time, the others together, and every bucket', async () => {
    const { logs, splits } = store([
      { startUs: 60e6, count: 3, measured: 9, of: 'all' },
      { startUs: 60e6, count: 1, measured: 9, of: 'value', value: '__proto__' },
      { startUs: 60e6, count: 1, measured: null, of: 'value', value: 's1' },
      { startUs: 60e6, count: 1, measured: 2, of: 'others' },
    ])
    const answer = await measureRecords(logs, selection, {
      fields: [SERVICE],
      bucketUs: 60e6,
      limit: 9,
      measure: MEASURE,
    })
    expect(splits).toEqual([{ field: SERVICE, values: ['', 's1', 's2', 's3', 's4', 's5', 's6', 's7'] }])
    expect(answer).toMatchObject({ total: 10, measured: 10, otherGroups: 1 })
    expect(answer.buckets[0]).toEqual({
      timestamp: '1970-01-01T00:00:00Z',
      count: 0,
      by: {},
      measured: null,
      measuredBy: {},
    })
    expect(answer.buckets[1]).toMatchObject({ count: 3, measured: 9, measuredOthers: 2 })
    expect(Object.entries(answer.buckets[1]?.measuredBy ?? {})).toEqual([['__proto__', 9]])
    expect(answer.buckets[1]?.by).toMatchObject({ s1: 1 })
  })

  it('are measured whole when nothing is grouped', async () => {
    const { logs } = store([])
    const answer = await measureRecords(logs, selection, { fields: [], bucketUs: null, limit: 5, measure: MEASURE })
    expect(answer).toEqual({ total: 10, measured: 10, buckets: [], groups: [], otherGroups: 0 })
  })
})
