/** When a channel is quiet, by the clocks of its zone. Where clocks jump, what they show is what counts. */
import { DAY_MS, MINUTE_MS } from '@tidemark/wire/time/units'
import type { Quiet } from '../model/alert.ts'

/** Names of the time zone database only: an offset would be wrong for half of the year. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false
  try {
    clockOf(name)
    return true
  } catch {
    return false
  }
}

export function isQuiet(quiet: Quiet | null, nowMs: number): boolean {
  return quiet !== null && isQuietMinute(quiet, minuteOfDay(clockOf(quiet.timeZone), nowMs))
}

/** The first whole minute after it; the same moment when it is not quiet. */
export function quietUntil(quiet: Quiet | null, nowMs: number): number {
  if (quiet === null || !isQuiet(quiet, nowMs)) return nowMs
  const clock = clockOf(quiet.timeZone)
  const first = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS
  // Minute by minute, because only this is right whatever the clocks do in between. Two days hold any jump.
  for (let atMs = first; atMs <= nowMs + 2 * DAY_MS; atMs += MINUTE_MS) {
    if (!isQuietMinute(quiet, minuteOfDay(clock, atMs))) return atMs
  }
  return nowMs + DAY_MS
}

function isQuietMinute({ fromMinute, toMinute }: Quiet, minute: number): boolean {
  if (fromMinute <= toMinute) return fromMinute <= minute && minute < toMinute
  return minute >= fromMinute || minute < toMinute
}

function minuteOfDay(clock: Intl.DateTimeFormat, atMs: number): number {
  const [hours = 0, minutes = 0] = clock.format(atMs).split(':').map(Number)
  return hours * 60 + minutes
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
}
