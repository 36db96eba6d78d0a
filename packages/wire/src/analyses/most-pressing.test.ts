import { describe, expect, it } from 'vitest'
import { mostPressing, worstOf } from './most-pressing.ts'

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

describe('what is looked at', () => {
  it('is what began last of what goes on, then what has the most errors, and so on', () => {
    const trickle = analysis('trickle', 3, [1, 0, 1])
    const old = analysis('old', 9, [1, 0, 0, 0, 1, 0, 0, 0, 1])
    const quiet = analysis('quiet', 1, [0], 'quiet')
    const outage = analysis('outage', 6, [60, 40, 17, 0, 0, 0], 'quiet')
    expect(order([old, quiet, outage, trickle])).toEqual(['trickle', 'outage', 'old', 'quiet'])
  })

  it('is the one with more errors of two that began at once', () => {
    const [few, many] = [analysis('few', 2, [1, 1]), analysis('many', 2, [5, 5])]
    expect(order([few, many])).toEqual(['many', 'few'])
  })

  it('is a few errors of now rather than many of yesterday', () => {
    const yesterday = analysis('yesterday', 22, [40, 40, ...Array.from({ length: 20 }, () => 0)])
    const today = analysis('today', 4, [8, 8, 8, 8])
    const now = analysis('now', 0.2, [1])
    expect(order([yesterday, today, now])).toEqual(['now', 'today', 'yesterday'])
  })

  it('is in the order of their beginning where nothing was counted', () => {
    expect(order([analysis('first', 3, []), analysis('second', 1, [])])).toEqual(['second', 'first'])
  })
})

describe('what is worst', () => {
  const worst = (analyses: ReturnType<typeof analysis>[]) => worstOf(analyses, DAY)?.name

  it('is what has the most errors of what goes on, however new another is', () => {
    const trickle = analysis('trickle', 1, [1])
    const storm = analysis('storm', 3, [40, 40, 40])
    const over = analysis('over', 4, [900, 900, 0, 0], 'quiet')
    expect(worst([trickle, over, storm])).toBe('storm')
    expect(worst([over])).toBe('over')
    expect(worst([])).toBeUndefined()
  })
})
