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

/** A rate as it is answered. */
export function roundedRate(rate: number): number {
  return Math.round(rate * 100) / 100
}

type Occurrences = { anchorUs: number; lastSeenUs: number; deployedAtUs: number | null; nowUs: number }

/**
 * From before the anchor until after the last error, and nothing that is yet to come: an hour or a quarter of it lies on
 * either side. A deploy further back is inside as well, unless the errors would then have less than half of the width.
 */
export function occurrenceWindow({ anchorUs, lastSeenUs, deployedAtUs, nowUs }: Occurrences): TimeRange {
  const lastUs = Math.max(anchorUs, lastSeenUs)
  const quietUs = Math.max(HOUR_US, Math.floor((lastUs - anchorUs) / 4))
  const toUs = Math.max(lastUs + 1, Math.min(nowUs, lastUs + quietUs))
  const fromUs = Math.max(0, anchorUs - Math.max(HOUR_US, Math.floor((toUs - anchorUs) / 4)))
  if (deployedAtUs === null) return { fromUs, toUs }
  const aheadUs = deployedAtUs - Math.floor(Math.abs(toUs - deployedAtUs) / 12)
  const isNear = toUs - aheadUs <= 2 * (toUs - fromUs)
  return { fromUs: isNear ? Math.max(0, Math.min(fromUs, aheadUs)) : fromUs, toUs }
}

/** Buckets of this length of which one begins with the deploy, so that no bar holds errors of both sides. */
export function alignedTo(atUs: number, { fromUs, toUs }: TimeRange, bucketUs: number): TimeRange {
  return { fromUs: Math.max(atUs % bucketUs, atUs - Math.ceil((atUs - fromUs) / bucketUs) * bucketUs), toUs }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
