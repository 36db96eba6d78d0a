import { bucketLengthFor, TREND_SLICES } from '@tidemark/wire/time/bucket-length'

type Window = { from: string; to: string }

/**
 * Where the last bucket of a window begins, if the window ends inside of it; null where it ends with it. Buckets are
 * whole multiples of their length since 1970. What is counted in it is less than it will be, and must not look like an end.
 */
export function unfinishedFromMs(toMs: number, bucketSeconds: number): number | null {
  const bucketMs = bucketSeconds * 1_000
  const startMs = Math.floor(toMs / bucketMs) * bucketMs
  return startMs < toMs ? startMs : null
}

/** Of the trends of analyses and services in a window. */
export function isTrendUnfinished({ from, to }: Window): boolean {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
  return unfinishedFromMs(toMs, bucketLengthFor(TREND_SLICES, (toMs - fromMs) * 1_000) / 1e6) !== null
}
