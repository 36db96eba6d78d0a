import { describe, expect, it } from 'vitest'
import { calendarRange, dayOf, type Ends, edgesOf, endsOf } from './calendar-range.ts'

const NOW_MS = Date.parse('2026-11-18T12:00:00Z')
const ends = (from: string, to: string): Ends => {
  const [one, other] = [from, to].map((text) => {
    const [day = '', clock = ''] = text.split(' ')
    return { day, clock }
  })
  return { from: one!, to: other! }
}
const read = (from: string, to: string) => calendarRange(ends(from, to), 'utc', NOW_MS)

describe('a range by calendar', () => {
  it('is read to the minute or to the second', () => {
    expect(read('2026-11-15 14:03', '2026-11-16 9:05:07')).toEqual({
      ok: true,
      range: { from: '2026-11-15T14:03Z', to: '2026-11-16T09:05:07Z' },
    })
  })

  it('is whole days where no time is typed, and ends now where the last day is today', () => {
    expect(read('2026-11-15', '2026-11-16')).toEqual({
      ok: true,
      range: { from: '2026-11-15T00:00Z', to: '2026-11-17T00:00Z' },
    })
    expect(read('2026-11-15', '2026-11-18')).toEqual({ ok: true, range: { from: '2026-11-15T00:00Z', to: undefined } })
    expect(edgesOf(ends('2026-11-15', '2026-11-17'), '2026-11-18')).toEqual({ from: '00:00', to: '24:00' })
    expect(edgesOf(ends('2026-11-15', '2026-11-18'), '2026-11-18')).toEqual({ from: '00:00', to: 'now' })
  })

  it.each(['25:00', '14', '14.30', '14:60', '24:01', '2 pm', '14:30:5'])('says that %s is no time', (clock) => {
    const message = `"${clock}" is no time. Write one such as 14:30 or 14:30:05.`
    expect(
      calendarRange({ ...ends('2026-11-15', '2026-11-16'), from: { day: '2026-11-15', clock } }, 'utc', NOW_MS),
    ).toEqual({
      ok: false,
      end: 'from',
      message,
    })
    expect(
      calendarRange({ ...ends('2026-11-15', '2026-11-16'), to: { day: '2026-11-16', clock } }, 'utc', NOW_MS),
    ).toEqual({
      ok: false,
      end: 'to',
      message,
    })
  })

  it('says when it is the wrong way round, or has not begun', () => {
    expect(read('2026-11-15 14:03', '2026-11-15 14:03')).toMatchObject({
      end: 'to',
      message: expect.stringContaining('swap the two times'),
    })
    expect(read('2026-11-18 13:00', '2026-11-18')).toMatchObject({
      end: 'from',
      message: expect.stringContaining('begins in the future'),
    })
  })
})

describe('a range in the calendar', () => {
  const shown = (from: string, to: string, isOpen = false) =>
    endsOf({ fromMs: Date.parse(from), toMs: Date.parse(to) }, isOpen, 'utc')

  it('is the days and times of its ends, the last one empty where it ends now', () => {
    expect(shown('2026-11-15T14:03:00Z', '2026-11-16T09:05:07.250Z')).toEqual(
      ends('2026-11-15 14:03', '2026-11-16 09:05:07'),
    )
    expect(shown('2026-11-18T11:00:00Z', '2026-11-18T12:00:00Z', true)).toEqual(ends('2026-11-18 11:00', '2026-11-18'))
  })

  it('ends with a whole day rather than at the beginning of the next', () => {
    expect(shown('2026-11-15T00:00:00Z', '2026-11-17T00:00:00Z')).toEqual(ends('2026-11-15 00:00', '2026-11-16 24:00'))
  })

  it('is on the clock of the zone that is shown', () => {
    const fromMs = Date.parse('2026-07-01T10:20:00Z')
    const toMs = Date.parse('2026-07-02T22:40:05Z')
    const local = calendarRange(endsOf({ fromMs, toMs }, false, 'local'), 'local', NOW_MS)
    expect(local).toEqual({ ok: true, range: { from: '2026-07-01T10:20Z', to: '2026-07-02T22:40:05Z' } })
    expect(dayOf(fromMs, 'utc')).toBe('2026-07-01')
  })
})
