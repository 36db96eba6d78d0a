import { bucketLengthFor, TREND_SLICES } from '@tidemark/wire/time/bucket-length'

type Window = { from: string; to: string }

/**
 * Whether the bucket goes on now, beyond the window. Its count is less than it will be, and must not look like an end. What
 * a range in the past cuts off is what was asked for.
 */
export function isBucketUnfinished(startMs: number, toMs: number, bucketSeconds: number, nowMs = Date.now()): boolean {
  const endMs = startMs + bucketSeconds * 1_000
  return endMs > toMs && startMs <= nowMs && nowMs < endMs
}

/** Where the last bucket of a window begins, null if it is over. Buckets are whole multiples of their length since 1970. */
export function unfinishedFromMs(toMs: number, bucketSeconds: number, nowMs?: number): number | null {
  const bucketMs = bucketSeconds * 1_000
  const startMs = Math.floor((toMs - 1) / bucketMs) * bucketMs
  return isBucketUnfinished(startMs, toMs, bucketSeconds, nowMs) ? startMs : null
}

/** Of the trends of analyses and services in a window. */
export function isTrendUnfinished({ from, to }: Window, nowMs?: number): boolean {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
  return unfinishedFromMs(toMs, bucketLengthFor(TREND_SLICES, (toMs - fromMs) * 1_000) / 1e6, nowMs) !== null
}
