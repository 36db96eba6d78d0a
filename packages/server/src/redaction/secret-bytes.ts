/**
 * The hints for code that walks over bytes without making text of them: a text in UTF-8 may hold a secret when one of
 * its bytes is telling, four in a row form a gram that is marked, or it has as many digits as a card. A text may be
 * suspected without reason, but none with a secret is missed: both tables are built from the hints.
 */
import {
  ADDRESS_HINT,
  CARD_HINT,
  ENCODED_HINT,
  GRAM_HINTS,
  HINTS,
  type Hints,
  MIN_CARD_DIGITS,
  TELLING_BYTES,
} from './hints.ts'

/** The kind of a byte, in the low bits of its entry: letters of either case, digits, and the marks that hints tell apart. */
export const KIND_BITS = 5
const DIGIT_KIND = 26
const KIND_OF_MARK = new Map([
  ['_', 27],
  ['-', 28],
  ['.', 29],
  ...[...`"'\\=:%/\t`].map((mark): [string, number] => [mark, 30]),
])
const OTHER_KIND = 31
export const KIND_MASK = 31

/** The byte alone may mean a secret. */
export const TELLING = 1 << 5
/** Not ASCII. */
export const WIDE = 1 << 6
/** Where a text in JSON ends or is written in another way than it reads: a quote, a backslash, a control character. */
export const BREAK = 1 << 7
/** A character that no line of text shows. */
export const CONTROL = 1 << 8
/** What is above this bit counts digits. */
export const DIGIT_SHIFT = 9

/** What there is to know of each byte. */
export const SECRET_BYTES: Uint16Array = Uint16Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  const isDigit = byte >= 0x30 && byte <= 0x39
  return (
    kindOf(byte) |
    (TELLING_BYTES.includes(character) ? TELLING : 0) |
    (byte > 0x7f ? WIDE : 0) |
    (byte < 0x20 || byte === 0x22 || byte === 0x5c ? BREAK : 0) |
    (byte < 0x20 ? CONTROL : 0) |
    (isDigit ? 1 << DIGIT_SHIFT : 0)
  )
})

function kindOf(byte: number): number {
  const character = String.fromCharCode(byte)
  if (/[a-z]/i.test(character)) return (byte | 0x20) - 0x61
  if (/[0-9]/.test(character)) return DIGIT_KIND
  return KIND_OF_MARK.get(character) ?? OTHER_KIND
}

const GRAM_BYTES = 4
export const GRAM_MASK = (1 << (GRAM_BYTES * KIND_BITS)) - 1

/**
 * One bit for every four kinds in a row: whether a hint may begin so. A gram is the kinds of the last four bytes:
 * `((gram << KIND_BITS) | kind) & GRAM_MASK`.
 */
export const SECRET_GRAMS: Uint32Array = buildGrams(HINTS)
const SERVICE_GRAMS = buildGrams(HINTS.filter(({ of }) => of === 'services'))
const TOKEN_GRAMS = buildGrams(HINTS.filter(({ of }) => of === 'tokens'))

function buildGrams(groups: readonly Hints[]): Uint32Array {
  const grams = new Uint32Array((GRAM_MASK + 1) / 32)
  for (const { anyCase, hints } of groups) {
    for (const hint of hints) {
      const kinds = firstAtoms(hint).map((atom) => kindsIn(new RegExp(`^${atom}$`, anyCase ? 'i' : '')))
      for (const gram of kinds.reduce(appendKinds, [0])) grams[gram >>> 5]! |= 1 << (gram & 31)
    }
  }
  return grams
}

function firstAtoms(hint: string): string[] {
  const atoms = hint.match(/\[[^\]]+\]|./g)?.slice(0, GRAM_BYTES) ?? []
  if (atoms.length < GRAM_BYTES || atoms.some((atom) => /^[{}()|*+?\\.]/.test(atom))) {
    throw new Error(`The hint ${hint} does not begin with four characters or classes.`)
  }
  return atoms
}

function kindsIn(atom: RegExp): number[] {
  const bytes = Array.from({ length: 128 }, (_, byte) => byte).filter((byte) => atom.test(String.fromCharCode(byte)))
  return [...new Set(bytes.map(kindOf))]
}

function appendKinds(grams: readonly number[], kinds: readonly number[]): number[] {
  return grams.flatMap((gram) => kinds.map((kind) => (gram << KIND_BITS) | kind))
}

/** Texts shorter than any secret are not checked. */
const MIN_SECRET_CHARACTERS = 8

/**
 * False for nearly all log text, at a small cost; true means the rules have to look. The tables are read first, at the same
 * cost however many hints there are.
 */
export function mayHoldSecret(text: string): boolean {
  if (text.length < MIN_SECRET_CHARACTERS) return false
  const walked = walk(text, SECRET_GRAMS)
  return (
    ((walked & MARKED) !== 0 && (OTHER_HINTS.some((hint) => hint.test(text)) || SERVICE_HINT.test(text))) ||
    ((walked & TELLING) !== 0 && ADDRESS_HINT.test(text)) ||
    (walked >>> DIGIT_SHIFT >= MIN_CARD_DIGITS && CARD_HINT.test(text))
  )
}

/** True for a text that may hold a secret once it is percent-decoded, so that ordinary addresses need not be decoded. */
export function mayHoldEncodedSecret(text: string): boolean {
  return text.includes('%') && ((walk(text, SECRET_GRAMS) & MARKED) !== 0 || ENCODED_HINT.test(text))
}

/** True for a text with a hint of the many services. Their pattern is large, so it is tried where the table has it. */
export const SERVICE_HINT = {
  test: (text: string): boolean => (walk(text, SERVICE_GRAMS) & MARKED) !== 0 && SERVICE_PATTERN.test(text),
}
/** True for a text that may have a token of `rules.ts`. */
export const TOKEN_HINT = { test: (text: string): boolean => (walk(text, TOKEN_GRAMS) & MARKED) !== 0 }
const [SERVICE_PATTERN, ...OTHER_HINTS] = GRAM_HINTS as [RegExp, ...RegExp[]]
const MARKED = 1

/** `MARKED` for a gram of the table, `TELLING` for a telling character, and how many digits there are. */
function walk(text: string, grams: Uint32Array): number {
  let gram = GRAM_MASK
  let marked = 0
  let seen = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const entry = code < 0x80 ? SECRET_BYTES[code]! : OTHER_KIND
    gram = ((gram << KIND_BITS) | (entry & KIND_MASK)) & GRAM_MASK
    marked |= grams[gram >>> 5]! >>> (gram & 31)
    seen = (seen | (entry & TELLING)) + ((entry >>> DIGIT_SHIFT) << DIGIT_SHIFT)
  }
  return seen | (marked & MARKED)
}
