import type { DeployRow, LogRow } from '@tidemark/wire/reading/row'
import { describe, expect, it } from 'vitest'
import { unbroken } from '../../text/unbroken.ts'
import { traceOf } from './trace-of.ts'
import { laneUs, MAX_LANES, microseconds, sinceWords, waterfallOf } from './waterfall.ts'

function record(id: string, timestamp: string, rest: Partial<LogRow> = {}): LogRow {
  return {
    kind: 'log',
    id,
    timestamp,
    level: 'info',
    environment: 'production',
    environmentDefaulted: false,
    service: 'web',
    host: '',
    logger: '',
    release: '',
    message: '',
    truncated: false,
    error: null,
    attributes: {},
    traceId: 't',
    spanId: '',
    pattern: '',
    fingerprint: null,
    analysisId: null,
    ...rest,
  }
}
const deploy = (id: string, timestamp: string): DeployRow => ({
  kind: 'deploy',
  id,
  timestamp,
  environment: 'production',
  sha: 'abc',
  ref: null,
  status: 'succeeded',
  author: null,
  message: null,
  url: null,
})

describe('a waterfall', () => {
  it('has a lane for each span of each service, in the order in which they begin', () => {
    const { lanes, services, errors, lengthUs } = waterfallOf([
      record('1', '2026-11-15T00:00:00.000100Z', { spanId: 'a' }),
      record('2', '2026-11-15T00:00:00.000300Z', { service: 'api', spanId: 'b', level: 'error' }),
      record('3', '2026-11-15T00:00:00.000500Z', { spanId: 'a' }),
      record('4', '2026-11-15T00:00:00.000500Z', { spanId: 'c', level: 'fatal' }),
    ])
    expect(lanes.map(({ service, span, from, to, errors: its }) => [service, span, from, to, its])).toEqual([
      ['web', 'a', 0, 1, 0],
      ['api', 'b', 0.5, 0.5, 1],
      ['web', 'c', 1, 1, 1],
    ])
    expect({ services, errors, lengthUs }).toEqual({ services: 2, errors: 2, lengthUs: 400 })
  })

  it('shows the deploys between its first and last record, and no others', () => {
    const { deploys } = waterfallOf([
      deploy('before', '2026-11-14T23:00:00Z'),
      record('1', '2026-11-15T00:00:00Z'),
      deploy('during', '2026-11-15T00:00:01Z'),
      record('2', '2026-11-15T00:00:04Z'),
      deploy('after', '2026-11-15T01:00:00Z'),
    ])
    expect(deploys.map(({ row, share }) => [row.id, share])).toEqual([['during', 0.25]])
  })

  it('lets the records of too many spans share one lane, in their order', () => {
    const rows = Array.from({ length: MAX_LANES + 5 }, (_, at) =>
      record(String(at), `2026-11-15T00:00:${String(at).padStart(2, '0')}Z`, { spanId: `s${at}` }),
    )
    const { lanes, restSpans } = waterfallOf(rows)
    expect(lanes).toHaveLength(MAX_LANES)
    expect(restSpans).toBe(6)
    expect(lanes.at(-1)?.marks.map(({ row }) => row.id)).toEqual(['29', '30', '31', '32', '33', '34'])
  })

  it('of one moment, or of nothing, has a length all the same', () => {
    expect(waterfallOf([record('1', '2026-11-15T00:00:00Z')]).lanes[0]).toMatchObject({ from: 0, to: 0 })
    expect(waterfallOf([])).toMatchObject({ lanes: [], records: [], lengthUs: 1 })
  })
})

it('reads times to the microsecond', () => {
  expect(microseconds('2026-11-15T00:00:00.000001Z') - microseconds('2026-11-15T00:00:00Z')).toBe(1)
  expect(microseconds('2026-11-15T00:00:00.1234Z') - microseconds('2026-11-15T00:00:00.123Z')).toBe(400)
})

it('says how long it took in the unit that fits', () => {
  expect([0, 850, 12_400, 3_080_000, 252e6, 120e6].map(sinceWords)).toEqual([
    '+0',
    unbroken('+850 µs'),
    unbroken('+12.4 ms'),
    unbroken('+3.08 s'),
    unbroken('+4 min 12 s'),
    unbroken('+2 min'),
  ])
})

it.each([
  ['traceId:abc', 'abc'],
  ['level:error trace_id:"abc"', 'abc'],
  ['traceId:(abc OR def)', undefined],
  ['-traceId:abc', undefined],
  ['traceId:abc*', undefined],
  ['traceId:', undefined],
  [undefined, undefined],
])('finds the one trace of %s', (query, trace) => {
  expect(traceOf(query)).toBe(trace)
})

describe('how long something took', () => {
  const took = (id: string, at: string, duration: number | undefined, spanId: string) =>
    record(id, at, { spanId, attributes: duration === undefined ? {} : { duration } })
  const { lanes, lengthUs } = waterfallOf([
    took('1', '2026-11-15T00:00:00.000Z', undefined, 'a'),
    took('2', '2026-11-15T00:00:00.080Z', 60, 'b'),
    took('3', '2026-11-15T00:00:00.100Z', 500, 'a'),
    took('4', '2026-11-15T00:00:00.100Z', undefined, 'c'),
  ])

  it('is a bar that ends with the record that says so, and the trace begins with the earliest', () => {
    const bars = lanes.flatMap(({ marks }) => marks.map(({ row, began, share }) => [row.id, began, share]))
    expect(bars).toEqual([
      ['1', undefined, 0.8],
      ['3', 0, 1],
      ['2', expect.closeTo(0.84), 0.96],
      ['4', undefined, 1],
    ])
  })

  it('is told of a lane by its longest record, else by its first and last', () => {
    expect(lanes.map((lane) => laneUs(lane, lengthUs))).toEqual([500_000, 60_000, undefined])
  })
})
