/** When enough was seen of a deploy to call it good, and when that will be. */
import { DAY_US, HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'
import { ranUs, type VerdictFacts } from './verdict-facts.ts'

/** However many records come, calling a deploy good takes at least this long. */
export const SOONEST_US = 5 * MINUTE_US

/**
 * The more records come, the sooner it can be called good: among 300, 60 or 20 records, errors in one of a hundred, of twenty or
 * of seven would have been seen with a chance of 95 %. After a day, whatever was seen is enough.
 */
const ENOUGH = [
  { afterUs: SOONEST_US, records: 300 },
  { afterUs: 15 * MINUTE_US, records: 60 },
  { afterUs: HOUR_US, records: 20 },
  { afterUs: DAY_US, records: 1 },
]

export function hasSeenEnough(facts: VerdictFacts, since: number): boolean {
  return ENOUGH.some(({ afterUs, records }) => ranUs(facts) >= afterUs && since >= records)
}

/** At the rate of records so far. Null when it never will: it was replaced, or nothing came within a day. */
export function enoughAtUs(facts: VerdictFacts, since: number, inHourBefore: number): number | null {
  const { deployedAtUs, nowUs, replacedBy } = facts
  const ran = ranUs(facts)
  if (replacedBy !== null || ran >= DAY_US) return null
  const perUs = Math.max(inHourBefore / HOUR_US, ran > 0 ? since / ran : 0)
  const times = ENOUGH.map(({ afterUs, records }) => {
    const missing = Math.max(0, records - since)
    const waitUs = missing === 0 ? 0 : perUs === 0 ? Number.POSITIVE_INFINITY : missing / perUs
    return Math.max(deployedAtUs + afterUs, nowUs + waitUs)
  })
  // At the latest when whatever was seen must do.
  return Math.min(...times, deployedAtUs + DAY_US)
}
