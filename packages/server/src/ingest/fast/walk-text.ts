import { MIN_CARD_DIGITS } from '../../redaction/hints.ts'
import * as secrets from '../../redaction/secret-bytes.ts'

// Copies, because the engine folds a module's own constants into its code but loads imported ones each time.
const { BREAK, DIGIT_SHIFT, GRAM_MASK, KIND_BITS, KIND_MASK, SECRET_BYTES, SECRET_GRAMS, TELLING, WIDE } = secrets
const CARD_DIGITS = MIN_CARD_DIGITS

/** What a walk found, as one number: where the text ends, and whether it may hold a secret and is not all ASCII. */
export const endOf = (walked: number): number => walked >>> 2
export const maySuspect = (walked: number): boolean => (walked & 1) !== 0
export const isWide = (walked: number): boolean => (walked & 2) !== 0

/** The end is the first quote, backslash or control character, or `limit`. */
export function walkText(bytes: Uint8Array, start: number, limit: number): number {
  let gram = GRAM_MASK
  let marked = 0
  let seen = 0
  let digits = 0
  let at = start
  for (; at < limit; at++) {
    const entry = SECRET_BYTES[bytes[at]!]!
    if (entry & BREAK) break
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

/** The same for a text in which no secret is looked for. */
export function walkName(bytes: Uint8Array, start: number, limit: number): number {
  let seen = 0
  let at = start
  for (; at < limit; at++) {
    const entry = SECRET_BYTES[bytes[at]!]!
    if (entry & BREAK) break
    seen |= entry
  }
  return (at << 2) | (seen & WIDE ? 2 : 0)
}

/** Where hexadecimal digits and dashes end. */
export function walkId(bytes: Uint8Array, start: number, limit: number): number {
  let at = start
  while (at < limit && IS_ID[bytes[at]!]) at++
  return at
}

const IS_ID = Uint8Array.from({ length: 256 }, (_, byte) => (/[0-9a-fA-F-]/.test(String.fromCharCode(byte)) ? 1 : 0))
