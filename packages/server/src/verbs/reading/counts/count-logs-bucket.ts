/** How long the buckets of a histogram are. */
import { withCommas } from '@tidemark/wire/text/counted'
import { bucketLengthFor } from '@tidemark/wire/time/bucket-length'
import { formatDuration, parseDuration } from '@tidemark/wire/time/duration'
import { SECOND_US } from '@tidemark/wire/time/units'
import { AppError } from '../../../errors.ts'
import type { TimeRange } from '../../../model/time-range.ts'

/** More than anyone can see side by side, or read. */
const MAX_BUCKETS = 1_000

/** `15m` is a length; `60` is how many buckets there should be at most. */
export function bucketLengthUs(text: string, range: TimeRange): number {
  if (/^\d{1,6}$/.test(text)) return lengthForCount(Number(text), range)
  const lengthUs = parseDuration(text)
  if (lengthUs === undefined || lengthUs < SECOND_US) {
    throw badBucket(`"${text}" is not a duration: write 1m, 15m, 1h or 1d, or a number of buckets such as 60.`)
  }
  if (bucketStarts(range, lengthUs).count > MAX_BUCKETS) {
    const instead = formatDuration(lengthForCount(MAX_BUCKETS - 1, range))
    throw badBucket(
      `Buckets of ${text} make more than ${withCommas(MAX_BUCKETS)} in this window: use ${instead} or a shorter window.`,
    )
  }
  return lengthUs
}

function lengthForCount(count: number, range: TimeRange): number {
  if (count < 1 || count > MAX_BUCKETS) throw badBucket(`Ask for 1 to ${withCommas(MAX_BUCKETS)} buckets.`)
  return bucketLengthFor(count, range.toUs - range.fromUs)
}

/** Whole multiples since 1970; the first may begin before the window and the last end after it. */
export function bucketStarts({ fromUs, toUs }: TimeRange, lengthUs: number): { firstUs: number; count: number } {
  const first = Math.floor(fromUs / lengthUs)
  return { firstUs: first * lengthUs, count: Math.ceil(toUs / lengthUs) - first }
}

/** What was counted, of one series or of several together, for every bucket of the window. */
export function countPerBucket(
  range: TimeRange,
  lengthUs: number,
  counted: readonly { startUs: number; count: number }[],
): number[] {
  const { firstUs, count } = bucketStarts(range, lengthUs)
  const counts = new Array<number>(count).fill(0)
  for (const { startUs, count: records } of counted) counts[(startUs - firstUs) / lengthUs]! += records
  return counts
}

function badBucket(message: string): AppError {
  return new AppError('invalid_request', message, { fields: [{ path: 'bucket', message }] })
}
