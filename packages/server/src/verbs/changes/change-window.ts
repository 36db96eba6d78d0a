/** The time that is looked at for changes: the window before the moment, what went before it, and a little of what came after. */

import type { Retention } from '@tidemark/wire/retention'
import { DAY_US, HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'
import { comparableSinceUs, kept } from '../../model/retention.ts'
import type { TimeRange } from '../../model/time-range.ts'

/** What came after shows whether something that began or stopped before the moment did so by chance. */
const AFTER_US = HOUR_US / 2
/** What comes every day is not new. */
const LEAST_BASE_US = DAY_US

/** Close to the moment minutes matter; further back whether it was before or after lunch. */
const NEAR_US = 6 * HOUR_US
export const FINEST_SLICE_US = 5 * MINUTE_US
const SLICE_US = 15 * MINUTE_US
const MAX_SLICES = 96
const BASE_SLICE_US = HOUR_US
const MAX_BASE_SLICES = 48

export type ChangeWindow = {
  /** The window itself. */
  fromUs: number
  atUs: number
  /** Records are looked at until then. */
  untilUs: number
  /** What the records of the window are compared with; null when retention has passed over it. */
  base: TimeRange | null
  /** As far as records are kept; null when none of the window are. */
  records: TimeRange | null
}

export function changeWindow(
  { atUs, lookbackUs, environment = null }: { atUs: number; lookbackUs: number; environment?: string | null },
  { nowUs, retention }: { nowUs: number; retention: Retention },
): ChangeWindow {
  const fromUs = Math.max(0, atUs - lookbackUs)
  const untilUs = Math.max(atUs, Math.min(nowUs, atUs + AFTER_US)) + 1
  const baseFromUs = fromUs - Math.max(lookbackUs, LEAST_BASE_US)
  const oldestUs = comparableSinceUs(retention, { untilUs, environment }, nowUs / 1_000)
  const records = kept({ fromUs, toUs: untilUs }, oldestUs)
  return { fromUs, atUs, untilUs, records, base: kept({ fromUs: baseFromUs, toUs: fromUs }, oldestUs) }
}

/** Slices of the base and of the window that follow each other, finer towards the moment, at whole minutes. */
export function slicesOf({ atUs, base, records }: Pick<ChangeWindow, 'atUs' | 'base' | 'records'>): TimeRange[] {
  if (records === null) return []
  const nearUs = Math.max(records.fromUs, minuteOf(atUs) - NEAR_US)
  return [
    ...(base === null ? [] : cut(base, stepOf(base, BASE_SLICE_US, MAX_BASE_SLICES))),
    ...cut(
      { fromUs: records.fromUs, toUs: nearUs },
      stepOf({ fromUs: records.fromUs, toUs: nearUs }, SLICE_US, MAX_SLICES),
    ),
    ...cut({ fromUs: nearUs, toUs: records.toUs }, FINEST_SLICE_US),
  ]
}

/** The length of equal slices, of which there are at most `most`. */
export function stepOf({ fromUs, toUs }: TimeRange, leastUs: number, most: number): number {
  return Math.max(leastUs, Math.ceil((toUs - fromUs) / most / MINUTE_US) * MINUTE_US)
}

/** The first slice begins with the range and the last one ends with it; between them they begin at whole steps. */
export function cut({ fromUs, toUs }: TimeRange, stepUs: number): TimeRange[] {
  const slices: TimeRange[] = []
  for (let beginUs = fromUs; beginUs < toUs; ) {
    const endUs = Math.min(toUs, (Math.floor(beginUs / stepUs) + 1) * stepUs)
    slices.push({ fromUs: beginUs, toUs: endUs })
    beginUs = endUs
  }
  return slices
}

function minuteOf(timeUs: number): number {
  return Math.floor(timeUs / MINUTE_US) * MINUTE_US
}
