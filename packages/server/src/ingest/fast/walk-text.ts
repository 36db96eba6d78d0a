import { QUOTE } from '../../bytes/json-bytes.ts'
import { MIN_CARD_DIGITS } from '../../redaction/hints.ts'
import * as secrets from '../../redaction/secret-bytes.ts'

// Copies, because the engine folds a module's own constants into its code but loads imported ones each time.
const { BREAK, CONTROL, DIGIT_SHIFT, GRAM_MASK, KIND_BITS, KIND_MASK, SECRET_BYTES, SECRET_GRAMS, TELLING, WIDE } =
  secrets
const CARD_DIGITS = MIN_CARD_DIGITS

/** What a walk found, as one number: where the text ends, and whether it may hold a secret and is not all ASCII. */
export type Walked = number
export const endOf = (walked: Walked): number => walked >>> 2
export const maySuspect = (walked: Walked): boolean => (walked & 1) !== 0
export const isWide = (walked: Walked): boolean => (walked & 2) !== 0

/** A text up to its quote; 0 when a backslash, a control character or `limit` comes first. */
export function walkText(bytes: Uint8Array, start: number, limit: number): Walked {
  const walked = walk(bytes, start, limit, BREAK)
  return bytes[endOf(walked)] === QUOTE ? walked : 0
}

/** A text whose end is known, in which nothing is written in another way than it reads; 0 when it has control characters. */
export function walkSpan(bytes: Uint8Array, start: number, end: number): Walked {
  const walked = walk(bytes, start, end, CONTROL)
  return endOf(walked) === end ? walked : 0
}

/** Up to a byte that has one of the bits in `stops`. */
function walk(bytes: Uint8Array, start: number, limit: number, stops: number): Walked {
  let gram = GRAM_MASK
  let marked = 0
  let seen = 0
  let digits = 0
  let at = start
  for (; at < limit; at++) {
    const entry = SECRET_BYTES[bytes[at]!]!
    if (entry & stops) break
    gram = ((gram << KIND_BITS) | (entry & KIND_MASK)) & GRAM_MASK
    marked |= SECRET_GRAMS[gram >>> 5]! >>> (gram & 31)
    seen |= entry
    digits += entry >>> DIGIT_SHIFT
  }
  const suspect = marked & 1 || seen & TELLING || (digits >= CARD_DIGITS && hasLongNumber(bytes, start, at)) ? 1 : 0
  return (at << 2) | (seen & WIDE ? 2 : 0) | suspect
}

/** Enough digits for a card with no more between two of them than a space or a dash. */
function hasLongNumber(bytes: Uint8Array, start: number, end: number): boolean {
  let digits = 0
  let gap = 0
  for (let at = start; at < end; at++) {
    const entry = SECRET_BYTES[bytes[at]!]!
    if (entry >>> DIGIT_SHIFT) {
      if (++digits >= CARD_DIGITS) return true
      gap = 0
    } else if (++gap > 1 || !IS_GAP[bytes[at]!]) digits = 0
  }
  return false
}

const IS_GAP = Uint8Array.from({ length: 256 }, (_, byte) => (byte === 0x20 || byte === 0x2d ? 1 : 0))

/** Where a text ends in which no secret is looked for; 0 as above. */
export function walkName(bytes: Uint8Array, start: number, limit: number): number {
  let at = start
  while (at < limit && !(SECRET_BYTES[bytes[at]!]! & BREAK)) at++
  return bytes[at] === QUOTE ? at : 0
}

/** Where a text of hexadecimal digits and dashes ends; 0 for any other. */
export function walkId(bytes: Uint8Array, start: number, limit: number): number {
  let at = start
  while (at < limit && IS_ID[bytes[at]!]) at++
  return bytes[at] === QUOTE ? at : 0
}

const IS_ID = Uint8Array.from({ length: 256 }, (_, byte) => (/[0-9a-fA-F-]/.test(String.fromCharCode(byte)) ? 1 : 0))
