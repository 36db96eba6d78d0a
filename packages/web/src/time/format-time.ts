/**
 * Times for people: in the viewer's zone or in UTC, always with the zone, always of the same width. A record's time
 * is kept to the microsecond; the text of the service is cut rather than parsed where digits matter.
 */
import { DAY_MS } from '@tidemark/wire/time/units'
import type { Zone } from '../ui/preferences.ts'
import { isOfDays } from './ticks.ts'

const formats = new Map<string, Intl.DateTimeFormat>()
/** Ours, because `Intl` has “Sept” for British English: one letter more than every other month. */
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `14:03:22.123` */
export function formatClock(timestamp: string, zone: Zone): string {
  return format(timestamp, zone, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  })
}

/** `15 Nov 14:03:22.123` */
export function formatMoment(timestamp: string, zone: Zone): string {
  return `${formatDay(timestamp, zone)} ${formatClock(timestamp, zone)}`
}

/** `15 Nov` */
export function formatDay(timestamp: string, zone: Zone): string {
  const [, month, day] = formatDate(timestamp, zone).split('-')
  return day === undefined ? timestamp : `${day} ${MONTHS[Number(month) - 1]}`
}

/** `2026-11-15 14:03:22 UTC+1`: complete and unambiguous. */
export function formatFull(timestamp: string, zone: Zone): string {
  const clock = format(timestamp, zone, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
  return `${formatDate(timestamp, zone)} ${clock} ${zoneName(timestamp, zone)}`
}

/** `2026-11-15 14:03:22.517 UTC+1`, for one record among many of the same second. */
export function formatExact(timestamp: string, zone: Zone): string {
  return `${formatDate(timestamp, zone)} ${formatClock(timestamp, zone)} ${zoneName(timestamp, zone)}`
}

function formatDate(timestamp: string, zone: Zone): string {
  return format(timestamp, zone, { year: 'numeric', month: '2-digit', day: '2-digit' }, 'sv-SE')
}

/** `15 Nov 14:03` for ends of a range. */
export function formatShort(timestamp: string, zone: Zone): string {
  const clock = format(timestamp, zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return `${formatDay(timestamp, zone)} ${clock}`
}

/** `15 Nov 14:03` for the start of a bar, with the seconds where bars are shorter than a minute. */
export function formatBarStart(timestamp: string, zone: Zone, bucketSeconds: number): string {
  return bucketSeconds < 60 ? formatMoment(timestamp, zone).slice(0, -'.123'.length) : formatShort(timestamp, zone)
}

/** `14:03` under a chart of hours, `15 Nov` under one of days. */
export function formatTick(timeMs: number, zone: Zone, spanMs: number): string {
  const timestamp = new Date(timeMs).toISOString()
  if (isOfDays(spanMs)) return formatDay(timestamp, zone)
  const options: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  const clock = format(timestamp, zone, spanMs < 600_000 ? { ...options, second: '2-digit' } : options)
  return spanMs > DAY_MS ? `${formatDay(timestamp, zone)} ${clock}` : clock
}

export function zoneName(timestamp: string, zone: Zone): string {
  if (zone === 'utc') return 'UTC'
  const options: Intl.DateTimeFormatOptions = { timeZoneName: 'shortOffset' }
  const date = new Date(timestamp)
  if (Number.isNaN(date.getTime())) return 'local'
  const parts = formatter('en-GB', zone, options).formatToParts(date)
  return (parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'local').replace('GMT', 'UTC')
}

function format(timestamp: string, zone: Zone, options: Intl.DateTimeFormatOptions, locale = 'en-GB'): string {
  const date = new Date(timestamp)
  return Number.isNaN(date.getTime()) ? timestamp : formatter(locale, zone, options).format(date)
}

// Making a formatter is slow, and a stream of records needs one for each row.
function formatter(locale: string, zone: Zone, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${zone} ${JSON.stringify(options)}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(locale, { ...options, ...(zone === 'utc' ? { timeZone: 'UTC' } : {}) })
  formats.set(key, made)
  return made
}
