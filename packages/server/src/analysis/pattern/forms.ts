/** Where forms that contain punctuation end (addresses, paths, quoted texts) and of what kind a finished word is. */
import * as characters from './characters.ts'
import { units } from './tokens.ts'
import * as vocabulary from './vocabulary.ts'

const { ALNUM, AT, BACKSLASH, CLASS_OF, DIGIT, DOT, GAP, HEX, JOINER, LETTER, OPENER, SLASH, SLASHES, VALUE_END } =
  characters
const { HERE, KNOWN, SOURCE_FILE, TOP_DOMAIN, flagsOfLower } = vocabulary

const FORWARD = 47
const COLON = 58
const EQUALS = 61
const PERIOD = 46
const ESCAPE = 92
const TILDE = 126
const NEWLINE = 10

/** Whether a word changes from record to record, by the classes of its characters (`seen`) and the vocabulary. */
export function isValueWord(start: number, end: number, seen: number, flags: number, bold: boolean): boolean {
  if (seen & DIGIT) return !(seen & LETTER) || !(flags & KNOWN || namesError(start, end))
  if (!(seen & JOINER)) return seen & LETTER ? (flags & HERE) !== 0 : end - start >= 8
  return isCompoundValue(start, end, seen, bold)
}

function isCompoundValue(start: number, end: number, seen: number, bold: boolean): boolean {
  if (seen & (AT | BACKSLASH | SLASHES)) return true
  return (seen & DOT) !== 0 && ((seen & SLASH) !== 0 || isHost(start, end, bold))
}

const EXCEPTION = Uint16Array.from('Exception', (character) => character.charCodeAt(0))
const ERROR = Uint16Array.from('Error', (character) => character.charCodeAt(0))

/** `Http2Exception` is a name in spite of its digit. */
function namesError(start: number, end: number): boolean {
  const last = units[end - 1]
  return last === 110 ? endsWith(start, end, EXCEPTION) : last === 114 && endsWith(start, end, ERROR)
}

function endsWith(start: number, end: number, suffix: Uint16Array): boolean {
  const from = end - suffix.length
  if (from < start) return false
  for (let i = 0; i < suffix.length; i++) if (units[from + i] !== suffix[i]) return false
  return true
}

/**
 * A dotted name in lower case before a port, when it is not a source file before a line number. To a bold reading also
 * one that ends in a top-level domain and does not begin with one, as package names do.
 */
function isHost(start: number, end: number, bold: boolean): boolean {
  if (units[end] === EQUALS) return false
  let first = start
  let last = end - 1
  while (units[first] !== PERIOD) first++
  while (units[last] !== PERIOD) last--
  const flags = flagsOfLower(units, last + 1, end)
  if (bold && flags & TOP_DOMAIN)
    return first - start > 3 || first === last || !(flagsOfLower(units, start, first) & TOP_DOMAIN)
  return !(flags & SOURCE_FILE) && units[end] === COLON && isLower(start, end) && isPort(end + 1)
}

function isLower(start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (units[i]! >= 65 && units[i]! <= 90) return false
  return true
}

function isPort(start: number): boolean {
  let i = start
  while (i - start < 6 && CLASS_OF[units[i]!]! & DIGIT) i++
  return i - start >= 2 && i - start <= 5
}

/** The end of a URL, a drive path or colon-separated hex (MAC, IPv6, clock) that begins with the word; 0 if none does. */
export function endOfColonForm(start: number, colon: number, seen: number): number {
  const next = units[colon + 1]
  if (next === FORWARD && units[colon + 2] === FORWARD && seen & (LETTER | HEX)) return endOfRun(colon + 3)
  if (next === ESCAPE && colon - start === 1) return endOfRun(colon + 1)
  if (seen & (LETTER | JOINER) || colon - start > 4) return 0
  return endOfColonHex(start)
}

function endOfColonHex(start: number): number {
  let groups = 1
  let width = 0
  let seen = 0
  let i = start
  for (; ; i++) {
    const unit = units[i]!
    const cls = CLASS_OF[unit]!
    if (unit === COLON) {
      if (units[i + 1] !== COLON && !(CLASS_OF[units[i + 1]!]! & (HEX | DIGIT))) break
      groups++
      width = 0
    } else if (cls & (HEX | DIGIT)) {
      seen |= cls
      if (++width > 4) return 0
    } else if (cls & ALNUM) return 0
    else break
  }
  return groups > 2 && (seen & DIGIT || groups > 4) ? i : 0
}

/** To the next blank or closing mark, without the punctuation that ends a sentence. */
function endOfRun(start: number): number {
  let i = start
  while (!(CLASS_OF[units[i]!]! & (GAP | VALUE_END))) i++
  return beforeSentenceEnd(start, i)
}

/** `/x`, `./x`, `../x` and `~/x`; 0 when no path begins here. */
export function endOfPath(start: number): number {
  let slash = start
  if (units[start] === PERIOD || units[start] === TILDE) slash += units[start + 1] === PERIOD ? 2 : 1
  if (units[slash] !== FORWARD || !(CLASS_OF[units[slash + 1]!]! & (ALNUM | JOINER))) return 0
  let i = slash
  while (units[i] !== COLON && !(CLASS_OF[units[i]!]! & (GAP | VALUE_END | OPENER))) i++
  const end = beforeSentenceEnd(slash, i)
  return end > slash + 1 ? end : 0
}

function beforeSentenceEnd(start: number, end: number): number {
  let i = end
  while (i > start && (units[i - 1] === PERIOD || units[i - 1] === COLON || units[i - 1] === 33 || units[i - 1] === 63))
    i--
  return i
}

/** Where the quotation that opens here closes on the same line; 0 when it does not. */
export function closingQuote(open: number, limit: number): number {
  const quote = units[open]
  for (let i = open + 1; i < limit; i++) {
    const unit = units[i]
    if (unit === ESCAPE) i++
    else if (unit === quote) return i
    else if (unit === NEWLINE) return 0
  }
  return 0
}

/** Vocabulary of the last part of a compound name: `type` of `eventType`, `event_type` and `event.type`. */
export function flagsOfLastPart(start: number, end: number): number {
  let from = end - 1
  while (from > start) {
    const before = units[from - 1]!
    if (units[from]! >= 65 && units[from]! <= 90 && !(before >= 65 && before <= 90)) break
    if (before === 95 || before === 45 || before === PERIOD) break
    from--
  }
  return flagsOfLower(units, from, end)
}
