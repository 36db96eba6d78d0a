import { bucketLengthFor, TREND_SLICES } from '@tidemark/wire/time/bucket-length'

type Window = { from: string; to: string }

/** Whether the window ends before the bucket does. Its count is less than it will be, and must not look like an end. */
export function isBucketUnfinished(startMs: number, toMs: number, bucketSeconds: number): boolean {
  return startMs + bucketSeconds * 1_000 > toMs
}

/** Where the last bucket of a window begins, null if it is over. Buckets are whole multiples of their length since 1970. */
export function unfinishedFromMs(toMs: number, bucketSeconds: number): number | null {
  const bucketMs = bucketSeconds * 1_000
  const startMs = Math.floor((toMs - 1) / bucketMs) * bucketMs
  return isBucketUnfinished(startMs, toMs, bucketSeconds) ? startMs : null
}

/** Of the trends of analyses and services in a window. */
export function isTrendUnfinished({ from, to }: Window): boolean {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
  return unfinishedFromMs(toMs, bucketLengthFor(TREND_SLICES, (toMs - fromMs) * 1_000) / 1e6) !== null
}
