/**
 * How long records are kept, in whole days: a record stays for the days of its retention after its own, so a retention
 * never cuts a day short. Arrival is stricter, and counts to the moment.
 */
import { ERROR_LEVELS, type Level } from '@tidemark/wire/level'
import { MAX_AHEAD_US } from '@tidemark/wire/limits'
import { longestRetention, type Retention, type RetentionRule } from '@tidemark/wire/retention'
import { DAY_MS, DAY_US } from '@tidemark/wire/time/units'
import type { TimeRange } from './time-range.ts'

/** What decides how long a record is kept. */
type KeptRecord = { level: Level; service: string; environment: string }

/** Of what has one; without rules nothing is said of them, as in what was written before there were any. */
export function retentionOf({ retentionDays, retentionRules = [] }: Retention): Retention {
  return retentionRules.length === 0 ? { retentionDays } : { retentionDays, retentionRules }
}

/** The first rule that applies decides. */
export function daysKept({ retentionDays, retentionRules = [] }: Retention, record: KeptRecord): number {
  return retentionRules.find((rule) => appliesTo(rule, record))?.days ?? retentionDays
}

function appliesTo({ levels, service, environment }: RetentionRule, record: KeptRecord): boolean {
  if (levels !== null && !levels.includes(record.level)) return false
  if (service !== null && service !== record.service) return false
  return environment === null || environment === record.environment
}

/** Records from before it are past their retention: those that a rule applies to, and all others. */
export type PastRetention = { rules: readonly (Omit<RetentionRule, 'days'> & { beforeUs: number })[]; beforeUs: number }

export function pastRetention({ retentionDays, retentionRules = [] }: Retention, nowMs: number): PastRetention {
  return {
    rules: retentionRules.map(({ days, ...rule }) => ({ ...rule, beforeUs: daysBeforeUs(days, nowMs) })),
    beforeUs: daysBeforeUs(retentionDays, nowMs),
  }
}

/** No record from before it is kept. */
export function keptSinceUs(retention: Retention, nowMs: number): number {
  return daysBeforeUs(longestRetention(retention), nowMs)
}

/** Until when, and in which environment; null for all of them. */
type ComparedTime = { untilUs: number; environment: string | null }

/**
 * Since when counts can be compared. Each rule takes its records at another time: on one side of that there are more kinds
 * of records than on the other.
 */
export function comparableSinceUs(
  { retentionDays, retentionRules = [] }: Retention,
  { untilUs, environment }: ComparedTime,
  nowMs: number,
): number {
  const applying = retentionRules.filter((rule) => mayApplyIn(rule, environment))
  const bordersUs = [retentionDays, ...applying.map(({ days }) => days)].map((days) => daysBeforeUs(days, nowMs))
  const before = bordersUs.filter((us) => us < untilUs)
  return before.length > 0 ? Math.max(...before) : Math.min(...bordersUs)
}

function mayApplyIn(rule: RetentionRule, environment: string | null): boolean {
  return rule.environment === null || environment === null || rule.environment === environment
}

/** All errors of an environment since then are kept, whatever becomes of other records. */
export function errorsKeptSinceUs(
  { retentionDays, retentionRules = [] }: Retention,
  environment: string,
  nowMs: number,
) {
  const days: number[] = []
  for (const rule of retentionRules) {
    if (!mayApplyIn(rule, environment)) continue
    if (rule.levels !== null && !ERROR_LEVELS.some((level) => rule.levels?.includes(level))) continue
    days.push(rule.days)
    const isForAll =
      rule.service === null && (rule.levels === null || ERROR_LEVELS.every((level) => rule.levels?.includes(level)))
    if (isForAll) return daysBeforeUs(Math.min(...days), nowMs)
  }
  return daysBeforeUs(Math.min(retentionDays, ...days), nowMs)
}

function daysBeforeUs(days: number, nowMs: number): number {
  return Math.max(0, Math.floor(nowMs / DAY_MS) - days) * DAY_US
}

/** The day, counted from 1970, with whose beginning the store may delete a record of `day`. */
export function expiresDay(day: number, days: number): number {
  return day + days + 1
}

/** A wider window holds no more records. */
export function widestWindowUs(retention: Retention): number {
  return (longestRetention(retention) + 1) * DAY_US
}

/** Where every record that is kept lies, also one that is ahead of our clock. */
export function keptRange(retention: Retention, nowMs: number): TimeRange {
  return { fromUs: keptSinceUs(retention, nowMs), toUs: nowMs * 1_000 + MAX_AHEAD_US }
}

/** Null when retention has passed over it, or nothing is left. */
export function kept({ fromUs, toUs }: TimeRange, oldestUs: number): TimeRange | null {
  const range = { fromUs: Math.max(fromUs, oldestUs, 0), toUs }
  return range.fromUs < range.toUs ? range : null
}
