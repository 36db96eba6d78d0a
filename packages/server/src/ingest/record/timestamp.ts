import { epochToUs } from '@tidemark/wire/time/epoch'
import { toUs } from './calendar.ts'
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

/** The hot path, `2026-01-02T03:04:05.678901Z` and its near relatives. Undefined when the text has another shape. */
function readIso(text: string): number | null | undefined {
  const length = text.length
  if (length < 19 || text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return undefined
  if (text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return undefined
  const separator = text.charCodeAt(10) | 0x20
  if (separator !== 0x74 && separator !== 0x20) return undefined
  const year = two(text, 0) * 100 + two(text, 2)
  const month = two(text, 5)
  const day = two(text, 8)
  const hour = two(text, 11)
  const minute = two(text, 14)
  const second = two(text, 17)
  let at = 19
  let micros = 0
  const mark = text.charCodeAt(at)
  if (mark === POINT || mark === COMMA) {
    at++
    let scale = 100_000
    let digits = 0
    while (at < length) {
      const digit = text.charCodeAt(at) - ZERO
      if (digit < 0 || digit > 9) break
      micros += digit * scale
      scale = scale > 1 ? scale / 10 : 0
      digits++
      at++
    }
    if (digits === 0 || digits > 9) return null
  }
  const offset = readOffset(text, at)
  if (offset === undefined) return undefined
  return toUs(year, month, day, hour, minute, second, micros, offset)
}

/** Minutes east of UTC; NaN for an impossible offset, undefined when something else follows the time. */
function readOffset(text: string, from: number): number | undefined {
  const length = text.length
  let at = from
  if (at === length) return 0
  if (text.charCodeAt(at) === 0x20) at++
  const sign = text.charCodeAt(at)
  if ((sign | 0x20) === 0x7a && at + 1 === length) return 0
  if (sign !== 0x2b && sign !== DASH) return undefined
  const hours = two(text, at + 1)
  if (length === at + 3) return sign === DASH ? -hours * 60 : hours * 60
  const minutesAt = text.charCodeAt(at + 3) === COLON ? at + 4 : at + 3
  if (length !== minutesAt + 2) return undefined
  const minutes = two(text, minutesAt)
  if (!(hours <= 18 && minutes <= 59)) return Number.NaN
  return (sign === DASH ? -1 : 1) * (hours * 60 + minutes)
}

/** Two digits as a number, NaN when they are not digits. */
function two(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO
  const ones = text.charCodeAt(at + 1) - ZERO
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

const ZERO = 0x30
const DASH = 0x2d
const COLON = 0x3a
const POINT = 0x2e
const COMMA = 0x2c
