/** What may stand in each place of a template, by the marks around it. All templates of a family have it in common. */
import { isMark, markCell, type TemplateCells } from './template-cells.ts'

const MARK_PLACE = 0
/** In a sentence. */
export const FREE = 1
/** Where a value is expected: behind `=`, or alone in quotes or brackets. */
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

export const QUOTES: ReadonlySet<number> = new Set(['"', "'", '`'].map(markCell))
const PAIRS = ['()', '[]', '{}', '<>', '""', "''", '``']
/** By what opens it, what closes a bracket or a quotation. */
export const CLOSERS: ReadonlyMap<number, number> = new Map(
  PAIRS.map(([open, close]): [number, number] => [markCell(open!), markCell(close!)]),
)

export function placesOf(table: TemplateCells, t: number): Places {
  const row = table.row(t)
  const places: Places = { kinds: [], sentences: [], sentenceCount: 1 }
  let sentence = 0
  for (let place = 0; place < row.length; place++) {
    if (row[place] === DOUBLE_QUOTE) sentence = sentence === 0 ? places.sentenceCount++ : 0
    places.sentences.push(sentence)
    const kind = kindOf(row, place)
    places.kinds.push(kind === SLOT && table.isTelling(row[keyOf(row, place)] ?? 0) ? TELLING_SLOT : kind)
  }
  return places
}

function kindOf(row: Int32Array, place: number): number {
  if (isMark(row[place]!)) return MARK_PLACE
  const before = row[place - 1]
  const after = row[place + 1]
  if (before === EQUALS || (before === COLON && QUOTES.has(row[place - 2] ?? 0))) return SLOT
  if (after === EQUALS) return KEY
  if (before === undefined || after === undefined || CLOSERS.get(before) !== after) return FREE
  return row[place + 2] === COLON && QUOTES.has(after) ? KEY : SLOT
}

/** Where the key of the value in this place is: of `key=value`, `key="value"`, `"key":value` and `"key":"value"`. */
export function keyOf(row: ArrayLike<number>, place: number): number {
  const sign = QUOTES.has(row[place - 1]!) ? place - 2 : place - 1
  if (row[sign] === EQUALS) return sign - 1
  return row[sign] === COLON ? sign - 2 : -1
}
