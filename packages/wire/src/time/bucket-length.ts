/** How long the buckets of a window are. The service counts in them, and a page sees by their length whether the last is over. */
import { DAY_US, KNOWN_SECONDS, SECOND_US } from './units.ts'

/** How many slices a trend cuts the window into: exactly for patterns, at most about this many for analyses and services. */
export const TREND_SLICES = 24

/** How many buckets there should be of the errors of an analysis, in its own window and in one that people choose. */
export const OCCURRENCE_BUCKETS = '60'

const LENGTHS_US = [...KNOWN_SECONDS.map((seconds) => seconds * SECOND_US), 2 * DAY_US, 7 * DAY_US]

/** The shortest familiar length (5 minutes, an hour …) of which at most `count` make up the span. */
export function bucketLengthFor(count: number, spanUs: number): number {
  const leastUs = spanUs / count
  return LENGTHS_US.find((lengthUs) => lengthUs >= leastUs) ?? Math.ceil(leastUs / DAY_US) * DAY_US
}
