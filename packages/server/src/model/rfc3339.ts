import { MINUTE_MS, SECOND_US } from '@tidemark/wire/time/units'

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/

/**
 * Times have three readers, each as strict as its sender may be expected to be: this one for deploys, whose time must not
 * be guessed; `parseTimestamp` of `ingest`, fast, for whatever a log line holds; `parseInstant` of `wire`, for people and
 * agents, which says what is wrong. One of them for all would guess where it must not, or refuse what it should read.
 *
 * Microseconds since 1970 of a complete RFC 3339 time (further digits are cut), or null when it is not one.
 */
export function parseRfc3339(text: string): number | null {
  const match = RFC_3339.exec(text)
  if (!match) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number)
  const ms = Date.UTC(year, month - 1, day, hour, minute, second)
  const date = new Date(ms)
  // Date.UTC moves impossible dates (31 June, 25:00) on to the next possible one and reads years below 100 as 19xx.
  const isReal =
    date.getUTCFullYear() === year &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60
  const [offsetHours = 0, offsetMinutes = 0] = [Number(match[9] ?? 0), Number(match[10] ?? 0)]
  if (!isReal || offsetHours > 23 || offsetMinutes > 59) return null
  const offsetMs = (match[8] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * MINUTE_MS
  return (ms - offsetMs) * 1_000 + Number((match[7] ?? '').padEnd(6, '0').slice(0, 6))
}

/** The form of every time we send: UTC, `Z`, a fraction only where there is one. */
export function formatRfc3339(timeUs: number): string {
  const ms = Math.floor(timeUs / 1_000)
  const seconds = new Date(ms).toISOString().slice(0, 19)
  const fraction = String(timeUs - Math.floor(timeUs / SECOND_US) * SECOND_US).padStart(6, '0')
  if (fraction === '000000') return `${seconds}Z`
  return `${seconds}.${fraction.endsWith('000') ? fraction.slice(0, 3) : fraction}Z`
}
