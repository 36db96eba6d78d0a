/** Times and numbers on their way into a query. The engine turns those out of range into others without a word. */
import { END_OF_TIME_US } from '@tidemark/wire/time/instant'
import { AppError } from '../../errors.ts'
import type { TimeRange } from '../log-store.ts'
import type { Values } from './read-connection.ts'

export const MINUTE_US = 60_000_000

export const WITHIN: string = `time >= ${timeOf('fromUs')} AND time < ${timeOf('toUs')}`

/** The column's type from a parameter in microseconds. */
export function timeOf(parameter: string): string {
  return `fromUnixTimestamp64Micro({${parameter}:Int64}, 'UTC')`
}

export function rangeValues({ fromUs, toUs }: TimeRange): Values {
  return { fromUs: checked(fromUs, 0, END_OF_TIME_US), toUs: checked(toUs, 0, END_OF_TIME_US) }
}

export function checked(value: number, least: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value
  throw new AppError('invalid_request', `${value} is not a whole number between ${least} and ${most}. Correct it.`)
}

/** `2026-01-02 03:04:05.678901` */
export function dateTime(timeUs: number): string {
  const ms = Math.floor(timeUs / 1000)
  const us = String(timeUs - ms * 1000).padStart(3, '0')
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', us)
}
