/**
 * Templates as rows of cells: words, placeholders and marks. Words are numbered as they come, so that comparing two is
 * comparing two numbers and what a word looks like is asked once.
 */
import * as characters from './characters.ts'
import * as hash from './hash.ts'
import { PairTable } from './pair-table.ts'
import { isPlaceholderAt, PLACEHOLDER } from './placeholder.ts'
import {
  COLON,
  COMMA_UNIT,
  DASH,
  EQUALS,
  endOfQuery,
  endOfValue,
  isAlnumAt,
  isEmptyBehind,
  isJoinerAt,
  isQuote,
  isValueMark,
  SLASH,
} from './value-ends.ts'
import { LIST, LOUD, shapeOf, TELLING } from './word-shape.ts'

// Copies for speed, as in the lexer.
const { ALNUM, AT, CLASS_OF, GAP, JOINER, WIDE } = characters
const { PRIME_A, PRIME_B, SEED_A, SEED_B, mix } = hash

/** Cells of a template that count one by one. What follows in a longer one is a single word. */
const MAX_CELLS = 256
/** A value in quotes is four cells with its `=`, and what follows the last cell that counts is one more. */
const SPARE_CELLS = 8
/** Characters of a cell in most templates, to have room for them from the beginning. */
const CHARS_OF_CELL = 3.5

/** Numbers of cells. All from `FIRST_WORD` on are words. */
export const HOLE = 0
/** Nothing, where a value could stand: after a `=` and between brackets that close at once. */
export const EMPTY = 1
const FIRST_MARK = 2
export const FIRST_WORD = FIRST_MARK + characters.FIRST_WIDE

export const markCell = (mark: string): number => FIRST_MARK + mark.charCodeAt(0)
export const isMark = (cell: number): boolean => cell >= FIRST_MARK && cell < FIRST_WORD
export const unitOfMark = (cell: number): number => cell - FIRST_MARK
export const isQuoteCell = (cell: number): boolean => isMark(cell) && isQuote(cell - FIRST_MARK)
const isItem = (cell: number): boolean => cell >= FIRST_WORD || cell === HOLE

const COMMA = markCell(',')
const BEFORE_LIST = new Set([...':=[({"\''].map(markCell))
const BEHIND_LIST = new Set([...';])}"\''].map(markCell))

export class TemplateCells {
  /** Where the row of each template begins; one entry more than templates. */
  readonly offsets: Int32Array
  cells: Int32Array
  /** Whether white space comes before. */
  gaps: Uint8Array
  starts: Int32Array
  ends: Int32Array
  /** By number less `FIRST_WORD`. */
  readonly shapes: number[] = []
  readonly #words: PairTable
  #at = 0
  #hasComma = false

  constructor(texts: readonly string[]) {
    this.#words = new PairTable(2 * texts.length)
    const room = Math.ceil(texts.reduce((sum, { length }) => sum + length, 0) / CHARS_OF_CELL) + MAX_CELLS
    this.offsets = new Int32Array(texts.length + 1)
    this.cells = new Int32Array(room)
    this.gaps = new Uint8Array(room)
    this.starts = new Int32Array(room)
    this.ends = new Int32Array(room)
    for (let t = 0; t < texts.length; t++) {
      const first = this.#at
      if (first + Math.min(2 * texts[t]!.length, MAX_CELLS) + SPARE_CELLS > this.cells.length) this.#grow()
      this.#read(texts[t]!)
      if (this.#hasComma) this.#foldLists(first)
      this.offsets[t + 1] = this.#at
    }
  }

  #grow(): void {
    const room = 2 * this.cells.length + MAX_CELLS + SPARE_CELLS
    const [cells, gaps, starts, ends] = [this.cells, this.gaps, this.starts, this.ends]
    this.cells = new Int32Array(room)
    this.gaps = new Uint8Array(room)
    this.starts = new Int32Array(room)
    this.ends = new Int32Array(room)
    this.cells.set(cells)
    this.gaps.set(gaps)
    this.starts.set(starts)
    this.ends.set(ends)
  }

  /** One more than the highest number of a cell. */
  get numbers(): number {
    return FIRST_WORD + this.shapes.length
  }

  isTelling(cell: number): boolean {
    return cell >= FIRST_WORD && this.shapes[cell - FIRST_WORD] === TELLING
  }

  isLoud(cell: number): boolean {
    return cell >= FIRST_WORD && this.shapes[cell - FIRST_WORD] === LOUD
  }

  row(t: number): Int32Array {
    return this.cells.subarray(this.offsets[t]!, this.offsets[t + 1]!)
  }

  #read(text: string): void {
    const full = this.#at + MAX_CELLS
    this.#hasComma = false
    let i = 0
    let gap = 0
    while (i < text.length) {
      const unit = text.charCodeAt(i)
      const cls = CLASS_OF[unit]!
      if (cls & GAP) {
        gap = 1
        i++
      } else {
        if (this.#at >= full) i = this.#readWhole(text, i, gap, text.length)
        else if (cls & (ALNUM | WIDE) || (cls & AT && isAlnumAt(text, i + 1))) i = this.#readWord(text, i, gap)
        else if (isPlaceholderAt(text, i)) i = this.#push(HOLE, gap, i, endOfQuery(text, i + PLACEHOLDER.length))
        else if (cls & AT && isPlaceholderAt(text, i + 1)) i = this.#push(HOLE, gap, i, i + 1 + PLACEHOLDER.length)
        else if ((unit === SLASH || unit === DASH) && isValueMark(unit, text, i)) i = this.#push(HOLE, gap, i, i + 1)
        else {
          i = this.#push(FIRST_MARK + unit, gap, i, i + 1)
          if (unit === COMMA_UNIT) this.#hasComma = true
          if (isEmptyBehind(unit, gap, text, i)) this.#push(EMPTY, unit === COLON ? 1 : 0, i, i)
          else if (unit === EQUALS || (unit === COLON && isQuote(text.charCodeAt(i - 2)))) i = this.#readValue(text, i)
        }
        gap = 0
      }
    }
  }

  /** A value that is joined to a word belongs to it: `node-<*>`. */
  #readWord(text: string, start: number, gap: number): number {
    let a = SEED_A
    let b = SEED_B
    let i = start
    for (; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      const cls = CLASS_OF[unit]!
      if (!(cls & (ALNUM | WIDE)) && i > start) {
        if (!(cls & JOINER)) break
        if (isPlaceholderAt(text, i + 1)) return this.#readWhole(text, start, gap, i + 1 + PLACEHOLDER.length)
        if (!isAlnumAt(text, i + 1) && !(isJoinerAt(text, i + 1) && isAlnumAt(text, i + 2))) break
      }
      a = Math.imul(a ^ unit, PRIME_A)
      b = Math.imul(b ^ unit, PRIME_B)
    }
    return this.#pushWord(a, b, text, start, i, gap)
  }

  /** All up to `end` as one word, whatever it is made of. */
  #readWhole(text: string, start: number, gap: number, end: number): number {
    if (end - start === PLACEHOLDER.length && isPlaceholderAt(text, start)) return this.#push(HOLE, gap, start, end)
    let a = SEED_A
    let b = SEED_B
    for (let i = start; i < end; i++) {
      const unit = text.charCodeAt(i)
      a = Math.imul(a ^ unit, PRIME_A)
      b = Math.imul(b ^ unit, PRIME_B)
    }
    return this.#pushWord(a, b, text, start, end, gap)
  }

  #pushWord(a: number, b: number, text: string, start: number, end: number, gap: number): number {
    const next = this.shapes.length
    const word = this.#words.getOrSet(a, b, next)
    if (word === next) this.shapes.push(shapeOf(text, start, end))
    return this.#push(FIRST_WORD + word, gap, start, end)
  }

  /** The value of a key is one cell, whatever it is made of, unless it is a text. */
  #readValue(text: string, from: number): number {
    const end = endOfValue(text, from)
    if (end === 0) return from
    if (!isQuote(text.charCodeAt(from))) return this.#readWhole(text, from, 0, end)
    const quote = FIRST_MARK + text.charCodeAt(from)
    this.#push(quote, 0, from, from + 1)
    if (from + 2 === end) this.#push(EMPTY, 0, from + 1, from + 1)
    else this.#readWhole(text, from + 1, 0, end - 1)
    return this.#push(quote, 0, end - 1, end)
  }

  #push(cell: number, gap: number, start: number, end: number): number {
    const at = this.#at++
    this.cells[at] = cell
    this.gaps[at] = gap
    this.starts[at] = start
    this.ends[at] = end
    return end
  }

  /** `[a, b, c]`, `["a","b"]` and `fields: a, b` hold one word, because lists have no fixed length. */
  #foldLists(first: number): void {
    const { cells, gaps, starts, ends } = this
    const end = this.#at
    let to = first
    for (let from = first; from < end; ) {
      const isList = cells[from + 1] === COMMA || cells[from + 3] === COMMA
      const last = isList ? this.#endOfList(from, end, from > first && BEFORE_LIST.has(cells[from - 1]!)) : from
      cells[to] = last > from ? this.#listWord(from, last) : cells[from]!
      gaps[to] = gaps[from]!
      starts[to] = starts[from]!
      ends[to++] = ends[last]!
      from = last + 1
    }
    this.#at = to
  }

  /** The cell of the last item of the list that begins here, which is this cell when none does. */
  #endOfList(from: number, end: number, opened: boolean): number {
    const { cells, gaps } = this
    let last = this.#endOfItem(from, end)
    if (last === -1 || last + 2 >= end || cells[last + 1] !== COMMA) return from
    let items = 1
    let spaced = false
    while (last + 2 < end && cells[last + 1] === COMMA) {
      const next = this.#endOfItem(last + 2, end)
      if (next === -1 || isItem(cells[last + 2]!) !== isItem(cells[from]!)) break
      if (gaps[last + 2]) spaced = true
      last = next
      items++
    }
    if (items === 1) return from
    if (!spaced && isItem(cells[from]!)) return last
    return opened && (last + 1 === end || BEHIND_LIST.has(cells[last + 1]!)) ? last : from
  }

  /** The last cell of the item that begins here, a word or a placeholder, which may be in quotes; -1 when none does. */
  #endOfItem(from: number, end: number): number {
    const { cells } = this
    if (isItem(cells[from]!)) return from
    const isQuoted = from + 2 < end && isQuoteCell(cells[from]!) && cells[from + 2] === cells[from]
    return isQuoted && isItem(cells[from + 1]!) ? from + 2 : -1
  }

  #listWord(from: number, last: number): number {
    let a = SEED_B
    let b = SEED_A
    for (let i = from; i <= last; i++) {
      if (!isItem(this.cells[i]!)) continue
      a = mix(a, this.cells[i]!)
      b = mix(b, ~this.cells[i]!)
    }
    const next = this.shapes.length
    const word = this.#words.getOrSet(a, b, next)
    if (word === next) this.shapes.push(LIST)
    return FIRST_WORD + word
  }
}
