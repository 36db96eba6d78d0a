/**
 * The course of one episode: when the errors really began, how high they rose, and whether they have ended. The first error
 * is not always the beginning: an error that trickled for weeks and jumps today began, for anyone who asks why, today.
 */

import { HOUR_US } from '@tidemark/wire/time/units'
import { quietAfterUs } from '../silence/quiet-errors.ts'
import { sum } from '../slices.ts'

type Series = {
  /** When the first bucket begins. */
  fromUs: number
  bucketUs: number
  counts: readonly number[]
}

export type Course = {
  /** Where the rate leaves its base, to the bucket; the first error where there was nothing before. */
  onsetUs: number
  /** Errors per hour before the onset, when there were any. */
  basePerHour: number
  /** The fullest bucket since. */
  peak: { atUs: number; count: number; spanUs: number }
  /** Errors of the rise: since the onset, or until it fell back to its base. */
  count: number
  /** When it fell back; the last error where it did not. */
  untilUs: number
  lastUs: number
  /** Silent for several of its usual gaps. */
  isQuiet: boolean
  /** Quiet, or back at its base. */
  isOver: boolean
}

type CourseFacts = { anchorUs: number; lastUs: number; nowUs: number; series: Series }

/** A jump below this factor is the usual up and down. */
const LEAST_JUMP = 3
/** Before a base has lasted this long it is not one: errors of a new kind often begin slowly. */
const LEAST_BASE_US = 6 * HOUR_US
/** Fewer errors than this are not a rise. */
const LEAST_RISE = 5
/**
 * Twice the logarithm of how much likelier two rates are than one. Chance passes the first in one of a hundred series, over
 * some hundred growths that are tried, and the second over tens of thousands of bursts.
 */
const LEAST_GROWTH = 16
/** A growth by less is believed when it is very clear, and days on both sides leave the hour of the day out of it. */
const SLOW_JUMP = 1.7
const LEAST_SLOW_GROWTH = 30
const SLOW_US = 24 * HOUR_US
const LEAST_BURST = 24

export function courseOf({ anchorUs, lastUs, nowUs, series }: CourseFacts): Course {
  const { fromUs, bucketUs } = series
  const first = Math.max(0, Math.floor((anchorUs - fromUs) / bucketUs))
  const last = Math.min(series.counts.length - 1, Math.floor((lastUs - fromUs) / bucketUs))
  const counts = series.counts.slice(first, last + 1)
  const rise = clearestRise(counts, Math.ceil(LEAST_BASE_US / bucketUs), Math.ceil(SLOW_US / bucketUs))
  const [at, to] = rise === null ? [0, counts.length] : [rise.at, rise.to]
  const onsetUs = rise === null ? anchorUs : fromUs + (first + at) * bucketUs
  const risen = counts.slice(at, to)
  const highest = risen.indexOf(Math.max(0, ...risen))
  const untilUs = to === counts.length ? lastUs : fromUs + (first + to) * bucketUs - 1
  const since = { counts: counts.slice(at), bucketUs, durationUs: lastUs - onsetUs }
  const isQuiet = nowUs - lastUs > quietAfterUs(since)
  return {
    onsetUs,
    basePerHour: rise === null ? 0 : (rise.base * HOUR_US) / bucketUs,
    peak: {
      atUs: fromUs + (first + at + Math.max(0, highest)) * bucketUs,
      count: risen[highest] ?? 0,
      spanUs: bucketUs,
    },
    count: sum(risen),
    untilUs,
    lastUs,
    isQuiet,
    isOver: isQuiet || untilUs < lastUs,
  }
}

type Rise = { at: number; to: number; base: number }

/**
 * The stretch in which the rate is most clearly higher than around it, by the likelihood of two Poisson rates against one:
 * a burst, or a growth that lasts to the end. Null when none is.
 */
export function clearestRise(
  counts: readonly number[],
  leastBase: number,
  day = Number.POSITIVE_INFINITY,
): Rise | null {
  const sums = [0]
  for (const count of counts) sums.push(sums.at(-1)! + count)
  const total = sums.at(-1)!
  const whole = logLikelihood(total, counts.length)
  let found: Rise | null = null
  let best = 0
  for (let at = leastBase; at < counts.length; at += 1) {
    if (counts[at] === 0) continue
    for (let to = at + 1; to <= counts.length; to += 1) {
      if (counts[to - 1] === 0) continue
      const [inside, outside] = [sums[to]! - sums[at]!, counts.length - (to - at)]
      const base = (total - inside) / outside
      const factor = inside / (to - at) / base
      const isSlow = factor < LEAST_JUMP
      if (inside < LEAST_RISE || factor < SLOW_JUMP) continue
      if (isSlow && (to < counts.length || at < day || to - at < day)) continue
      const gain = 2 * (logLikelihood(inside, to - at) + logLikelihood(total - inside, outside) - whole)
      if (gain > best && gain >= (isSlow ? LEAST_SLOW_GROWTH : to === counts.length ? LEAST_GROWTH : LEAST_BURST)) {
        best = gain
        found = { at, to, base }
      }
    }
  }
  return found
}

/** Of `count` events in `buckets`, at their own mean, without what is the same for every split. */
function logLikelihood(count: number, buckets: number): number {
  return count === 0 ? 0 : count * Math.log(count / buckets) - count
}
