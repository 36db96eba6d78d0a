import { describe, expect, it } from 'vitest'
import { mostPressing } from './most-pressing.ts'

const DAY = {
  window: { from: '2026-01-30T12:00:00Z', to: '2026-01-31T12:00:00Z' },
  trendFrom: '2026-01-30T12:00:00Z',
  trendSeconds: 3_600,
}

/** Errors in each of the last hours, the newest last, since `ago` hours. */
function analysis(name: string, ago: number, lastHours: readonly number[], activity: 'active' | 'quiet' = 'active') {
  const trend = [...Array.from({ length: 24 - lastHours.length }, () => 0), ...lastHours]
  return { name, activity, onset: new Date(Date.parse(DAY.window.to) - ago * 3_600_000).toISOString(), trend }
}

const order = (analyses: ReturnType<typeof analysis>[]) => mostPressing(analyses, DAY).map(({ name }) => name)

describe('what is looked at first', () => {
  it('is what began last, of those that are as loud', () => {
    const old = analysis('old', 10, [0, 0, 0, 0, 0, 0, 0, 0, 0, 9])
    const young = analysis('young', 0.5, [9])
    expect(order([old, young])).toEqual(['young', 'old'])
  })

  it('is what is loud rather than what trickles, also when it has ended since', () => {
    const trickle = analysis('trickle', 6.3, [1, 0, 1, 0, 1, 1])
    const outage = analysis('outage', 6, [60, 40, 17, 0, 0, 0], 'quiet')
    expect(order([trickle, outage])).toEqual(['outage', 'trickle'])
  })

  it('is a few errors of now rather than many of yesterday', () => {
    const yesterday = analysis('yesterday', 22, [40, 40, ...Array.from({ length: 20 }, () => 0)])
    const now = analysis('now', 0.2, [4])
    expect(order([yesterday, now])).toEqual(['now', 'yesterday'])
  })

  it('is what goes on, of those that are alike', () => {
    const [over, on] = [analysis('over', 2, [5, 5], 'quiet'), analysis('on', 2, [5, 5])]
    expect(order([over, on])).toEqual(['on', 'over'])
  })

  it('is what began last where nothing was counted', () => {
    expect(order([analysis('first', 3, []), analysis('second', 1, [])])).toEqual(['second', 'first'])
  })
})
