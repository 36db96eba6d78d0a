import { LOGS_DEFAULT_FROM } from '@tidemark/wire/dashboard/address'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tidemark/wire/time/units'
import { presetsOf, type Range } from './range.ts'

type Window = { from: string; to: string }

/**
 * A range around this one, twice as long. One that ends now still does: it becomes the next longer one that people know.
 * Undefined where there is nothing around it that could be shown.
 */
export function zoomedOut(range: Range, { from, to }: Window, nowMs: number): Range | undefined {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
  const span = toMs - fromMs
  if (range.to === undefined) {
    return presetsOf(LOGS_DEFAULT_FROM).find((preset) => lengthMs(preset.from) > span + SLACK_MS)?.range
  }
  const end = Math.min(toMs + span / 2, nowMs)
  // What the end lacks is added at the beginning.
  const start = Math.max(0, end - 2 * span)
  return { from: new Date(start).toISOString(), to: end >= nowMs ? undefined : new Date(end).toISOString() }
}

/** A relative range is a little longer by the time it is counted. */
const SLACK_MS = SECOND_MS
const UNIT_MS: Record<string, number> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }

/** Of a preset: `-15m`. */
function lengthMs(from: string): number {
  return Number(from.slice(1, -1)) * (UNIT_MS[from.slice(-1)] ?? 0)
}
