/** The spans around a deploy that are compared, and the window around an anchor that is drawn. Times in microseconds. */

import { DAY_US, HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'
import type { TimeRange } from '../../model/time-range.ts'

export const LEAST_SPAN_US = 10 * MINUTE_US
export const MOST_SPAN_US = DAY_US

type RateSpans = { before: TimeRange; after: TimeRange }
type RateCounts = { errors: number; records: number }
export type Rates = {
  before: TimeRange & RateCounts
  after: TimeRange & RateCounts
  /** Of the analysis, whatever records are left. */
  existedBefore: boolean
}

/**
 * Equal spans around the deploy: as long as it has been running, at least ten minutes and at most a day. What has not
 * happened yet is not part of the later one. Null when retention has left too little of the earlier one to compare with.
 */
export function rateSpans(deployedAtUs: number, nowUs: number, oldestUs: number): RateSpans | null {
  const runningUs = Math.max(0, nowUs - deployedAtUs)
  const spanUs = Math.min(clamp(runningUs, LEAST_SPAN_US, MOST_SPAN_US), deployedAtUs - oldestUs)
  if (spanUs < LEAST_SPAN_US || runningUs === 0) return null
  return {
    before: { fromUs: deployedAtUs - spanUs, toUs: deployedAtUs },
    after: { fromUs: deployedAtUs, toUs: Math.min(deployedAtUs + spanUs, nowUs) },
  }
}

export function perHour(count: number, { fromUs, toUs }: TimeRange): number {
  return toUs > fromUs ? (count * HOUR_US) / (toUs - fromUs) : 0
}

/** As it is shown. */
export function roundedPerHour(count: number, range: TimeRange): number {
  return Math.round(perHour(count, range) * 100) / 100
}

/** From before the anchor until now, at most a week behind it: a quarter of it, or an hour, lies before. */
export function occurrenceWindow(anchorUs: number, nowUs: number): TimeRange {
  const behindUs = clamp(nowUs - anchorUs, HOUR_US, 7 * DAY_US)
  const aheadUs = Math.max(HOUR_US, Math.floor(behindUs / 4))
  return { fromUs: Math.max(0, anchorUs - aheadUs), toUs: anchorUs + behindUs }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
