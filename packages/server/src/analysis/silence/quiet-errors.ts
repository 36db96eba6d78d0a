/**
 * Whether the errors of an episode have stopped, judged by their usual gap. This is for errors alone, which come in
 * bursts and may be few: what else a service logs says nothing about them. The files beside it judge whether a service
 * logs at all.
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
