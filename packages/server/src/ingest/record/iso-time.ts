import { toUs } from './calendar.ts'

/**
 * The hot path of times, `2026-01-02T03:04:05.678901Z` and its near relatives, read from bytes. Microseconds since 1970;
 * null for a time that does not exist, undefined when the text has another shape.
 */
export function readIsoBytes(bytes: Uint8Array, start: number, end: number): number | null | undefined {
  if (end - start < SHORTEST || bytes[start + 4] !== DASH || bytes[start + 7] !== DASH) return undefined
  if (bytes[start + 13] !== COLON || bytes[start + 16] !== COLON) return undefined
  const separator = bytes[start + 10]! | 0x20
  if (separator !== 0x74 && separator !== 0x20) return undefined
  const year = two(bytes, start) * 100 + two(bytes, start + 2)
  const month = two(bytes, start + 5)
  const day = two(bytes, start + 8)
  const hour = two(bytes, start + 11)
  const minute = two(bytes, start + 14)
  const second = two(bytes, start + 17)
  let at = start + SHORTEST
  let micros = 0
  if (at < end && (bytes[at] === POINT || bytes[at] === COMMA)) {
    at++
    let scale = 100_000
    let digits = 0
    while (at < end) {
      const digit = bytes[at]! - ZERO
      if (digit < 0 || digit > 9) break
      micros += digit * scale
      scale = scale > 1 ? scale / 10 : 0
      digits++
      at++
    }
    if (digits === 0 || digits > 9) return null
  }
  const offset = readOffset(bytes, at, end)
  if (offset === undefined) return undefined
  return toUs(year, month, day, hour, minute, second, micros, offset)
}

/** The same for a text. */
export function readIso(text: string): number | null | undefined {
  // A longer one has more digits than a time has.
  if (text.length < SHORTEST || text.length > letters.length) return undefined
  for (let at = 0; at < text.length; at++) letters[at] = Math.min(text.charCodeAt(at), NO_LETTER)
  return readIsoBytes(letters, 0, text.length)
}

/** Up to the second. */
const SHORTEST = 19
const letters = new Uint8Array(64)
/** Stands for all characters that no time has. */
const NO_LETTER = 0xff

/** Minutes east of UTC; NaN for an impossible offset, undefined when something else follows the time. */
function readOffset(bytes: Uint8Array, from: number, end: number): number | undefined {
  let at = from
  if (at === end) return 0
  if (bytes[at] === 0x20) at++
  if (at === end) return undefined
  const sign = bytes[at]!
  if ((sign | 0x20) === 0x7a && at + 1 === end) return 0
  if (sign !== 0x2b && sign !== DASH) return undefined
  const minutesAt = bytes[at + 3] === COLON ? at + 4 : at + 3
  if (end !== at + 3 && end !== minutesAt + 2) return undefined
  const hours = two(bytes, at + 1)
  const minutes = end === at + 3 ? 0 : two(bytes, minutesAt)
  if (!(hours <= 18 && minutes <= 59)) return Number.NaN
  return (sign === DASH ? -1 : 1) * (hours * 60 + minutes)
}

/** Two digits as a number, NaN when they are not digits. */
function two(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]! - ZERO
  const ones = bytes[at + 1]! - ZERO
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

const ZERO = 0x30
const DASH = 0x2d
const COLON = 0x3a
const POINT = 0x2e
const COMMA = 0x2c
