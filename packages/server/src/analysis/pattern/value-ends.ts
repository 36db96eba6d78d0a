/** What in the text of a template is one value, whatever it is made of: after a `=`, after a path, or where one is missing. */
import * as characters from './characters.ts'
import { isPlaceholderAt, PLACEHOLDER } from './placeholder.ts'

// Copies for speed, as in the lexer.
const { ALNUM, CLASS_OF, GAP, JOINER, VALUE_END, WIDE } = characters

/** Longer values are read word by word. */
const MAX_VALUE_CHARS = 200

export const EQUALS = 61
export const COLON = 58
export const COMMA_UNIT = 44
const SEMICOLON = 59
const DOUBLE_QUOTE = 34
const BLANK = 32
const QUESTION = 63
export const DASH = 45
export const SLASH = 47
/** By character, what closes the bracket that it opens; -1 when it closes one itself; else 0. */
const BRACKETS = new Int8Array(0x10000)
for (const [open, close] of ['()', '[]', '{}', '<>'].map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)])) {
  BRACKETS[open!] = close!
  BRACKETS[close!] = -1
}
export const isQuote = (unit: number): boolean => unit === DOUBLE_QUOTE || unit === 39 || unit === 96

/** Where the value that begins here ends; 0 when it is a text, or one cannot tell. */
export function endOfValue(text: string, from: number): number {
  const limit = Math.min(text.length, from + MAX_VALUE_CHARS)
  const first = text.charCodeAt(from)
  return isQuote(first) ? endOfQuoted(text, from + 1, limit, first) : endOfBare(text, from, limit)
}

function endOfQuoted(text: string, from: number, limit: number, quote: number): number {
  for (let i = from; i < limit; i++) {
    const unit = text.charCodeAt(i)
    if (unit === quote) return i + 1
    if (CLASS_OF[unit]! & GAP) return 0
  }
  return 0
}

/** To the next blank, comma or closing bracket that is not inside brackets of its own. Not with quotes or pairs in it. */
function endOfBare(text: string, from: number, limit: number): number {
  let depth = 0
  let i = from
  for (; i < limit; i++) {
    const unit = text.charCodeAt(i)
    if (isPlaceholderAt(text, i)) i += PLACEHOLDER.length - 1
    else if (BRACKETS[unit]! > 0) depth++
    else if (BRACKETS[unit]! < 0) {
      if (depth-- === 0) break
    } else if (unit === DOUBLE_QUOTE || unit === EQUALS) return 0
    else if (depth === 0 && (CLASS_OF[unit]! & GAP || unit === COMMA_UNIT || unit === SEMICOLON)) break
  }
  const isWhole = depth <= 0 && (i < limit || i === text.length)
  return isWhole && i > from ? Math.min(i, text.length) : 0
}

/** After a path, what is asked for belongs to it: `<*>?q=lamp&page=<*>`. */
export function endOfQuery(text: string, at: number): number {
  if (text.charCodeAt(at) !== QUESTION || !isAlnumAt(text, at + 1)) return at
  let i = at + 1
  while (i < text.length && (isPlaceholderAt(text, i) || !(CLASS_OF[text.charCodeAt(i)]! & (GAP | VALUE_END)))) {
    i += isPlaceholderAt(text, i) ? PLACEHOLDER.length : 1
  }
  return i
}

/** A slash that stands alone is a path, and a dash at the end, or alone in quotes or brackets, a value that is missing. */
export function isValueMark(unit: number, text: string, at: number): boolean {
  const before = at === 0 ? BLANK : text.charCodeAt(at - 1)
  const after = at + 1 === text.length ? BLANK : text.charCodeAt(at + 1)
  const isEnclosed = before === after ? isQuote(before) : BRACKETS[before] === after && BRACKETS[before]! > 0
  if (isEnclosed) return true
  if (!(CLASS_OF[before]! & GAP && CLASS_OF[after]! & GAP) || at === 0) return false
  return unit === SLASH || at + 1 === text.length || text.charCodeAt(at - 2) === DASH
}

export function isEmptyBehind(unit: number, gap: number, text: string, at: number): boolean {
  if (unit === COLON) return at === text.length
  if (unit !== EQUALS) return BRACKETS[unit]! > 0 && BRACKETS[unit] === text.charCodeAt(at)
  if (at >= text.length) return true
  const next = text.charCodeAt(at)
  if (CLASS_OF[next]! & GAP) return gap === 0
  return next === COMMA_UNIT || next === SEMICOLON || BRACKETS[next]! < 0
}

export function isAlnumAt(text: string, at: number): boolean {
  return at < text.length && (CLASS_OF[text.charCodeAt(at)]! & (ALNUM | WIDE)) !== 0
}

export function isJoinerAt(text: string, at: number): boolean {
  return at < text.length && (CLASS_OF[text.charCodeAt(at)]! & JOINER) !== 0
}
