import { afterEach, describe, expect, it, vi } from 'vitest'
import { timeScale } from './time-scale.ts'

const HOUR_AND_A_BIT = { from: '2026-11-15T10:00:00Z', to: '2026-11-15T11:01:00Z' }
const at = (clock: string) => Date.parse(`2026-11-15T${clock}Z`)
const scaled = (last = '2026-11-15T11:00:00Z') =>
  timeScale({ window: HOUR_AND_A_BIT, bucketSeconds: 600, buckets: [{ timestamp: last }] }, 700)

afterEach(() => vi.useRealTimers())

describe('the axis of a chart', () => {
  it('ends with the bucket that goes on now, which has the width of the others', () => {
    vi.setSystemTime(at('11:01:00'))
    const { endMs, unfinishedX, toX } = scaled()
    expect([endMs, unfinishedX]).toEqual([at('11:10:00'), 600])
    expect([toX(at('10:10:00')), toX(at('11:10:00'))]).toEqual([100, 700])
  })

  it('ends with the window where that has passed', () => {
    vi.setSystemTime(at('18:00:00'))
    const { endMs, unfinishedX, toX } = scaled()
    expect([endMs, unfinishedX]).toEqual([at('11:01:00'), null])
    expect(toX(at('11:01:00'))).toBe(700)
  })

  it('ends with it too where buckets begin with a deploy and not at whole minutes', () => {
    vi.setSystemTime(at('11:01:00'))
    const { endMs, unfinishedX, toX } = scaled('2026-11-15T10:57:30Z')
    expect([endMs, unfinishedX]).toEqual([at('11:07:30'), toX(at('10:57:30'))])
  })

  it('has no moment after the window, where nothing has happened yet, and none outside of the chart', () => {
    vi.setSystemTime(at('11:01:00'))
    const { momentAt } = scaled()
    expect([-5, 100, 605, 690, 900].map(momentAt)).toEqual([
      at('10:00:00'),
      at('10:10:00'),
      at('11:00:30'),
      at('11:01:00'),
      at('11:01:00'),
    ])
  })
})
