/**
 * Cuts a message into words, values and marks in one pass over its characters. There are no regular expressions on
 * purpose: a message is a stranger's text, and the work here must grow with its length and nothing else.
 */

import * as characters from './characters.ts'
import { closingQuote, endOfColonForm, endOfPath, flagsOfLastPart, isValueWord } from './forms.ts'
import * as hash from './hash.ts'
import * as workbench from './tokens.ts'
import * as vocabulary from './vocabulary.ts'

/** Lines with something on them that count. */
const MAX_LINES = 2

// Copies, because the engine folds a module's own constants into its code but loads imported ones each time they are
// read, and that would take most of the time in a loop over characters.
const { PRIME_A, PRIME_B, SEED_A, SEED_B } = hash
const { ALNUM, CLASS_OF, DIGIT, GAP, HEX, JOINER, LETTER, OPENER, QUOTE, SIGN, SLASH, SLASHES, VALUE_END, WIDE } =
  characters
const { CLOSED_KEY, TEXT_KEY, flagsOf } = vocabulary
const { endOf, gapOf, loadUnits, MARK, spanOf, startOf, tokens, units, VALUE, WORD } = workbench
const { kind, span: spans, a: lanesA, b: lanesB, flags: allFlags } = tokens

const NEWLINE = 10
const PERIOD = 46
const FORWARD = 47
const COLON = 58
const EQUALS = 61
const MORE = 62

let isBold = false

/**
 * A bold reading also takes for a value what stands where values stand, in quotes and after `=`, and a dotted name that
 * ends like a domain; a careful one only what has the form of a value.
 */
export function lex(message: string, bold: boolean): void {
  lexUnits(loadUnits(message), bold)
}

/** The message has been loaded. */
export function lexUnits(limit: number, bold: boolean): void {
  isBold = bold
  tokens.count = 0
  let lines = 1
  let gap = 0
  let i = 0
  while (i < limit) {
    const unit = units[i]!
    const cls = CLASS_OF[unit]!
    if (cls & GAP) {
      if (unit === NEWLINE && !isBlankLine(i + 1, limit) && ++lines > MAX_LINES) break
      gap = 1
      i++
    } else {
      i = cls & ALNUM ? lexWord(i, gap) : cls & WIDE ? lexWide(i, gap) : lexMark(i, limit, gap)
      gap = 0
    }
  }
}

function isBlankLine(from: number, limit: number): boolean {
  for (let i = from; i < limit; i++) {
    if (units[i] === NEWLINE) return true
    if (!(CLASS_OF[units[i]!]! & GAP)) return false
  }
  return true
}

function push(tokenKind: number, gap: number, start: number, end: number): void {
  const at = tokens.count++
  kind[at] = tokenKind
  spans[at] = spanOf(start, end, gap)
  allFlags[at] = 0
}

function lexWord(start: number, gap: number): number {
  let a = SEED_A
  let b = SEED_B
  let seen = 0
  let i = start
  for (; ; i++) {
    const unit = units[i]!
    const cls = CLASS_OF[unit]!
    if (!(cls & ALNUM)) {
      if (!(cls & JOINER)) break
      const next = CLASS_OF[units[i + 1]!]!
      if (!(next & ALNUM)) break
      if (cls & SLASH) {
        // "HTTP/1.1" is a name and a version, "host7/10.0.0.1" one value.
        if (next & DIGIT && !(seen & DIGIT)) break
        if (seen & SLASH) seen |= SLASHES
      }
    }
    seen |= cls
    a = Math.imul(a ^ unit, PRIME_A)
    b = Math.imul(b ^ unit, PRIME_B)
  }
  if (units[i] === COLON) {
    const end = endOfColonForm(start, i, seen)
    if (end > 0) {
      push(VALUE, gap, start, end)
      return end
    }
  }
  const flags = seen & JOINER || !(seen & (LETTER | HEX)) ? 0 : flagsOf(a)
  const at = tokens.count
  push(isValueWord(start, i, seen, flags, isBold) ? VALUE : WORD, gap, start, i)
  lanesA[at] = a
  lanesB[at] = b
  allFlags[at] = flags
  return i
}

/** Scripts without blanks between words: only the digits and Latin words inside them divide the text. */
function lexWide(start: number, gap: number): number {
  let a = SEED_A
  let b = SEED_B
  let i = start
  for (; CLASS_OF[units[i]!]! & WIDE; i++) {
    a = Math.imul(a ^ units[i]!, PRIME_A)
    b = Math.imul(b ^ units[i]!, PRIME_B)
  }
  const at = tokens.count
  push(WORD, gap, start, i)
  lanesA[at] = a
  lanesB[at] = b
  return i
}

function lexMark(at: number, limit: number, gap: number): number {
  const unit = units[at]!
  const cls = CLASS_OF[unit]!
  if (cls & QUOTE) return lexQuote(at, limit, gap)
  if (unit === FORWARD) {
    const end = lexProduct(at, limit)
    if (end > 0) return end
  }
  if (cls & SIGN && (gap || !followsText(at))) {
    const end = endOfPath(at)
    if (end > 0) {
      push(VALUE, gap, at, end)
      return end
    }
    if (CLASS_OF[units[at + 1]!]! & DIGIT && unit !== PERIOD && unit !== FORWARD) return lexWord(at + 1, gap)
  }
  push(MARK, gap, at, at + 1)
  return isBold && unit === EQUALS ? lexAssigned(at + 1, limit, gap) : at + 1
}

function followsText(at: number): boolean {
  const last = tokens.count - 1
  return last >= 0 && endOf(spans[last]!) === at && kind[last] !== MARK
}

/** To a bold reading a quoted text is a value, unless it is a JSON key or the message of a `msg="..."` pair. */
function lexQuote(at: number, limit: number, gap: number): number {
  const close = isBold && (gap || !followsText(at)) ? closingQuote(at, limit) : 0
  const after = close === 0 ? COLON : units[close + 1]!
  if (after === COLON || CLASS_OF[after]! & ALNUM || flagsOfKey() & TEXT_KEY) {
    push(MARK, gap, at, at + 1)
    return at + 1
  }
  push(VALUE, gap, at, close + 1)
  return close + 1
}

/**
 * `"curl/7.1 (linux)"`: a quotation that begins with a name and a version is how a program introduces itself, and a value.
 * Called at the slash; returns its end, or 0 when it is something else.
 */
function lexProduct(slash: number, limit: number): number {
  const quote = tokens.count - 2
  if (quote < 0 || !(CLASS_OF[units[slash + 1]!]! & DIGIT)) return 0
  if (endOf(spans[quote + 1]!) !== slash || kind[quote] !== MARK) return 0
  const open = startOf(spans[quote]!)
  if (startOf(spans[quote + 1]!) !== open + 1 || !(CLASS_OF[units[open]!]! & QUOTE) || hasSlash(open + 1, slash))
    return 0
  const close = closingQuote(open, limit)
  const after = units[close + 1]!
  if (close === 0 || after === COLON || CLASS_OF[after]! & ALNUM) return 0
  tokens.count = quote
  push(VALUE, gapOf(spans[quote]!), open, close + 1)
  return close + 1
}

/** A name has none, a path has. */
function hasSlash(start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (units[i] === FORWARD) return true
  return false
}

/** Vocabulary of the key when the last token is the `=` or `:` after one. */
function flagsOfKey(): number {
  let at = tokens.count - 1
  if (at < 1 || kind[at] !== MARK) return 0
  const mark = units[startOf(spans[at]!)]
  if (mark !== EQUALS && mark !== COLON) return 0
  at--
  if (at > 0 && kind[at] === MARK && CLASS_OF[units[startOf(spans[at]!)]!]! & QUOTE) at--
  return kind[at] === WORD ? flagsOfLastPart(startOf(spans[at]!), endOf(spans[at]!)) : 0
}

/** The right side of `key=value`, `key = value` and `key=`: a value whatever it looks like. */
function lexAssigned(start: number, limit: number, spaced: number): number {
  const key = tokens.count - 2
  if (key < 0 || kind[key] === MARK) return start
  let at = start
  if (spaced) while (at < limit && CLASS_OF[units[at]!]! & GAP && units[at] !== NEWLINE) at++
  const unit = units[at]!
  const cls = CLASS_OF[unit]!
  if (unit === EQUALS || unit === MORE || cls & (QUOTE | OPENER)) return start
  if (cls & (GAP | VALUE_END)) {
    push(VALUE, 0, start, start)
    return start
  }
  let end = at
  let seen = 0
  for (; ; end++) {
    const cls = CLASS_OF[units[end]!]!
    if (cls & (GAP | VALUE_END | OPENER)) break
    seen |= cls
  }
  if (at > start && units[end - 1] === EQUALS) return start
  if (!(seen & ~(LETTER | HEX)) && flagsOfKey() & CLOSED_KEY) return start
  push(VALUE, at > start ? 1 : 0, at, end)
  return end
}
