import type { CountAnswer } from '@tidemark/wire/reading/count'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { layoutSeries, seriesOf } from './series.ts'

const HOUR = { from: '2026-11-15T00:00:00Z', to: '2026-11-15T01:00:00Z' }
const bucket = (minute: string, rest: Partial<CountAnswer['buckets'][number]>) => ({
  timestamp: `2026-11-15T00:${minute}:00Z`,
  count: 0,
  by: {},
  ...rest,
})

function answer(change: Partial<CountAnswer>): CountAnswer {
  return {
    window: HOUR,
    total: 0,
    bucketSeconds: 1_200,
    buckets: [],
    groups: [],
    otherGroups: 0,
    deploys: [],
    previous: null,
    warnings: [],
    empty: null,
    ...change,
  }
}

afterEach(() => vi.useRealTimers())

describe('groups over time', () => {
  it('are at most eight, and all others together are what is left of the records', () => {
    const groups = Array.from({ length: 10 }, (_, at) => ({ values: [`s${at}`], count: 10 - at }))
    const by = Object.fromEntries(groups.map(({ values, count }) => [values[0], count]))
    const series = seriesOf(answer({ groups, otherGroups: 3, buckets: [bucket('00', { count: 60, by })] }), 'count')
    expect(series).toHaveLength(9)
    expect(series[0]).toEqual({ value: 's0', points: [10] })
    expect(series[8]).toEqual({ value: undefined, points: [60 - 52] })
  })

  it('have no others where all of them are shown', () => {
    const groups = [{ values: [null], count: 2 }]
    const buckets = [bucket('00', { count: 2, by: { '': 2 } }), bucket('20', {})]
    expect(seriesOf(answer({ groups, buckets }), 'count')).toEqual([{ value: null, points: [2, 0] }])
  })

  it('have no percentile where there are no records, and those of the others from the service', () => {
    const groups = Array.from({ length: 8 }, (_, at) => ({ values: [`s${at}`], count: 1, measured: 1 }))
    const buckets = [
      bucket('00', { count: 9, measuredBy: { s0: 7 }, measuredOthers: 5 }),
      bucket('20', { count: 0, measuredBy: {} }),
    ]
    const series = seriesOf(answer({ groups, otherGroups: 1, buckets, measured: 1 }), 'p95')
    expect(series[0]?.points).toEqual([7, null])
    expect(series.at(-1)).toEqual({ value: undefined, points: [5, null] })
  })

  it('are not confused by a value with the name of what every object has', () => {
    const groups = [{ values: ['constructor'], count: 1 }]
    expect(seriesOf(answer({ groups, buckets: [bucket('00', { count: 1, by: {} })] }), 'count')[0]?.points).toEqual([0])
  })
})

describe('the chart', () => {
  const buckets = [bucket('00', {}), bucket('20', {}), bucket('40', {})]
  const two = [
    { value: 'a', points: [1, 3, null] },
    { value: 'b', points: [1, 1, 2] },
  ]

  it('stacks counts on each other, in the scale of the highest pile', () => {
    const { shapes, top } = layoutSeries(answer({ buckets }), two, { width: 300, height: 116, isStacked: true })
    expect(top).toBe(4)
    const [first, second] = shapes.map(({ areas }) => areas[1])
    expect(first!.y + first!.height).toBe(100)
    expect(second!.y + second!.height).toBeCloseTo(first!.y)
  })

  it('draws lines in the scale of the highest one, interrupted where there is nothing, with a dot for one alone', () => {
    const gaps = [{ value: 'a', points: [1, null, 2] }, ...two]
    const { shapes, top } = layoutSeries(answer({ buckets }), gaps, { width: 300, height: 116, isStacked: false })
    expect(top).toBe(3)
    expect(shapes[0]).toMatchObject({ lines: [], dots: [{ x: 50 }, { x: 250 }] })
    expect(shapes[1]?.lines).toHaveLength(1)
    expect(shapes[1]?.lines[0]).toMatch(/^50,\S+ 150,18$/)
  })

  it('draws no line into a bucket that is not over, which would read as an end', () => {
    const window = { from: '2026-11-15T00:05:00Z', to: '2026-11-15T01:05:00Z' }
    const all = [...buckets, { ...bucket('00', {}), timestamp: '2026-11-15T01:00:00Z' }]
    const counts = [{ value: 'a', points: [9, 10, 11, 0] }]
    const lines = (isOfWhole: boolean, of = all) =>
      layoutSeries(answer({ window, buckets: of }), counts, {
        width: 600,
        height: 116,
        isStacked: false,
        isOfWhole,
      }).shapes[0]?.lines.map((points) => points.split(' ').length)
    expect(lines(true)).toEqual([2])
    expect(lines(false)).toEqual([4])
    const short = layoutSeries(
      answer({ window: { ...window, to: '2026-11-15T00:15:00Z' }, buckets: [bucket('00', {})] }),
      [{ value: 'a', points: [9] }],
      { width: 600, height: 116, isStacked: false, isOfWhole: true },
    )
    expect(short.shapes[0]?.dots).toHaveLength(1)
  })

  it('gives the bucket of now the width of the others', () => {
    vi.setSystemTime(Date.parse('2026-11-15T01:01:00Z'))
    const window = { ...HOUR, to: '2026-11-15T01:01:00Z' }
    const all = [...buckets, { ...bucket('00', {}), timestamp: '2026-11-15T01:00:00Z' }]
    const { columns } = layoutSeries(answer({ window, buckets: all }), [], { width: 400, height: 116, isStacked: true })
    expect(columns.map(({ x, width }) => [x, width])).toEqual([0, 100, 200, 300].map((x) => [x, 100]))
    expect(columns.at(-1)?.endMs, 'what it opens').toBe(Date.parse(window.to))
  })

  it('keeps what lies outside of the window at its edges', () => {
    const early = [{ ...bucket('00', {}), timestamp: '2026-11-14T23:50:00Z' }]
    const { columns } = layoutSeries(answer({ buckets: early }), [], { width: 60, height: 100, isStacked: true })
    expect(columns).toEqual([
      {
        x: 0,
        width: 10,
        timestamp: '2026-11-14T23:50:00Z',
        endMs: Date.parse('2026-11-15T00:10:00Z'),
        isCut: true,
        isUnfinished: false,
      },
    ])
  })
})
