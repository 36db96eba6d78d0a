/** Times and numbers for a query. The engine silently changes those that are out of range. */
import { END_OF_TIME_US } from '@tidemark/wire/time/instant'
import { DAY_US, MINUTE_US } from '@tidemark/wire/time/units'
import { AppError } from '../../errors.ts'
import type { TimeRange } from '../../model/time-range.ts'
import type { Values } from './read-connection.ts'

export const WITHIN: string = `time >= ${timeOf('fromUs')} AND time < ${timeOf('toUs')}`

/** With `distinctTimes`: whatever else is asked, the engine reads only where these times are. */
export const AT_TIMES = "time IN {times:Array(DateTime64(6, 'UTC'))}"

export function distinctTimes(keys: readonly { timeUs: number }[]): string[] {
  return [...new Set(keys.map(({ timeUs }) => dateTime(timeUs)))]
}

/** A longer slice of a window is refused. */
export const MAX_SLICE_US = 366 * DAY_US

/** The column's type from a parameter in microseconds. */
export function timeOf(parameter: string): string {
  return `fromUnixTimestamp64Micro({${parameter}:Int64}, 'UTC')`
}

export function rangeValues({ fromUs, toUs }: TimeRange): Values {
  return { fromUs: checkedTime(fromUs), toUs: checkedTime(toUs) }
}

export function checkedTime(timeUs: number): number {
  return checked(timeUs, 0, END_OF_TIME_US)
}

export function checked(value: number, least: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value
  throw new AppError('invalid_request', `${value} is not a whole number between ${least} and ${most}. Correct it.`)
}

/** `2026-01-02 03:04:05.678901` */
function dateTime(timeUs: number): string {
  const ms = Math.floor(timeUs / 1000)
  const us = String(timeUs - ms * 1000).padStart(3, '0')
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', us)
}

/** The minute of a record in microseconds, from the counts per minute that the table keeps. */
export const MINUTE_OF_RECORD = 'toInt64(toUnixTimestamp(toStartOfMinute(time))) * 1000000'
/** Those minutes are 32 bits of seconds. */
const LAST_MINUTE_US = Math.floor(2 ** 32 / 60) * MINUTE_US

/** The engine uses its counts per minute only where the condition is on `toStartOfMinute(time)` too. In seconds. */
export function withinMinutes(from: string, to: string): string {
  return `toStartOfMinute(time) >= toDateTime({${from}:UInt32}, 'UTC') AND toStartOfMinute(time) < toDateTime({${to}:UInt32}, 'UTC')`
}

/** Null where there are none. */
export function wholeMinutes({ fromUs, toUs }: TimeRange): TimeRange | null {
  const from = Math.ceil(fromUs / MINUTE_US) * MINUTE_US
  const to = Math.min(Math.floor(toUs / MINUTE_US) * MINUTE_US, LAST_MINUTE_US)
  return from < to ? { fromUs: from, toUs: to } : null
}
