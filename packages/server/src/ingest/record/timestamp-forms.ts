import { MAX_AHEAD_US } from '@tidemark/wire/limits'
import { toUs } from './calendar.ts'

/**
 * The written forms that are not ISO 8601 to the second. Each is one anchored expression over short text and one reader;
 * they are tried in order, and the first shape that fits decides, even when the date in it does not exist.
 */
export function readWrittenForm(text: string, receivedUs: number): number | null {
  if (text.length > MAX_TIMESTAMP_CHARACTERS) return null
  for (const { shape, read } of FORMS) {
    const groups = shape.exec(text)?.groups
    if (groups !== undefined) return read(groups, receivedUs)
  }
  return null
}

const MAX_TIMESTAMP_CHARACTERS = 80

type Groups = Record<string, string | undefined>

const CLOCK = '(?<hour>\\d{1,2}):(?<minute>\\d\\d)(?::(?<second>\\d\\d)(?:[.,](?<fraction>\\d{1,9}))?)?'
const ZONE = '(?<zone>Z|[A-Za-z]{2,5}|[+-]\\d\\d:?\\d\\d|[+-]\\d\\d)'
const MONTH = '(?<month>[A-Za-z]{3,9})\\.?'
const WEEKDAY = '(?:[A-Za-z]{3,9},? +)?'

const FORMS: { shape: RegExp; read: (groups: Groups, receivedUs: number) => number | null }[] = [
  // 2026-01-02, 2026-01-02T03:04Z, 2026/01/02 03:04:05, Go's "2026-01-02 03:04:05.6 +0100 CET m=+0.1", Java's "…+01:00[Europe/Paris]"
  {
    shape: form(
      `(?<year>\\d{4})(?<dash>[-/.])(?<month>\\d\\d)\\k<dash>(?<day>\\d\\d)(?:[T ]+${CLOCK}(?: ?${ZONE})?(?: [A-Z]{2,5})?(?:\\[[\\w/+-]{1,40}\\])?(?: m=[+-][\\d.]+)?)?`,
    ),
    read: readGroups,
  },
  // 20260102T030405Z, 20260102T030405.678+0100
  {
    shape: form(
      `(?<year>\\d{4})(?<month>\\d\\d)(?<day>\\d\\d)T(?<hour>\\d\\d)(?<minute>\\d\\d)(?<second>\\d\\d)?(?:[.,](?<fraction>\\d{1,9}))?${ZONE}?`,
    ),
    read: readGroups,
  },
  // Tue, 10 Nov 2009 23:00:00 GMT; 02-Jan-2026 03:04:05.678; Sunday, 06-Nov-94 08:49:37 GMT
  {
    shape: form(`${WEEKDAY}(?<day>\\d{1,2})[ -]${MONTH}[ -](?<year>\\d{4}|\\d\\d)(?: ${CLOCK}(?: ${ZONE})?)?`),
    read: readGroups,
  },
  // 10/Oct/2000:13:55:36 -0700, with or without its brackets
  { shape: form(`\\[?(?<day>\\d{1,2})/${MONTH}/(?<year>\\d{4}):${CLOCK}(?: ${ZONE})?\\]?`), read: readGroups },
  // Sun Nov  6 08:49:37 1994; Mon Jan  2 15:04:05 MST 2006; Mon Jan 02 15:04:05 -0700 2006
  {
    shape: form(`[A-Za-z]{3,9} +${MONTH} +(?<day>\\d{1,2}) +${CLOCK}(?: ${ZONE})? +(?<year>\\d{4})`),
    read: readGroups,
  },
  // Jan 2, 2026 3:04:05 PM; Jan 2 2026 03:04:05
  {
    shape: form(
      `${MONTH} +(?<day>\\d{1,2}),? +(?<year>\\d{4}),?(?: +${CLOCK}(?: ?(?<half>[AaPp][Mm]))?(?: ${ZONE})?)?`,
    ),
    read: readGroups,
  },
  // Jan  2 03:04:05, Jan  2 03:04:05 CET
  { shape: form(`${MONTH} +(?<day>\\d{1,2}) +${CLOCK}(?: ${ZONE})?`), read: readSyslog },
]

function form(source: string): RegExp {
  return new RegExp(`^${source}$`)
}

function readGroups(groups: Groups): number | null {
  const offset = offsetMinutes(groups.zone)
  const hour = readHour(groups)
  if (offset === null || hour === null) return null
  const micros = Number((groups.fraction ?? '').slice(0, 6).padEnd(6, '0'))
  return toUs(
    readYear(groups.year ?? ''),
    readMonth(groups.month ?? ''),
    Number(groups.day),
    hour,
    Number(groups.minute ?? 0),
    Number(groups.second ?? 0),
    micros,
    offset,
  )
}

/** The year that brings the time closest to its arrival without putting it further ahead than a record may be. */
function readSyslog(groups: Groups, receivedUs: number): number | null {
  const thisYear = new Date(receivedUs / 1_000).getUTCFullYear()
  for (const year of [thisYear + 1, thisYear, thisYear - 1]) {
    const timeUs = readGroups({ ...groups, year: String(year) })
    if (timeUs !== null && timeUs <= receivedUs + MAX_AHEAD_US) return timeUs
  }
  return null
}

function readHour(groups: Groups): number | null {
  const hour = Number(groups.hour ?? 0)
  if (groups.half === undefined) return hour
  if (hour < 1 || hour > 12) return null
  return (hour % 12) + (groups.half.toLowerCase() === 'pm' ? 12 : 0)
}

/** Two digits follow RFC 2822: 00–49 lie in this century. */
function readYear(text: string): number {
  const year = Number(text)
  if (text.length > 2) return year
  return year < 50 ? 2000 + year : 1900 + year
}

function readMonth(text: string): number {
  if (text.length === 2) return Number(text)
  const short = text.slice(0, 3).toLowerCase()
  const month = MONTHS.indexOf(short) + 1
  return month > 0 && (text.length === 3 || LONG_MONTHS[month - 1]!.startsWith(text.toLowerCase())) ? month : Number.NaN
}

const LONG_MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const MONTHS = LONG_MONTHS.map((name) => name.slice(0, 3))

/** Null for a zone that is not known: a wrong hour is worse than a refused record. */
function offsetMinutes(zone: string | undefined): number | null {
  if (zone === undefined) return 0
  const numeric = /^([+-])(\d\d):?(\d\d)?$/.exec(zone)
  if (numeric === null) return ZONE_MINUTES.get(zone.toUpperCase()) ?? null
  const minutes = Number(numeric[2]) * 60 + Number(numeric[3] ?? 0)
  if (Number(numeric[2]) > 18 || Number(numeric[3] ?? 0) > 59) return null
  return numeric[1] === '-' ? -minutes : minutes
}

/** The zones RFC 2822 names, and the two of central Europe. */
const ZONE_MINUTES = new Map([
  ['Z', 0],
  ['UT', 0],
  ['UTC', 0],
  ['GMT', 0],
  ['EST', -300],
  ['EDT', -240],
  ['CST', -360],
  ['CDT', -300],
  ['MST', -420],
  ['MDT', -360],
  ['PST', -480],
  ['PDT', -420],
  ['CET', 60],
  ['CEST', 120],
])
