import { SECOND_US } from '@tidemark/wire/time/units'

/** Null for a date or time that does not exist. A leap second (60) runs into the next minute, as RFC 3339 allows. */
export function toUs(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  micros: number,
  offsetMinutes: number,
): number | null {
  // Written so that NaN from a bad digit fails each comparison.
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) return null
  if (!(hour <= 23 && minute <= 59 && second <= 60)) return null
  if (Number.isNaN(offsetMinutes)) return null
  const seconds = daysSince1970(year, month, day) * 86_400 + hour * 3_600 + (minute - offsetMinutes) * 60 + second
  return seconds * SECOND_US + micros
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Counts in eras of 400 years that begin in March, so that the leap day is the last of its year. */
function daysSince1970(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1
  const era = Math.floor(marchYear / 400)
  const yearOfEra = marchYear - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}
