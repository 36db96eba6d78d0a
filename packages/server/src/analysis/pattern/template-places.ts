/** What may stand in each place of a template, by the marks around it. All templates of a family have it in common. */
import { FIRST_WORD, HOLE, isMark, isQuoteCell, markCell, type TemplateCells } from './template-cells.ts'

const MARK_PLACE = 0
/** In a sentence. */
export const FREE = 1
/** Where a value is expected: after `=`, or alone in quotes or brackets. */
export const SLOT = 2
/** Before `=`, or in quotes before a colon. */
export const KEY = 3
/** What the message says, as the value of a key: never one of many. */
export const TELLING_SLOT = 4

export type Places = {
  kinds: number[]
  /** Which sentence a place belongs to: each text in quotes is one, and all the rest is another. */
  sentences: number[]
  sentenceCount: number
}

const EQUALS = markCell('=')
const COLON = markCell(':')
const DOUBLE_QUOTE = markCell('"')

const PAIRS = ['()', '[]', '{}', '<>', '""', "''", '``']
const CLOSERS = new Int32Array(FIRST_WORD).fill(-1)
for (const [open, close] of PAIRS) CLOSERS[markCell(open!)] = markCell(close!)

/** What closes the bracket or the quotation that the cell opens; -1 when it opens none. */
export const closerOf = (cell: number): number => (cell < FIRST_WORD ? CLOSERS[cell]! : -1)

export function placesOf(table: TemplateCells, t: number): Places {
  const row = table.row(t)
  const places: Places = { kinds: [], sentences: [], sentenceCount: 1 }
  let sentence = 0
  for (let place = 0; place < row.length; place++) {
    if (row[place] === DOUBLE_QUOTE) sentence = sentence === 0 ? places.sentenceCount++ : 0
    places.sentences.push(sentence)
    const kind = kindOf(row, place)
    places.kinds.push(kind === SLOT && isTelling(table, row, place) ? TELLING_SLOT : kind)
  }
  return places
}

function isTelling(table: TemplateCells, row: Int32Array, place: number): boolean {
  const key = keyOf(row, place)
  return key >= 0 && table.isTelling(row[key]!)
}

function kindOf(row: Int32Array, place: number): number {
  if (isMark(row[place]!)) return MARK_PLACE
  const before = place > 0 ? row[place - 1]! : HOLE
  const after = place + 1 < row.length ? row[place + 1]! : HOLE
  if (before === EQUALS || (before === COLON && place > 1 && isQuoteCell(row[place - 2]!))) return SLOT
  if (after === EQUALS) return KEY
  if (closerOf(before) !== after) return FREE
  return row[place + 2] === COLON && isQuoteCell(after) ? KEY : SLOT
}

/** Where the key of the value in this place is: of `key=value`, `key="value"`, `"key":value` and `"key":"value"`. */
export function keyOf(row: ArrayLike<number>, place: number): number {
  // Reading before the beginning of an array is slow.
  if (place < 2) return -1
  const sign = isQuoteCell(row[place - 1]!) ? place - 2 : place - 1
  if (row[sign] === EQUALS) return sign - 1
  return row[sign] === COLON ? sign - 2 : -1
}
