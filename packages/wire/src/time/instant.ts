/** Times that stand for themselves: RFC 3339, a date (midnight UTC) and epochs. */
import { epochExponent } from './epoch.ts'
import { DAY_MS, MINUTE_MS } from './units.ts'

/** The log store's time ends before the 23rd century; its engine silently changes later times. */
export const END_OF_TIME_US = Date.UTC(2200, 0) * 1000

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)(?:([T ])(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i
const EPOCH = /^(\d{9,19})(?:\.(\d{1,9}))?$/

type Problem = { message: string; example: string }

/** Microseconds since 1970, what is wrong with what looks like a time, or undefined for anything else. */
export function parseInstant(text: string): number | Problem | undefined {
  const epoch = EPOCH.exec(text)
  if (epoch) return epochUs(epoch[1] ?? '', epoch[2] ?? '')
  const match = DATE_TIME.exec(text)
  if (match) return dateTimeUs(match)
  if (!/^\d+$/.test(text)) return undefined
  return { message: `${text.slice(0, 30)} has no unit and is too short for an epoch.`, example: `${text.slice(0, 3)}m` }
}

/** By digits, because a number does not hold all of those of nanoseconds. */
function epochUs(digits: string, fraction: string): number | Problem {
  const exponent = epochExponent(Number(digits))
  const all = `${digits}${fraction.padEnd(9, '0')}`
  const timeUs = Number(all.slice(0, digits.length + exponent))
  return timeUs < END_OF_TIME_US ? timeUs : outOfRange(`${digits}`)
}

function dateTimeUs(match: RegExpExecArray): number | Problem {
  const [text, year, month, day, separator, hour = '00', minute = '00', second = '00', fraction = '', zone] = match
  const date = `${year}-${month}-${day}`
  const ms = Date.parse(`${date}T${hour}:${minute}:${second}Z`)
  // The parser either rejects an impossible date or moves it to the next possible one.
  const isReal = Number.isFinite(ms) && new Date(ms).toISOString().startsWith(`${date}T${hour}:`)
  if (!isReal) return { message: `${text} is not a day and time that exists.`, example: `${year}-01-31T12:00:00Z` }
  if (separator !== undefined && zone === undefined) {
    return { message: `${text} has no zone.`, example: `${date}T${hour}:${minute}:${second}Z` }
  }
  const offsetMs = zoneMs(zone ?? 'Z')
  if (offsetMs === undefined)
    return { message: `${zone} is not a zone.`, example: `${date}T${hour}:${minute}:00+02:00` }
  const timeUs = (ms - offsetMs) * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6))
  return timeUs >= 0 && timeUs < END_OF_TIME_US ? timeUs : outOfRange(text)
}

function zoneMs(zone: string): number | undefined {
  if (/^z$/i.test(zone)) return 0
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))]
  if (hours > 23 || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS
}

function outOfRange(text: string): Problem {
  return { message: `${text} is not between 1970 and 2200.`, example: '2026-01-02T03:04:05Z' }
}

/** `2026-01-02`, of a UTC day since 1970. */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
