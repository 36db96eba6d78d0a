/**
 * Reads words in their neighbourhood: what the lexer read as constant text may be part of a value next to it. Each
 * rule holds for logs in general; none knows a program. Runs over the tokens in place, left to right. A bold reading
 * adds rules for what is most likely a value where it stands.
 */
import * as characters from './characters.ts'
import * as workbench from './tokens.ts'
import * as vocabulary from './vocabulary.ts'

// Copies for speed, as in the lexer.
const { CLASS_OF, SEPARATOR } = characters
const { endOf, GONE, gapOf, MARK, startOf, tokens, units, VALUE, WORD } = workbench
const { CALENDAR, CONSTANT, FROM, LINK, ORDINARY, PERSON, UNIT } = vocabulary
const { kind, span, flags: allFlags } = tokens

const OPEN_SQUARE = 91
const CLOSE_SQUARE = 93
const COMMA = 44

export function applyRules(bold: boolean): void {
  const count = tokens.count
  for (let at = 0; at < count; at++) {
    if (kind[at] === WORD) {
      const flags = allFlags[at]!
      if (flags !== 0 && !maskUnitOrDate(at, flags) && bold) readBoldly(at, flags)
    } else if (bold && kind[at] === MARK && units[startOf(span[at]!)] === OPEN_SQUARE) maskWordList(at)
  }
  foldLists()
}

/** Words that belong to a number: its unit, the name of a day or month. */
function maskUnitOrDate(at: number, flags: number): boolean {
  // "900 ms" and "1.2 seconds" are the same quantity in two sizes.
  const isUnit = flags & UNIT && at > 0 && kind[at - 1] === VALUE && endsInDigit(at - 1)
  const isDate = flags & CALENDAR && (isValueAt(at - 1) || isValueAt(at + 1) || isDayBeforeDate(at))
  if (!isUnit && !isDate) return false
  kind[at] = VALUE
  return true
}

function readBoldly(at: number, flags: number): void {
  if (flags & CONSTANT && isAssignedConstant(at)) kind[at] = VALUE
  else if (flags & PERSON) maskPersonName(at)
}

function isValueAt(at: number): boolean {
  return at >= 0 && at < tokens.count && kind[at] === VALUE
}

/** `Fri Jan 2` and `Fri, 02 Jan`. */
function isDayBeforeDate(at: number): boolean {
  if (!isValueAt(at + 2)) return false
  return (allFlags[at + 1]! & CALENDAR) !== 0 || markAt(at + 1) === COMMA
}

function endsInDigit(at: number): boolean {
  const unit = units[endOf(span[at]!) - 1]!
  return unit >= 48 && unit <= 57
}

/** `retry: true` and `"user":null`, but not the start of a sentence such as `error: null pointer`. */
function isAssignedConstant(at: number): boolean {
  if (!isAssignment(markAt(at - 1))) return false
  return at + 1 >= tokens.count || kind[at + 1] !== WORD || isAssignment(markAt(at + 2))
}

const isAssignment = (mark: number): boolean => mark === 61 || mark === 58

/** The character when the token is a mark, else 0. */
function markAt(at: number): number {
  return at >= 0 && at < tokens.count && kind[at] === MARK ? units[startOf(span[at]!)]! : 0
}

/**
 * `user alice from`, `for user alice`, `invalid user alice`: a name stands where only a name can, that is between the
 * noun and a preposition, or after a noun that a preposition or a judgement introduced. `user created` stays.
 */
function maskPersonName(at: number): void {
  const name = at + 1
  if (name >= tokens.count || kind[name] !== WORD || gapOf(span[name]!) === 0 || allFlags[name]! & ORDINARY) return
  const introduced = at > 0 && kind[at - 1] === WORD && (allFlags[at - 1]! & LINK) !== 0
  const placed = name + 1 < tokens.count && kind[name + 1] === WORD && (allFlags[name + 1]! & FROM) !== 0
  if (introduced || placed) kind[name] = VALUE
}

/** `[name, email]`: two or more single words between commas are a list of names, whose length varies too. */
function maskWordList(at: number): void {
  let i = at + 1
  let items = 0
  for (; i < tokens.count; i += 2) {
    if (kind[i] !== WORD && kind[i] !== VALUE) return
    items++
    const mark = markAt(i + 1)
    if (mark === CLOSE_SQUARE) break
    if (mark !== COMMA) return
  }
  if (items < 2 || i >= tokens.count) return
  for (let item = at + 1; item <= i; item += 2) kind[item] = VALUE
}

/** Values with nothing but separators between them become one: lists have no fixed length. */
function foldLists(): void {
  const count = tokens.count
  let last = -1
  for (let at = 0; at < count; at++) {
    const k = kind[at]
    if (k === VALUE) {
      if (last !== -1) for (let i = last + 1; i <= at; i++) kind[i] = GONE
      last = at
    } else if (k === WORD || (k === MARK && !(CLASS_OF[units[startOf(span[at]!)]!]! & SEPARATOR))) last = -1
  }
}
