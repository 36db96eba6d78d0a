import { epochToUs } from '@tidemark/wire/time/epoch'
import { toUs } from './calendar.ts'
import { readIso } from './iso-time.ts'
import { readWrittenForm } from './timestamp-forms.ts'

/**
 * Microseconds since 1970, or null when the value is not a time. A text without a zone is UTC.
 * `receivedUs` only supplies the year that classic syslog leaves out.
 */
export function parseTimestamp(value: unknown, receivedUs: number): number | null {
  if (typeof value === 'string') {
    const iso = readIso(value)
    if (iso !== undefined) return iso
    const text = value.trim()
    if (NUMERIC.test(text)) return readNumericText(text)
    return text.length === value.length
      ? readWrittenForm(text, receivedUs)
      : (readIso(text) ?? readWrittenForm(text, receivedUs))
  }
  if (typeof value === 'number') return readEpoch(value)
  return null
}

/** Nanoseconds since 1970 as text, cut to microseconds without passing through a double. */
export function nanosToUs(nanos: string): number | null {
  if (!/^\d{1,20}$/.test(nanos)) return null
  return nanos.length <= 3 ? 0 : Number(nanos.slice(0, -3))
}

/** The same for the two halves of a 64-bit number: 2^32 = 4294967 * 1000 + 296. */
export function nanoHalvesToUs(high: number, low: number): number {
  return high * 4_294_967 + Math.floor((high * 296 + low) / 1_000)
}

const NUMERIC = /^-?\d+(?:\.\d*)?$/

function readNumericText(text: string): number | null {
  const point = text.indexOf('.')
  const digits = point === -1 ? text : text.slice(0, point)
  if (point === -1) {
    // 20260102 and 20260102030405 as epochs lie in 1970 and 2612; as written dates they make sense.
    const date = /^((?:19|20)\d\d)(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d))?$/.exec(text)
    if (date !== null) {
      const [, year, month, day, hour = '0', minute = '0', second = '0'] = date
      return toUs(Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second), 0, 0)
    }
    if (digits.length > 17) return nanosToUs(digits)
  }
  return readEpoch(Number(text))
}

function readEpoch(epoch: number): number | null {
  return epoch >= 0 && epoch < 1e20 ? epochToUs(epoch) : null
}
