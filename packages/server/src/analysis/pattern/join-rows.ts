/**
 * Joins patterns of different length. Two are one when their shortest forms are equal, or equal but for one place where
 * the first has a placeholder and the other something that can be a value: cells without white space between them, or
 * all that stands in a pair of brackets or quotes. A text in quotes inside a sentence is a value too when there are many.
 */
import { mix, SEED_A, SEED_B } from './hash.ts'
import { CONTEXT_WORDS, ENOUGH_TEXTS } from './merge-evidence.ts'
import { PairTable } from './pair-table.ts'
import { GAPPED, numberOf, type ShortRow, withPlaceholder } from './short-row.ts'
import { FIRST_WORD, HOLE, isMark, markCell, type TemplateCells } from './template-cells.ts'
import { CLOSERS, keyOf, QUOTES } from './template-places.ts'

/** Cells of a value without white space. */
const MAX_SPAN = 8
/** Cells of a value in brackets or quotes. */
const MAX_ENCLOSED = 24

const EQUALS = markCell('=')
const DOUBLE_QUOTE = markCell('"')

export function joinRows(templates: TemplateCells, found: readonly ShortRow[]): ShortRow[][] {
  const sides = found.map(({ cells }) => sidesOf(cells))
  const quoting = quotingRows(templates, found, sides)
  const rows = [...found, ...quoting.map(({ row }) => row)]
  for (const { row } of quoting) sides.push(sidesOf(row.cells))
  const sets = new DisjointSets(rows.length)
  quoting.forEach(({ of }, i) => {
    for (const r of of) sets.join(found.length + i, r)
  })
  const table = new PairTable(4 * rows.length)
  const isTelling = (cells: readonly number[], place: number) => isTellingAt(templates, cells, place)
  for (let r = 0; r < rows.length; r++) addPlaceholders(r, rows[r]!, sides[r]!, table, sets, isTelling)
  for (let r = 0; r < rows.length; r++) joinValues(r, rows[r]!, sides[r]!, table, sets)
  return sets.gather(rows)
}

/** Enters the row as a whole, and with each of its placeholders left out. */
function addPlaceholders(
  r: number,
  row: ShortRow,
  sides: Int32Array,
  table: PairTable,
  sets: DisjointSets,
  isTelling: (cells: readonly number[], place: number) => boolean,
): void {
  const { cells } = row
  sets.join(r, table.getOrSet(sides[4 * cells.length]!, sides[4 * cells.length + 1]!, r))
  if (contextOf(row, 0, 1) < CONTEXT_WORDS) return
  for (let i = 0; i < cells.length; i++) {
    if (numberOf(cells[i]!) !== HOLE || isTelling(cells, i)) continue
    sets.join(r, table.getOrSet(aroundA(sides, i, i + 1, cells), aroundB(sides, i, i + 1), r))
  }
}

/** Joins the row to those that have a placeholder where it has a value. */
function joinValues(r: number, row: ShortRow, sides: Int32Array, table: PairTable, sets: DisjointSets): void {
  const { cells } = row
  if (contextOf(row, 0, 0) < CONTEXT_WORDS) return
  for (let from = 0; from < cells.length; from++) {
    const enclosed = endOfEnclosed(cells, from)
    // A value begins with a mark only where a text begins.
    if (enclosed === 0 && from > 0 && isMark(cells[from]!)) continue
    const last = Math.max(enclosed, Math.min(from + MAX_SPAN, cells.length))
    let hasGap = false
    let words = 0
    let holes = 0
    for (let end = from + 1; end <= last; end++) {
      const cell = cells[end - 1]!
      if (end > from + 1 && cell & GAPPED) hasGap = true
      if (hasGap && end > enclosed) break
      if (numberOf(cell) >= FIRST_WORD) words++
      else if (numberOf(cell) === HOLE) holes++
      if (contextOf(row, words, holes) < CONTEXT_WORDS) break
      if (hasGap && end < enclosed) continue
      const other = table.get(aroundA(sides, from, end, cells), aroundB(sides, from, end))
      if (other !== -1) sets.join(r, other)
    }
  }
}

/** Words that are left around a value of so many words and placeholders. Another value counts as one more. */
function contextOf(row: ShortRow, words: number, holes: number): number {
  return row.words - words + (row.holes > holes ? 1 : 0)
}

/** Where the brackets or quotes that open before this place close; 0 when they do not soon. */
function endOfEnclosed(cells: readonly number[], from: number): number {
  if (from === 0) return 0
  const opener = numberOf(cells[from - 1]!)
  const closer = CLOSERS.get(opener)
  if (closer === undefined) return 0
  for (let i = from; i < cells.length && i <= from + MAX_ENCLOSED; i++) {
    const cell = numberOf(cells[i]!)
    if (cell === closer) return i
    if (cell === opener) return 0
  }
  return 0
}

/** For each text in quotes that has many alternatives a row with a placeholder instead, and the rows it stands for. */
function quotingRows(
  templates: TemplateCells,
  rows: readonly ShortRow[],
  sides: readonly Int32Array[],
): { row: ShortRow; of: number[] }[] {
  const table = new PairTable(rows.length)
  const places: { of: number[]; from: number; end: number }[] = []
  for (let r = 0; r < rows.length; r++) {
    const { cells } = rows[r]!
    for (let from = 1; from < cells.length; from++) {
      if (!QUOTES.has(numberOf(cells[from - 1]!))) continue
      const end = endOfEnclosed(cells, from)
      if (end <= from) continue
      if (wordsOfSentence(cells) >= CONTEXT_WORDS && !isTellingAt(templates, cells, from)) {
        const at = table.getOrSet(aroundA(sides[r]!, from, end, cells), aroundB(sides[r]!, from, end), places.length)
        if (at === places.length) places.push({ of: [r], from, end })
        else places[at]!.of.push(r)
      }
      from = end + 1
    }
  }
  return places
    .filter(({ of }) => of.length >= ENOUGH_TEXTS)
    .map(({ of, from, end }) => ({ row: withPlaceholder(rows[of[0]!]!, from, end), of }))
}

/** Words that stand neither in quotes nor in a pair: where there are none, what is quoted may be the message itself. */
function wordsOfSentence(cells: readonly number[]): number {
  let words = 0
  let isQuoted = false
  for (let i = 0; i < cells.length; i++) {
    const cell = numberOf(cells[i]!)
    if (cell === DOUBLE_QUOTE) isQuoted = !isQuoted
    const isPair = cells[i + 1] === EQUALS || cells[i - 1] === EQUALS
    if (cell >= FIRST_WORD && !isQuoted && !isPair) words++
  }
  return words
}

function isTellingAt(templates: TemplateCells, cells: readonly number[], place: number): boolean {
  return templates.isTelling(numberOf(cells[keyOf(cells, place)] ?? 0))
}

/** Both halves of a hash of what comes before each place, and of what comes from it on: four numbers for a place. */
function sidesOf(cells: readonly number[]): Int32Array {
  const { length } = cells
  const sides = new Int32Array(4 * (length + 1))
  sides[0] = sides[4 * length + 2] = SEED_A
  sides[1] = sides[4 * length + 3] = SEED_B
  for (let i = 0; i < length; i++) {
    sides[4 * i + 4] = mix(sides[4 * i]!, cells[i]!)
    sides[4 * i + 5] = mix(sides[4 * i + 1]!, ~cells[i]!)
  }
  for (let i = length - 1; i >= 0; i--) {
    sides[4 * i + 2] = mix(sides[4 * i + 6]!, cells[i]!)
    sides[4 * i + 3] = mix(sides[4 * i + 7]!, ~cells[i]!)
  }
  return sides
}

/** One half of a hash of all that is around a span; whether white space comes before it is around it too. */
function aroundA(sides: Int32Array, from: number, end: number, cells: readonly number[]): number {
  return mix(sides[4 * from]!, sides[4 * end + 2]! ^ (cells[from]! & GAPPED))
}

function aroundB(sides: Int32Array, from: number, end: number): number {
  return mix(sides[4 * from + 1]!, sides[4 * end + 3]!)
}

class DisjointSets {
  readonly #parents: Int32Array

  constructor(size: number) {
    this.#parents = Int32Array.from({ length: size }, (_, i) => i)
  }

  join(one: number, other: number): void {
    this.#parents[this.#root(one)] = this.#root(other)
  }

  /** The items of each set. */
  gather<Item>(items: readonly Item[]): Item[][] {
    const sets: Item[][] = []
    const numbers = new Int32Array(items.length).fill(-1)
    for (let i = 0; i < items.length; i++) {
      const root = this.#root(i)
      if (numbers[root] === -1) numbers[root] = sets.push([items[i]!]) - 1
      else sets[numbers[root]!]!.push(items[i]!)
    }
    return sets
  }

  #root(of: number): number {
    const parents = this.#parents
    let at = of
    while (parents[at] !== at) at = parents[at] = parents[parents[at]!]!
    return at
  }
}
