/**
 * Whether something that logged for hours has stopped, at any moment. The measure is its own longest pause: a job that
 * runs once an hour is silent for most of it, and a service without users at night is silent until the morning. So this
 * also works for what logs little, but takes long; for what logs much, `sudden-silence.ts` finds it within minutes.
 */
import { HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'

/** Starts of the slices in which it logged anything, oldest first. */
type Activity = { startsUs: readonly number[]; sliceUs: number; nowUs: number }
export type LongSilence = { sinceUs: number; longestGapUs: number }

/** A pause of this many times the longest one before is an end. */
const GAPS = 3
const LEAST_LONG_US = 20 * MINUTE_US
/** What ran for less is a job that is done. */
const LEAST_RUN_US = 6 * HOUR_US
const LEAST_SLICES = 12

/** Null while it logs, or where it never logged steadily enough to be missed. */
export function longSilenceOf({ startsUs, sliceUs, nowUs }: Activity): LongSilence | null {
  const [first, last] = [startsUs.at(0), startsUs.at(-1)]
  if (first === undefined || last === undefined || startsUs.length < LEAST_SLICES) return null
  const sinceUs = last + sliceUs
  const silentUs = nowUs - sinceUs
  const ranUs = sinceUs - first
  const longestGapUs = startsUs.reduce((longest, startUs, at) => {
    const beforeUs = startsUs[at - 1]
    return beforeUs === undefined ? longest : Math.max(longest, startUs - beforeUs - sliceUs)
  }, 0)
  // Within a slice a pause cannot be seen, so the longest may be nearly two slices longer than it looks.
  const usualUs = longestGapUs + 2 * sliceUs
  if (silentUs < Math.max(LEAST_LONG_US, GAPS * usualUs)) return null
  return ranUs < Math.max(LEAST_RUN_US, silentUs) ? null : { sinceUs, longestGapUs: usualUs }
}
