/**
 * Times for people: in the viewer's zone or in UTC, always with the zone, always of the same width. A record's time
 * is kept to the microsecond; the text of the service is cut rather than parsed where digits matter. Without `Intl`,
 * whose first use holds up a page that has just been opened for some 50 ms.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidemark/wire/time/units'
import type { Zone } from '../ui/preferences.ts'
import { isOfDays } from './ticks.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `14:03:22.123` */
export function formatClock(timestamp: string, zone: Zone): string {
  return clock(timestamp, zone, 'milliseconds')
}

/** `15 Nov 14:03:22.123` */
export function formatMoment(timestamp: string, zone: Zone): string {
  return `${formatDay(timestamp, zone)} ${formatClock(timestamp, zone)}`
}

/** `14:03:22` */
export function formatClockSeconds(timestamp: string, zone: Zone): string {
  return clock(timestamp, zone, 'seconds')
}

/** `15 Nov 14:03:22` */
export function formatMomentSeconds(timestamp: string, zone: Zone): string {
  return `${formatDay(timestamp, zone)} ${formatClockSeconds(timestamp, zone)}`
}

/** `15 Nov` */
export function formatDay(timestamp: string, zone: Zone): string {
  const [, month, day] = formatDate(timestamp, zone).split('-')
  return day === undefined ? timestamp : `${day} ${MONTHS[Number(month) - 1]}`
}

/** `2026-11-15 14:03:22 UTC+1`: complete and unambiguous. */
export function formatFull(timestamp: string, zone: Zone): string {
  return `${formatDate(timestamp, zone)} ${clock(timestamp, zone, 'seconds')} ${zoneName(timestamp, zone)}`
}

/** `2026-11-15 14:03:22.517 UTC+1`, for one record among many of the same second. */
export function formatExact(timestamp: string, zone: Zone): string {
  return `${formatDate(timestamp, zone)} ${formatClock(timestamp, zone)} ${zoneName(timestamp, zone)}`
}

/** `15 Nov 14:03` for ends of a range. */
export function formatShort(timestamp: string, zone: Zone): string {
  return `${formatDay(timestamp, zone)} ${clock(timestamp, zone, 'minutes')}`
}

/** `15 Nov 14:03` for the start of a bar, with the seconds where bars are shorter than a minute. */
export function formatBarStart(timestamp: string, zone: Zone, bucketSeconds: number): string {
  return bucketSeconds < 60 ? formatMomentSeconds(timestamp, zone) : formatShort(timestamp, zone)
}

/** `15 Nov 14:03 – 14:04` for a whole bar: the day is said again only where the end has another one. */
export function formatBar(from: string, to: string, zone: Zone, bucketSeconds: number): string {
  // The first and the last are as long as the window lets them, which may end within a minute.
  const isWhole = [from, to].every((end) => Date.parse(end) % MINUTE_MS === 0)
  const format = isWhole && bucketSeconds >= 60 ? formatShort : formatMomentSeconds
  const [start, end] = [format(from, zone), format(to, zone)]
  const day = formatDay(from, zone)
  return `${start} – ${end.startsWith(`${day} `) ? end.slice(day.length + 1) : end}`
}

/** `14:03` under a chart of hours, `15 Nov` under one of days. */
export function formatTick(timeMs: number, zone: Zone, spanMs: number): string {
  const timestamp = new Date(timeMs).toISOString()
  if (isOfDays(spanMs)) return formatDay(timestamp, zone)
  const shown = clock(timestamp, zone, spanMs < 600_000 ? 'seconds' : 'minutes')
  return spanMs > DAY_MS ? `${formatDay(timestamp, zone)} ${shown}` : shown
}

/** `UTC+1`, `UTC-3:30` */
export function zoneName(timestamp: string, zone: Zone): string {
  if (zone === 'utc') return 'UTC'
  const aheadMs = offsetMs(new Date(timestamp))
  if (Number.isNaN(aheadMs)) return 'local'
  if (aheadMs === 0) return 'UTC'
  const hours = Math.floor(Math.abs(aheadMs) / HOUR_MS)
  const minutes = (Math.abs(aheadMs) % HOUR_MS) / MINUTE_MS
  const rest = minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`
  return `UTC${aheadMs > 0 ? '+' : '-'}${hours}${rest}`
}

function formatDate(timestamp: string, zone: Zone): string {
  return onTheWall(timestamp, zone)?.slice(0, 'yyyy-mm-dd'.length) ?? timestamp
}

const CLOCK_ENDS = { minutes: 'hh:mm'.length, seconds: 'hh:mm:ss'.length, milliseconds: 'hh:mm:ss.mmm'.length }

function clock(timestamp: string, zone: Zone, to: keyof typeof CLOCK_ENDS): string {
  return onTheWall(timestamp, zone)?.slice('yyyy-mm-ddT'.length).slice(0, CLOCK_ENDS[to]) ?? timestamp
}

/** `2026-11-15T14:03:22.123Z`, as the calendar and clock of the zone say it; nothing for what is not a time. */
function onTheWall(timestamp: string, zone: Zone): string | undefined {
  const date = new Date(timestamp)
  const shown = zone === 'utc' ? date : new Date(date.getTime() + offsetMs(date))
  return Number.isNaN(shown.getTime()) ? undefined : shown.toISOString()
}

/** How far the viewer's clock is ahead of UTC at that time. */
function offsetMs(date: Date): number {
  return -date.getTimezoneOffset() * MINUTE_MS
}
