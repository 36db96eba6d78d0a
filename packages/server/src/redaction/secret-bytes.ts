/**
 * The hints for code that walks over bytes without making text of them: a text in UTF-8 may hold a secret when one of
 * its bytes is telling, four in a row form a gram that is marked, or it has as many digits as a card. A text may be
 * suspected without reason, but none with a secret is missed: both tables are built from the hints.
 */
import { HINTS, TELLING_BYTES } from './hints.ts'

/** The kind of a byte, in the low bits of its entry: letters of either case, digits, and the marks that hints tell apart. */
export const KIND_BITS = 5
const DIGIT_KIND = 26
const KIND_OF_MARK = new Map([
  ['_', 27],
  ['-', 28],
  ['.', 29],
  ...[...`"'\\=:%\t`].map((mark): [string, number] => [mark, 30]),
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
export const SECRET_GRAMS: Uint32Array = buildGrams()

function buildGrams(): Uint32Array {
  const grams = new Uint32Array((GRAM_MASK + 1) / 32)
  for (const { anyCase, hints } of HINTS) {
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
