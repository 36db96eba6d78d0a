import { describe, expect, it } from 'vitest'
import { formatBarStart, formatClock, formatDay, formatFull, formatMoment, formatTick } from './format-time.ts'

describe('a time', () => {
  const time = '2026-11-15T03:04:05.678901Z'

  it('has the same width whatever it is', () => {
    expect(formatClock(time, 'utc')).toBe('03:04:05.678')
    expect(formatMoment(time, 'utc')).toBe('15 Nov 03:04:05.678')
  })

  it.each(['utc', 'local'] as const)('names every month in three letters, so that columns stand still (%s)', (zone) => {
    const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 5, 12)).toISOString())
    const names = months.map((at) => formatDay(at, zone).replace(/^0[456] /, ''))
    expect(names).toEqual(['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'])
    expect(new Set(months.map((at) => formatMoment(at, zone).length))).toEqual(new Set([19]))
    expect(new Set(months.map((at) => formatClock(at, zone).length))).toEqual(new Set([12]))
  })

  it('says its zone in full', () => {
    expect(formatFull(time, 'utc')).toBe('2026-11-15 03:04:05 UTC')
    expect(formatFull(time, 'local')).toMatch(/^2026-11-1[456] \d\d:\d\d:05 UTC/)
  })

  it('that is none is shown as it is, and breaks no page', () => {
    expect(formatFull('2026-99-99T99:99Z', 'local')).toContain('2026-99-99T99:99Z')
  })

  it('is as exact under a chart as the chart is wide', () => {
    const at = Date.parse(time)
    expect(formatTick(at, 'utc', 300_000)).toBe('03:04:05')
    expect(formatTick(at, 'utc', 3_600_000)).toBe('03:04')
    expect(formatTick(at, 'utc', 2 * 86_400_000)).toBe('15 Nov 03:04')
    expect(formatTick(at, 'utc', 7 * 86_400_000)).toBe('15 Nov')
  })

  it('of a bar has its seconds where bars are shorter than a minute', () => {
    expect(formatBarStart(time, 'utc', 10)).toBe('15 Nov 03:04:05')
    expect(formatBarStart(time, 'utc', 60)).toBe('15 Nov 03:04')
  })

  it('that cannot be read is shown as it came', () => {
    expect(formatClock('soon', 'utc')).toBe('soon')
    expect(formatDay('soon', 'utc')).toBe('soon')
  })
})
