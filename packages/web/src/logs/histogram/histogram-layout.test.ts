import type { CountAnswer } from '@tidemark/wire/reading/count'
import type { DeployRow } from '@tidemark/wire/reading/row'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { AXIS_HEIGHT, HISTOGRAM_HEIGHT, layoutHistogram, PLOT_TOP } from './histogram-layout.ts'

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

const answer = (change: Partial<CountAnswer> = {}): CountAnswer => ({
  window: { from: '2026-11-15T00:00:00Z', to: '2026-11-15T01:00:00Z' },
  total: 0,
  bucketSeconds: 60,
  buckets: [],
  groups: [],
  otherGroups: 0,
  deploys: [],
  previous: null,
  warnings: [],
  empty: null,
  ...change,
})

afterEach(() => vi.useRealTimers())

describe('the histogram', () => {
  it('puts a deploy where its time is within the range', () => {
    const { markers } = layoutHistogram(answer({ deploys: [deploy('a', '2026-11-15T00:15:00Z')] }), 1_000)
    expect(markers).toMatchObject([{ x: 250, left: 250, deploys: [{ id: 'a' }] }])
  })

  it('keeps the line of a deploy at the very end inside, where it is two pixels wide', () => {
    const { markers, lines } = layoutHistogram(answer({ deploys: [deploy('a', '2026-11-15T01:00:00Z')] }), 1_000)
    expect(markers).toMatchObject([{ x: 999, left: 980, width: 20 }])
    expect(lines).toEqual([{ x: 999, isStrong: true }])
  })

  it('knows the bar that is not over, and calls none so in a range of the past', () => {
    const window = { from: '2026-11-15T00:00:00Z', to: '2026-11-15T00:02:30Z' }
    const buckets = ['00:01:00', '00:02:00'].map((clock) => ({ timestamp: `2026-11-15T${clock}Z`, count: 1, by: {} }))
    const unfinished = (clock: string) => {
      vi.setSystemTime(Date.parse(`2026-11-15T${clock}Z`))
      return layoutHistogram(answer({ window, buckets }), 300).bars.map(({ isUnfinished }) => isUnfinished)
    }
    expect(unfinished('00:02:40')).toEqual([false, true])
    expect(unfinished('00:03:00')).toEqual([false, false])
    expect(layoutHistogram(answer({ buckets }), 300).bars.some(({ isUnfinished }) => isUnfinished)).toBe(false)
  })

  it('gathers deploys whose flags would cover each other, oldest first', () => {
    const times = ['2026-11-15T00:30:20Z', '2026-11-15T00:30:00Z', '2026-11-15T00:45:00Z']
    const { markers } = layoutHistogram(
      answer({ deploys: times.map((time, index) => deploy(`${index}`, time)) }),
      1_000,
    )
    expect(markers.map(({ deploys }) => deploys.map(({ id }) => id))).toEqual([['1', '0'], ['2']])
  })

  it('draws the line of every deploy at its own time, also where its flag stands for several', () => {
    const clocks = ['00:30:00', '00:30:40', '00:31:20', '00:58:00', '00:59:00', '00:59:30']
    const deploys = clocks.map((clock) => deploy(clock, `2026-11-15T${clock}Z`))
    const { markers, lines } = layoutHistogram(answer({ deploys }), 900)
    expect(markers.map(({ deploys: its }) => its.length)).toEqual([3, 3])
    expect(lines.map(({ x }) => x)).toEqual([450, 460, 470, 870, 885, 893])
  })

  it('has no more lines than pixels, however many deploys there are', () => {
    const fromMs = Date.parse('2026-11-15T00:00:00Z')
    const deploys = Array.from({ length: 3_600 }, (_, second) =>
      deploy(`${second}`, new Date(fromMs + second * 1_000).toISOString()),
    )
    const { markers, lines } = layoutHistogram(answer({ deploys }), 390)
    expect(lines).toHaveLength(390)
    expect(markers.reduce((sum, { deploys: its }) => sum + its.length, 0)).toBe(3_600)
  })

  it('tells production from where things are tried, and takes other names for production where it is not in view', () => {
    const to = (environment: string, at: string) => ({ ...deploy(environment, at), environment })
    const looks = (deploys: ReturnType<typeof to>[]) =>
      layoutHistogram(answer({ deploys }), 1_000).markers.map(({ isProduction }) => isProduction)
    const strong = (deploys: ReturnType<typeof to>[]) =>
      layoutHistogram(answer({ deploys }), 1_000).lines.map(({ isStrong }) => isStrong)
    const staging = to('staging', '2026-11-15T00:10:00Z')
    expect(looks([staging, to('production', '2026-11-15T00:30:00Z')])).toEqual([false, true])
    expect(looks([staging, to('production', '2026-11-15T00:10:10Z')])).toEqual([true])
    expect(strong([staging, to('production', '2026-11-15T00:10:10Z')])).toEqual([false, true])
    const tried = [staging, to('preview', '2026-11-15T00:10:10Z')]
    expect(looks([...tried, to('production', '2026-11-15T00:30:00Z')]), 'several as one').toEqual([false, true])
    expect(strong(tried)).toEqual([false, false])
    expect(looks([staging])).toEqual([false])
    expect(looks([staging, to('eu', '2026-11-15T00:30:00Z')])).toEqual([false, true])
    expect(looks([to('Stage2-eu', '2026-11-15T00:30:00Z'), to('contest', '2026-11-15T00:10:00Z')])).toEqual([
      true,
      false,
    ])
    const others = ['live', 'Prod-EU', 'eu', 'production'].map((name, at) =>
      to(name, `2026-11-15T00:${20 + at * 10}:00Z`),
    )
    expect(looks([staging, ...others])).toEqual([false, true, true, false, true])
  })

  it('stacks quiet levels at the bottom and errors on top, inside its height', () => {
    const bucket = { timestamp: '2026-11-15T00:10:00Z', count: 1_001, by: { error: 1, info: 1_000 } }
    const { bars } = layoutHistogram(answer({ buckets: [bucket] }), 600)
    const [info, error] = bars[0]?.parts ?? []
    expect([info?.level, error?.level]).toEqual(['info', 'error'])
    expect(info!.y + info!.height).toBe(HISTOGRAM_HEIGHT - AXIS_HEIGHT)
    expect(error!.y + error!.height).toBeCloseTo(info!.y)
    expect(error!.height).toBeGreaterThanOrEqual(1.5)
    expect(error!.y).toBeGreaterThanOrEqual(PLOT_TOP)
  })

  it('fills the height it is given, with the loudest bucket below the flags', () => {
    const bucket = { timestamp: '2026-11-15T00:10:00Z', count: 10, by: { info: 10 } }
    const { bars } = layoutHistogram(answer({ buckets: [bucket] }), 300, { height: 80 })
    const [part] = bars[0]?.parts ?? []
    expect(part!.y + part!.height).toBe(80 - AXIS_HEIGHT)
    expect(part!.y).toBe(PLOT_TOP + 4)
  })

  it('ends the last bar with the range', () => {
    const bucket = { timestamp: '2026-11-15T00:59:30Z', count: 1, by: { info: 1 } }
    const { bars } = layoutHistogram(answer({ buckets: [bucket] }), 600)
    expect(bars[0]!.x + bars[0]!.width).toBeLessThanOrEqual(600)
    expect(bars[0]!.endMs).toBe(Date.parse('2026-11-15T01:00:00Z'))
  })

  it.each([
    ['3 d', 72, 3_600],
    ['7 d', 168, 7_200],
    ['30 d', 720, 43_200],
  ])(
    'gives the bar of now the width of the others over %s, however little of it is over',
    (_, hours, bucketSeconds) => {
      const nowMs = Date.parse('2026-11-15T00:05:00Z')
      vi.setSystemTime(nowMs)
      const window = { from: new Date(nowMs - hours * 3_600_000).toISOString(), to: new Date(nowMs).toISOString() }
      const last = Date.parse('2026-11-15T00:00:00Z')
      const buckets = [last - bucketSeconds * 1_000, last].map((startMs) => ({
        timestamp: new Date(startMs).toISOString(),
        count: 1,
        by: {},
      }))
      const { bars } = layoutHistogram(answer({ window, bucketSeconds, buckets }), 390)
      expect(bars[1]!.width).toBeCloseTo(bars[0]!.width)
      expect(bars[1]!.x + bars[1]!.width).toBeLessThanOrEqual(390)
      expect(bars[1]!.endMs, 'what it opens').toBe(nowMs)
    },
  )

  it('says the time at round times, not closer than they can be read', () => {
    const { ticks } = layoutHistogram(answer(), 600)
    const times = ticks.map(({ timeMs }) => new Date(timeMs).toISOString().slice(11, 16))
    expect(times).toEqual(['00:10', '00:20', '00:30', '00:40', '00:50'])
  })

  it('of errors alone has only them, in their own scale', () => {
    const bucket = { timestamp: '2026-11-15T00:10:00Z', count: 1_000, by: { info: 990, error: 8, fatal: 2 } }
    const { bars, top } = layoutHistogram(answer({ buckets: [bucket] }), 600, { isOfErrors: true })
    expect(top).toBe(10)
    expect(bars[0]?.parts.map(({ level, count }) => [level, count])).toEqual([
      ['error', 8],
      ['fatal', 2],
    ])
    const quiet = { ...bucket, by: { info: 1_000 } }
    expect(layoutHistogram(answer({ buckets: [quiet] }), 600, { isOfErrors: true }).bars).toEqual([])
  })

  it('draws the window before where this one is, in one scale', () => {
    const buckets = [{ timestamp: '2026-11-15T00:00:00Z', count: 5, by: { info: 5 } }]
    const now = answer({ buckets })
    const spanMs = Date.parse(now.window.to) - Date.parse(now.window.from)
    const earlier = (timestamp: string) => new Date(Date.parse(timestamp) - spanMs).toISOString()
    const before = {
      ...now,
      window: { from: earlier(now.window.from), to: now.window.from },
      buckets: [{ timestamp: earlier(now.window.from), count: 20, by: { info: 20 } }],
    }
    const { top, ghost } = layoutHistogram(now, 600, { before })
    expect(top).toBe(20)
    expect(ghost).toBe(`M0 ${HISTOGRAM_HEIGHT - AXIS_HEIGHT}V${PLOT_TOP + 4}H10V${HISTOGRAM_HEIGHT - AXIS_HEIGHT}`)
    expect(layoutHistogram(now, 600).ghost).toBe('')
  })

  it('draws the window before only where something was, and never along the axis', () => {
    const now = answer()
    const counts = [3, 0, 0, 6, 6, 0]
    const before = answer({
      window: { from: '2026-11-14T23:00:00Z', to: now.window.from },
      buckets: counts.map((count, minute) => ({ timestamp: `2026-11-14T23:0${minute}:00Z`, count, by: {} })),
    })
    const { ghost } = layoutHistogram(now, 600, { before, height: 132 })
    const floor = 132 - AXIS_HEIGHT
    expect(ghost).toBe(`M0 ${floor}V76H10V${floor}M30 ${floor}V36H40V36H50V${floor}`)
  })
})
