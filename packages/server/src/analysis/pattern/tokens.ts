/**
 * The workbench of the pattern code: one message's characters and the tokens found in them. It is filled anew for each
 * message and nothing in it outlives a call; it exists once because allocating it would cost more than all the work.
 */
import { CLASS_OF, GAP } from './characters.ts'

/** What is read of a message, from its first visible character on. The rest of a longer one does not count. */
const MAX_CHARS = 1000

/** Blank characters skipped in search of the first visible one. A message with more has the empty pattern. */
const MAX_BLANKS = 4000

// Every token takes a character, except an empty value, which follows its own `=`.
const MAX_TOKENS = 2 * MAX_CHARS

export const GONE = 0
/** Constant text. */
export const WORD = 1
/** What differs from record to record. */
export const VALUE = 2
/** One character of punctuation. */
export const MARK = 3

/** UTF-16 code units, ended by zeros, which count as blank: so looking a few characters ahead needs no check. */
export const units = new Uint16Array(MAX_CHARS + 4)
const bytes = Buffer.from(units.buffer)

export const tokens = {
  count: 0,
  /** Where the first character is in the message: spans count from there. */
  offset: 0,
  kind: new Uint8Array(MAX_TOKENS),
  /** Start, end, and whether white space comes before, in one number: one store is quicker than three. */
  span: new Int32Array(MAX_TOKENS),
  /** Both lanes of a word's hash. */
  a: new Int32Array(MAX_TOKENS),
  b: new Int32Array(MAX_TOKENS),
  /** What the vocabulary says about a word. */
  flags: new Uint16Array(MAX_TOKENS),
}

const END_SHIFT = 12
const GAP_SHIFT = 24
const POSITION = (1 << END_SHIFT) - 1

export const spanOf = (start: number, end: number, gap: number): number =>
  start | (end << END_SHIFT) | (gap << GAP_SHIFT)
export const startOf = (span: number): number => span & POSITION
export const endOf = (span: number): number => (span >> END_SHIFT) & POSITION
export const gapOf = (span: number): number => span >> GAP_SHIFT

/** Copies the message in and returns the number of characters to read. Reading an array is quicker than a string. */
export function loadUnits(message: string): number {
  const start = firstVisible(message)
  const length = Math.min(message.length - start, MAX_CHARS)
  bytes.write(start === 0 ? message : message.slice(start, start + MAX_CHARS), 0, 2 * length, 'utf16le')
  tokens.offset = start
  return endUnits(length, start + length < message.length)
}

/** The same for a message that stands in bytes, all of them ASCII. */
export function loadAscii(source: Uint8Array, from: number, end: number): number {
  const blankEnd = Math.min(end, from + MAX_BLANKS)
  let start = from
  while (start < blankEnd && CLASS_OF[source[start]!]! & GAP) start++
  const length = Math.min(end - start, MAX_CHARS)
  units.set(source.subarray(start, start + length))
  tokens.offset = start - from
  return endUnits(length, start + length < end)
}

function endUnits(length: number, isCut: boolean): number {
  const limit = isCut ? lastGap(length) : length
  units[limit] = units[limit + 1] = units[limit + 2] = units[limit + 3] = 0
  return limit
}

function firstVisible(message: string): number {
  const limit = Math.min(message.length, MAX_BLANKS)
  let i = 0
  while (i < limit && CLASS_OF[message.charCodeAt(i)]! & GAP) i++
  return i
}

/** A word that the limit cuts in two is left out, because its rest decides what it is. */
function lastGap(length: number): number {
  let i = length - 1
  while (i > 0 && !(CLASS_OF[units[i]!]! & GAP)) i--
  if (i > 0) return i
  const isHalfOfPair = (units[length - 1]! & 0xfc00) === 0xd800
  return isHalfOfPair ? length - 1 : length
}
