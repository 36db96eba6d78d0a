/** The time that is looked at around an onset, and which parts of it where all of it would be too much. */

import { DAY_US, HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'
import type { Course } from '../../analysis/cause/error-course.ts'
import { kept } from '../../model/retention.ts'
import type { TimeRange } from '../../model/time-range.ts'

const LEAST_US = 10 * MINUTE_US
const MOST_US = 6 * HOUR_US
const LEAST_BEFORE_US = HOUR_US
/** What is usual, where an hour before has too few records to tell. */
const USUAL_US = 6 * HOUR_US
const SLICES = 10

/** From the onset while it went on, and as long before; `usual` reaches further back. */
export function windowsOf({ onsetUs, untilUs }: Course, nowUs: number, oldestUs: number) {
  const lengthUs = Math.min(Math.max(untilUs + 1 - onsetUs, LEAST_US), MOST_US)
  const beforeUs = Math.max(lengthUs, LEAST_BEFORE_US)
  return {
    after: kept({ fromUs: onsetUs, toUs: Math.min(onsetUs + lengthUs, Math.max(nowUs, onsetUs + 1)) }, oldestUs),
    before: kept({ fromUs: onsetUs - beforeUs, toUs: onsetUs }, oldestUs),
    usual: kept({ fromUs: onsetUs - Math.max(beforeUs, USUAL_US), toUs: onsetUs }, oldestUs),
  }
}

/** Both ends to the minute before; what is shorter than a minute stays as it is. */
export function toMinutesBefore({ fromUs, toUs }: TimeRange): TimeRange {
  const [from, to] = [fromUs, toUs].map((us) => Math.floor(us / MINUTE_US) * MINUTE_US) as [number, number]
  return from < to ? { fromUs: from, toUs: to } : { fromUs, toUs }
}

export type Sampled = { ranges: TimeRange[]; share: number }

/** Slices of equal length all over the range that hold about `most` of its records; the whole range when it has no more. */
export function sampled(range: TimeRange, records: number, most: number): Sampled {
  if (records <= most) return { ranges: [range], share: 1 }
  const { fromUs, toUs } = range
  const everyUs = (toUs - fromUs) / SLICES
  const lengthUs = Math.max(1, Math.floor((everyUs * most) / records))
  const ranges = Array.from({ length: SLICES }, (_, at) => {
    const beginUs = Math.floor(fromUs + at * everyUs)
    return { fromUs: beginUs, toUs: Math.min(toUs, beginUs + lengthUs) }
  })
  return { ranges, share: lengthUs / everyUs }
}

/** How far back earlier starts are read, to know what a service told before. */
export const EARLIER_STARTS_US = 7 * DAY_US
/** A start that is dated this little after the moment still counts: clocks differ. */
export const START_TOLERANCE_US = MINUTE_US

/** The longest time over which errors are looked at to find where they began. */
export const COURSE_US = 30 * DAY_US
