/**
 * How long records are kept, in whole days: a record stays for so many days after its own, so a retention never cuts a day
 * short. Arrival is stricter, and counts to the moment.
 */
import { MAX_AHEAD_US } from '@tidemark/wire/limits'
import { DAY_MS, DAY_US } from '@tidemark/wire/time/units'
import type { TimeRange } from './time-range.ts'

/** Records from before it are past a retention. */
export function keptSinceUs(retentionDays: number, nowMs: number): number {
  return Math.max(0, Math.floor(nowMs / DAY_MS) - retentionDays) * DAY_US
}

/** The day, counted from 1970, with whose beginning the store may delete a record of `day`. */
export function expiresDay(day: number, retentionDays: number): number {
  return day + retentionDays + 1
}

/** A wider window holds no more records. */
export function widestWindowUs(retentionDays: number): number {
  return (retentionDays + 1) * DAY_US
}

/** Where every record that is kept lies, also one that is ahead of our clock. */
export function keptRange(retentionDays: number, nowMs: number): TimeRange {
  return { fromUs: keptSinceUs(retentionDays, nowMs), toUs: nowMs * 1_000 + MAX_AHEAD_US }
}

/** Null when retention has passed over it, or nothing is left. */
export function kept({ fromUs, toUs }: TimeRange, oldestUs: number): TimeRange | null {
  const range = { fromUs: Math.max(fromUs, oldestUs, 0), toUs }
  return range.fromUs < range.toUs ? range : null
}
