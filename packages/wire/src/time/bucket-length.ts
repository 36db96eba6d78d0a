/** How long the parts of a window are that is cut into buckets. The service cuts it, and a page knows by this whether the last is over. */
import { DAY_US, KNOWN_SECONDS, SECOND_US } from './units.ts'

/** In how many slices a trend cuts the window: of patterns exactly, of analyses and services at most about so many. */
export const TREND_SLICES = 24

const LENGTHS_US = [...KNOWN_SECONDS.map((seconds) => seconds * SECOND_US), 2 * DAY_US, 7 * DAY_US]

/** The shortest that people know of which at most so many make up the span. */
export function bucketLengthFor(count: number, spanUs: number): number {
  const leastUs = spanUs / count
  return LENGTHS_US.find((lengthUs) => lengthUs >= leastUs) ?? Math.ceil(leastUs / DAY_US) * DAY_US
}
