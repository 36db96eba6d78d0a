import { describe, expect, it } from 'vitest'
import { calendarRange, fromCalendar, toCalendar } from './calendar-range.ts'

describe('a range by calendar', () => {
  it('is on the clock of the zone that is shown', () => {
    expect(toCalendar(Date.parse('2026-11-15T14:03:59Z'), 'utc')).toBe('2026-11-15T14:03')
    expect(fromCalendar('2026-11-15T14:03', 'utc')).toBe(Date.parse('2026-11-15T14:03Z'))
    const timeMs = Date.parse('2026-07-01T10:20:00Z')
    expect(fromCalendar(toCalendar(timeMs, 'local'), 'local')).toBe(timeMs)
  })

  it('may end now', () => {
    expect(calendarRange({ from: '2026-11-15T14:03', to: '' }, 'utc')).toEqual({
      ok: true,
      range: { from: '2026-11-15T14:03Z', to: undefined },
    })
  })

  it('says what is missing or the wrong way round', () => {
    expect(calendarRange({ from: '', to: '' }, 'utc')).toMatchObject({ message: 'Choose when the range begins.' })
    const reversed = { from: '2026-11-15T14:03', to: '2026-11-15T14:03' }
    expect(calendarRange(reversed, 'utc')).toMatchObject({ message: expect.stringContaining('swap the two times') })
  })
})
