/**
 * Whether the errors of an episode have stopped, by their usual gap. It is asked of errors, which come in heaps and may be
 * few: what a service logs besides them says nothing about it. What a service logs at all is asked of the rules beside it.
 */
import { MINUTE_US } from '@tidemark/wire/time/units'

/** A pause of this many usual gaps is an end: chance makes one about once in three thousand gaps. */
const QUIET_GAPS = 8
const LEAST_QUIET_US = 10 * MINUTE_US

/** Errors in equal buckets, the first and the last of which hold some. */
type ErrorSeries = { counts: readonly number[]; bucketUs: number; durationUs: number }

/** Errors come in heaps, so the usual gap is taken from the buckets that hold any, and from all of the time. */
export function quietAfterUs({ counts, bucketUs, durationUs }: ErrorSeries): number {
  const held = counts.filter((count) => count > 0).length
  const meanUs = Math.max(durationUs, bucketUs) / Math.max(1, held)
  return Math.max(LEAST_QUIET_US, QUIET_GAPS * meanUs)
}
