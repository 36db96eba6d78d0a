import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { AXIS_HEIGHT, CHART_HEIGHT, layoutOccurrences } from './occurrences-layout.ts'

const WINDOW = { from: '2026-11-15T10:00:00Z', to: '2026-11-15T11:00:00Z' }
const WIDTH = 600

afterEach(() => vi.useRealTimers())

type Deploys = AnalysisDetail['occurrences']['deploys']
type Correlated = AnalysisDetail['correlatedDeploy']

function deployAt(deployedAt: string, id: string, status = 'succeeded') {
  return { id, sha: id, deployedAt, status } as Deploys[number]
}

type Options = {
  buckets?: [string, number][]
  deploys?: Deploys
  correlated?: Partial<Correlated>
  course?: Partial<AnalysisDetail['course']>
  anchor?: string
}

function charted({ buckets = [], deploys = [], correlated, course, anchor }: Options = {}) {
  return layoutOccurrences(
    {
      occurrences: {
        window: WINDOW,
        bucketSeconds: 600,
        buckets: buckets.map(([timestamp, count]) => ({ timestamp, count })),
        deploys,
      },
      correlatedDeploy: (correlated ?? null) as Correlated,
      anchor: anchor ?? course?.onset ?? WINDOW.from,
      course: { onset: WINDOW.from, end: null, ...course } as AnalysisDetail['course'],
    },
    WIDTH,
  )
}

describe('the chart of an analysis', () => {
  it('puts bars at their time, the highest up to the flags, the others in proportion', () => {
    const { bars, top } = charted({
      buckets: [
        ['2026-11-15T10:00:00Z', 0],
        ['2026-11-15T10:10:00Z', 10],
        ['2026-11-15T10:20:00Z', 20],
      ],
    })
    expect(top).toBe(20)
    expect(bars.map(({ x, count }) => [x, count])).toEqual([
      [100, 10],
      [200, 20],
    ])
    expect(bars[0]!.height * 2).toBeCloseTo(bars[1]!.height)
    expect(bars[1]!.y + bars[1]!.height).toBeCloseTo(CHART_HEIGHT - AXIS_HEIGHT)
  })

  it.each([
    ['not over', Date.parse('2026-11-15T11:00:00Z')],
    ['over, though the window cuts it off', Date.parse('2026-11-15T18:00:00Z')],
  ])('knows the bar that is %s', (_, nowMs) => {
    vi.setSystemTime(nowMs)
    const { bars } = charted({
      buckets: [
        ['2026-11-15T10:40:00Z', 1],
        ['2026-11-15T10:55:00Z', 1],
      ],
    })
    expect(bars.map(({ isUnfinished }) => isUnfinished)).toEqual([false, nowMs < Date.parse('2026-11-15T11:05:00Z')])
  })

  it('shows a single error beside thousands', () => {
    const { bars } = charted({
      buckets: [
        ['2026-11-15T10:10:00Z', 1],
        ['2026-11-15T10:20:00Z', 50_000],
      ],
    })
    expect(bars[0]!.height).toBeGreaterThanOrEqual(2)
  })

  it('ends a bar with the window, and opens the records of that time', () => {
    const { bars } = charted({ buckets: [['2026-11-15T10:55:00Z', 3]] })
    expect(bars[0]).toMatchObject({ from: '2026-11-15T10:55:00Z', to: '2026-11-15T11:00:00.000Z' })
    expect(bars[0]!.x + bars[0]!.width).toBeLessThanOrEqual(WIDTH)
  })

  it('tells the correlated deploy from the others and draws it last', () => {
    const { lines } = charted({
      deploys: [deployAt('2026-11-15T10:30:00Z', 'one'), deployAt('2026-11-15T10:15:00Z', 'other')],
      correlated: { source: 'recorded', deployId: 'one', sha: 'one', deployedAt: '2026-11-15T10:30:00Z' },
    })
    expect(lines.map(({ id, kind, x }) => [id, kind, x])).toEqual([
      ['other', 'other', 150],
      ['one', 'recorded', 300],
    ])
  })

  it('draws an inferred commit at the time it was committed', () => {
    const { lines } = charted({
      correlated: {
        source: 'inferred',
        deployId: null,
        sha: 'abc',
        deployedAt: null,
        committedAt: '2026-11-15T10:06:00Z',
      },
    })
    expect(lines).toEqual([
      { id: null, sha: 'abc', at: '2026-11-15T10:06:00Z', kind: 'inferred', x: 60, isEarlier: false },
    ])
  })

  it('draws neither failed deploys nor others outside of the window', () => {
    const { lines } = charted({
      deploys: [deployAt('2026-11-15T10:30:00Z', 'bad', 'failed'), deployAt('2026-11-15T09:59:00Z', 'early')],
    })
    expect(lines).toEqual([])
  })

  it('has the correlated deploy at the edge when it is long before the window', () => {
    const { lines } = charted({
      correlated: { source: 'recorded', deployId: 'old', sha: 'old', deployedAt: '2026-11-14T10:30:00Z' },
    })
    expect(lines).toMatchObject([{ id: 'old', x: 0, isEarlier: true }])
  })

  it('gathers deploys whose flags would cover each other, oldest first', () => {
    const { flags } = charted({
      deploys: ['10:31', '10:30', '10:45'].map((clock) => deployAt(`2026-11-15T${clock}:00Z`, clock)),
    })
    expect(flags.map(({ x, lines }) => [x, lines.map(({ id }) => id)])).toEqual([
      [300, ['10:30', '10:31']],
      [450, ['10:45']],
    ])
  })

  it('gathers the flags at the end, which give way to the left', () => {
    const { flags, thinLines } = charted({
      deploys: ['10:58', '10:59'].map((clock) => deployAt(`2026-11-15T${clock}:00Z`, clock)),
    })
    expect(flags).toMatchObject([{ x: 580, left: 568, width: 32, lines: [{ id: '10:58' }, { id: '10:59' }] }])
    expect(
      thinLines.map(({ x }) => x),
      'each has its own line',
    ).toEqual([580, 590])
  })

  it('keeps the correlated deploy at its place with its name, and what it would cover with it', () => {
    const { flags, thinLines } = charted({
      deploys: ['10:29', '10:35', '10:50'].map((clock) => deployAt(`2026-11-15T${clock}:00Z`, clock)),
      correlated: { source: 'recorded', deployId: 'one', sha: 'one', deployedAt: '2026-11-15T10:30:00Z' },
    })
    expect(flags.map(({ x, told, lines }) => [x, told?.id, lines.map(({ id }) => id)])).toEqual([
      [500, undefined, ['10:50']],
      [300, 'one', ['10:29', 'one', '10:35']],
    ])
    expect(thinLines.map(({ x }) => x)).toEqual([290, 350, 500])
  })

  it('marks when it went on: until now, or until it ended', () => {
    const began = charted({ course: { onset: '2026-11-15T10:12:00Z' } })
    expect(began.course).toEqual({ x: 120, width: 480, onset: '2026-11-15T10:12:00Z', hasGrown: false, end: null })
    const grown = charted({ course: { onset: '2026-11-15T10:12:00Z' }, anchor: '2026-11-15T10:02:00.000Z' })
    expect(grown.course, 'its episode began before').toMatchObject({ hasGrown: true })
    const ended = charted({ course: { onset: '2026-11-15T10:12:00Z', end: '2026-11-15T10:45:00Z' } })
    expect(ended.course).toMatchObject({ x: 120, width: 330, end: '2026-11-15T10:45:00Z' })
  })

  it('marks no moment that is outside of the window', () => {
    const { course } = charted({ course: { onset: '2026-11-15T09:00:00Z', end: '2026-11-15T11:30:00Z' } })
    expect(course).toEqual({ x: 0, width: WIDTH, onset: null, hasGrown: false, end: null })
    const over = charted({ course: { onset: '2026-11-15T09:00:00Z', end: '2026-11-15T09:30:00Z' } })
    expect(over.course).toEqual({ x: 0, width: 0, onset: null, hasGrown: false, end: null })
  })
})
