/**
 * When things happen in the shop. Older ones keep to the hours of a working day; those of the last two days are counted
 * from the start of the demo, so that the newest incident is always a fresh one. Calendar moments are at least three days
 * old and counted ones at most 47 hours, so their order never depends on the time of day.
 */
import { DAY_MS, MINUTE_MS } from '@tidemark/wire/time/units'
export type Moment = { daysAgo: number; at: string } | { minutesAgo: number } | { before: Moment; minutes: number }

export function momentMs(moment: Moment, nowMs: number): number {
  if ('before' in moment) return momentMs(moment.before, nowMs) - moment.minutes * MINUTE_MS
  if ('minutesAgo' in moment) return nowMs - moment.minutesAgo * MINUTE_MS
  const [hours = 0, minutes = 0] = moment.at.split(':').map(Number)
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  return today - moment.daysAgo * DAY_MS + (hours * 60 + minutes) * MINUTE_MS
}
