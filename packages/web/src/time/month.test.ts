import { describe, expect, it } from 'vitest'
import { dayByKey, longDay, monthAfter, monthName, shortDay, weeksOf } from './month.ts'

const TODAY = '2026-11-18'
const daysOf = (day: string) => weeksOf(day).flat()

describe('a month', () => {
  it('is weeks from Monday to Sunday, always six of them', () => {
    const weeks = weeksOf('2026-11-18')
    expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7, 7])
    expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-11-01'])
    expect(weeks[5]).toEqual(['2026-11-30', null, null, null, null, null, null])
    expect(weeksOf('2021-02-10')[0]?.[0]).toBe('2021-02-01')
  })

  it.each([
    ['2026-02-01', 28],
    ['2028-02-29', 29],
    ['2000-02-01', 29],
    ['2026-04-30', 30],
    ['2026-12-31', 31],
  ])('has each of its days once: %s', (day, length) => {
    const days = daysOf(day).filter((one) => one !== null)
    expect(days).toHaveLength(length)
    expect(new Set(days).size).toBe(length)
    expect(days.every((one) => one.startsWith(day.slice(0, 7)))).toBe(true)
  })

  it('and its days have names', () => {
    expect(monthName('2026-11-01')).toBe('November 2026')
    expect(shortDay('2026-11-05')).toBe('5 Nov 2026')
    expect(longDay('2026-11-15')).toBe('Sunday 15 November 2026')
  })

  it('later is the same day there, or its last', () => {
    expect(monthAfter('2026-01-31', 1)).toBe('2026-02-28')
    expect(monthAfter('2026-12-15', 1)).toBe('2027-01-15')
    expect(monthAfter('2026-01-15', -1)).toBe('2025-12-15')
    expect(monthAfter('2028-02-29', -12)).toBe('2027-02-28')
  })
})

describe('a key in a calendar', () => {
  it.each([
    ['ArrowLeft', false, '2026-11-10'],
    ['ArrowRight', false, '2026-11-12'],
    ['ArrowUp', false, '2026-11-04'],
    ['ArrowDown', false, '2026-11-18'],
    ['Home', false, '2026-11-09'],
    ['End', false, '2026-11-15'],
    ['PageUp', false, '2026-10-11'],
    ['PageUp', true, '2025-11-11'],
  ])('leads to a day near or far: %s, with Shift %s', (key, isFar, day) => {
    expect(dayByKey('2026-11-11', key, isFar, TODAY)).toBe(day)
  })

  it('leads no further than today, and not before there were records', () => {
    expect(dayByKey('2026-11-15', 'ArrowDown', false, TODAY)).toBe(TODAY)
    expect(dayByKey('2026-11-02', 'PageDown', false, TODAY)).toBe(TODAY)
    expect(dayByKey('1970-01-03', 'ArrowUp', false, TODAY)).toBe('1970-01-01')
  })

  it('leads nowhere where it is another one', () => {
    expect(dayByKey(TODAY, 'a', false, TODAY)).toBeUndefined()
  })
})
