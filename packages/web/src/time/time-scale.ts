/** Where the moments of a window are in a chart. */
import { isBucketUnfinished } from './unfinished.ts'

export type TimeScale = {
  /** The window. */
  fromMs: number
  toMs: number
  /** Where the axis ends: with the window, or with the bucket that goes on now, which so is as wide as the others. */
  endMs: number
  /** Where that bucket begins. */
  unfinishedX: number | null
  toX: (timeMs: number) => number
  /** The moment at a place, or the end of the window where nothing has happened yet. */
  momentAt: (x: number) => number
}

type Charted = {
  window: { from: string; to: string }
  bucketSeconds: number
  /** In order. They need not begin at whole multiples of their length. */
  buckets: readonly { timestamp: string }[]
}

export function timeScale({ window, bucketSeconds, buckets }: Charted, width: number): TimeScale {
  const fromMs = Date.parse(window.from)
  const toMs = Date.parse(window.to)
  const lastMs = Date.parse(buckets.at(-1)?.timestamp ?? '')
  const isUnfinished = isBucketUnfinished(lastMs, toMs, bucketSeconds)
  const endMs = isUnfinished ? lastMs + bucketSeconds * 1_000 : toMs
  const span = Math.max(1, endMs - fromMs)
  const toX = (timeMs: number) => ((timeMs - fromMs) / span) * width
  return {
    fromMs,
    toMs,
    endMs,
    unfinishedX: isUnfinished ? Math.max(0, toX(lastMs)) : null,
    toX,
    momentAt: (x) => Math.min(fromMs + (Math.min(Math.max(x, 0), width) / width) * span, toMs),
  }
}
