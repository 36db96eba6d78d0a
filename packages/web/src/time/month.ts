/** Days of the calendar and the months they are in. A day is `2026-11-15`, without a time or a zone. */
import { DAY_MS } from '@tidemark/wire/time/units'

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
/** As in ISO 8601, whose week begins on Monday. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** There are no records of before. */
const FIRST_DAY = '1970-01-01'
/** Of any month, so that a calendar keeps its height. */
const WEEKS = 6

/** Monday to Sunday, with null for what is in another month. */
export function weeksOf(day: string): (string | null)[][] {
  const first = `${day.slice(0, 7)}-01`
  const before = weekdayOf(first)
  const length = lengthOf(first)
  return Array.from({ length: WEEKS }, (_, week) =>
    WEEKDAYS.map((_, weekday) => {
      const at = week * WEEKDAYS.length + weekday - before
      return at >= 0 && at < length ? dayAfter(first, at) : null
    }),
  )
}

/** `November 2026` */
export function monthName(day: string): string {
  return `${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`
}

/** `15 Nov 2026` */
export function shortDay(day: string): string {
  return `${Number(day.slice(8))} ${monthName(day).slice(0, 3)} ${day.slice(0, 4)}`
}

/** `Sunday 15 November 2026` */
export function longDay(day: string): string {
  return `${WEEKDAYS[weekdayOf(day)]} ${Number(day.slice(8))} ${monthName(day)}`
}

export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The same day of another month, or its last one where it is shorter. */
export function monthAfter(day: string, months: number): string {
  const index = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months
  const first = `${padded(Math.floor(index / 12), 4)}-${padded((index % 12) + 1, 2)}-01`
  return dayAfter(first, Math.min(Number(day.slice(8)), lengthOf(first)) - 1)
}

/** Where a key leads from a day of a calendar; undefined for one that leads nowhere. `isFar`: with Shift. */
export function dayByKey(day: string, key: string, isFar: boolean, lastDay: string): string | undefined {
  const led = ledTo(day, key, isFar)
  if (led === undefined) return undefined
  return led > lastDay ? lastDay : led < FIRST_DAY ? FIRST_DAY : led
}

function ledTo(day: string, key: string, isFar: boolean): string | undefined {
  switch (key) {
    case 'ArrowLeft':
      return dayAfter(day, -1)
    case 'ArrowRight':
      return dayAfter(day, 1)
    case 'ArrowUp':
      return dayAfter(day, -7)
    case 'ArrowDown':
      return dayAfter(day, 7)
    case 'Home':
      return dayAfter(day, -weekdayOf(day))
    case 'End':
      return dayAfter(day, 6 - weekdayOf(day))
    case 'PageUp':
      return monthAfter(day, isFar ? -12 : -1)
    case 'PageDown':
      return monthAfter(day, isFar ? 12 : 1)
    default:
      return undefined
  }
}

/** 0 is Monday. */
function weekdayOf(day: string): number {
  return (new Date(day).getUTCDay() + 6) % 7
}

function lengthOf(first: string): number {
  return new Date(Date.UTC(Number(first.slice(0, 4)), Number(first.slice(5, 7)), 0)).getUTCDate()
}

function padded(number: number, digits: number): string {
  return String(number).padStart(digits, '0')
}
