import { describe, expect, it } from 'vitest'
import { isQuiet, isTimeZone, quietUntil } from './quiet-hours.ts'

const night = { fromMinute: 22 * 60, toMinute: 7 * 60, timeZone: 'Europe/Berlin' }
const at = (text: string) => Date.parse(text)
const until = (quiet: Parameters<typeof quietUntil>[0], text: string) =>
  new Date(quietUntil(quiet, at(text))).toISOString()

describe('quiet hours', () => {
  it('are those of the zone, go over midnight and end with the minute', () => {
    expect(isQuiet(night, at('2026-01-10T20:59:59Z'))).toBe(false)
    expect(isQuiet(night, at('2026-01-10T21:00:00Z'))).toBe(true)
    expect(isQuiet(night, at('2026-01-11T05:59:59Z'))).toBe(true)
    expect(isQuiet(night, at('2026-01-11T06:00:00Z'))).toBe(false)
    expect(until(night, '2026-01-10T23:12:34Z')).toBe('2026-01-11T06:00:00.000Z')
    expect(until(night, '2026-01-10T12:00:00Z')).toBe('2026-01-10T12:00:00.000Z')
    expect(isQuiet(null, 0)).toBe(false)
  })

  it('end by the clock on the wall in the nights in which it is changed', () => {
    // Clocks go forward on 29 March and back on 25 October 2026.
    expect(until(night, '2026-03-28T23:00:00Z')).toBe('2026-03-29T05:00:00.000Z')
    expect(until(night, '2026-10-24T22:00:00Z')).toBe('2026-10-25T06:00:00.000Z')
  })

  it('that end in the hour that is left out end when it is left out', () => {
    const early = { fromMinute: 60, toMinute: 150, timeZone: 'Europe/Berlin' }
    expect(until(early, '2026-03-29T00:30:00Z')).toBe('2026-03-29T01:00:00.000Z')
  })

  it('within the hour that comes twice hold both times', () => {
    const early = { fromMinute: 120, toMinute: 150, timeZone: 'Europe/Berlin' }
    expect(until(early, '2026-10-25T00:10:00Z')).toBe('2026-10-25T00:30:00.000Z')
    expect(isQuiet(early, at('2026-10-25T00:45:00Z'))).toBe(false)
    expect(isQuiet(early, at('2026-10-25T01:10:00Z'))).toBe(true)
  })

  it.each(['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])('know the zone %s', (zone) => {
    expect(isTimeZone(zone)).toBe(true)
  })

  it.each(['', 'Berlin', '+02:00', 'Europe/Atlantis', 'UTC; DROP', 'Europe/Berlin\n'])('know no zone "%s"', (zone) => {
    expect(isTimeZone(zone)).toBe(false)
  })
})
