import { afterEach, describe, expect, it } from 'vitest'
import {
  formatBarStart,
  formatClock,
  formatDay,
  formatExact,
  formatFull,
  formatMoment,
  formatTick,
} from './format-time.ts'

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

describe("a time in the viewer's zone", () => {
  const own = process.env.TZ
  afterEach(() => {
    if (own === undefined) delete process.env.TZ
    else process.env.TZ = own
  })

  it.each([
    ['Europe/Berlin', '2026-07-01T22:30:00.5Z', '2026-07-02 00:30:00.500 UTC+2'],
    ['Europe/Berlin', '2026-10-25T00:59:59.999Z', '2026-10-25 02:59:59.999 UTC+2'],
    ['Europe/Berlin', '2026-10-25T01:00:00Z', '2026-10-25 02:00:00.000 UTC+1'],
    ['Asia/Kolkata', '2025-12-31T18:30:00Z', '2026-01-01 00:00:00.000 UTC+5:30'],
    ['America/St_Johns', '2026-01-01T03:29:59Z', '2025-12-31 23:59:59.000 UTC-3:30'],
    ['Etc/UTC', '2026-01-01T03:29:59Z', '2026-01-01 03:29:59.000 UTC'],
  ])('is what the clocks of %s said at %s', (timeZone, time, shown) => {
    process.env.TZ = timeZone
    expect(formatExact(time, 'local')).toBe(shown)
  })
})
