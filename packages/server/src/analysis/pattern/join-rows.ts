/**
 * Joins patterns of different length. Two are one when their shortest forms are equal, or equal but for one place where
 * the first has a placeholder and the other something that can be a value: cells without white space between them, or
 * all that stands in a pair of brackets or quotes, or after the last `=` in brackets.
 */
import { CONTEXT_WORDS } from './merge-evidence.ts'
import { PairTable } from './pair-table.ts'
import { endOfEnclosed, isTellingAt, RowSides } from './row-parts.ts'
import { GAPPED, numberOf, type ShortRow } from './short-row.ts'
import { FIRST_WORD, HOLE, isMark, isQuoteCell, type TemplateCells } from './template-cells.ts'
import { textValues } from './text-values.ts'

/** Cells of a value without white space. */
const MAX_SPAN = 8

export function joinRows(templates: TemplateCells, found: readonly ShortRow[]): ShortRow[][] {
  const sides = new RowSides(found.reduce((sum, { cells }) => sum + cells.length + 1, 0))
  for (const { cells } of found) sides.add(cells)
  const texts = textValues(templates, found, sides)
  const rows = [...found, ...texts.map(({ row }) => row)]
  for (const { row } of texts) sides.add(row.cells)
  const joiner = new RowJoiner(templates, rows, sides)
  texts.forEach(({ of }, i) => {
    for (const r of of) joiner.sets.join(found.length + i, r)
  })
  for (let r = 0; r < rows.length; r++) joiner.addPlaceholders(r)
  for (let r = 0; r < rows.length; r++) joiner.joinValues(r)
  return joiner.sets.gather(rows)
}

const HASH_BITS = 0xffff

class RowJoiner {
  readonly sets: DisjointSets
  readonly #templates: TemplateCells
  readonly #rows: readonly ShortRow[]
  readonly #sides: RowSides
  readonly #table: PairTable
  /** Whether some placeholder has this before it, or after it, by a part of the hash: most values need no look. */
  readonly #befores = new Uint8Array(HASH_BITS + 1)
  readonly #behinds = new Uint8Array(HASH_BITS + 1)

  constructor(templates: TemplateCells, rows: readonly ShortRow[], sides: RowSides) {
    this.sets = new DisjointSets(rows.length)
    this.#templates = templates
    this.#rows = rows
    this.#sides = sides
    this.#table = new PairTable(4 * rows.length)
  }

  /** Enters the row as a whole, and with each of its placeholders left out. */
  addPlaceholders(r: number): void {
    const row = this.#rows[r]!
    const { cells } = row
    const sides = this.#sides
    this.sets.join(r, this.#table.getOrSet(sides.beforeA(r, cells.length), sides.beforeB(r, cells.length), r))
    if (row.holes === 0 || contextOf(row, 0, 1) < CONTEXT_WORDS) return
    for (let i = 0; i < cells.length; i++) {
      if (numberOf(cells[i]!) !== HOLE || isTellingAt(this.#templates, cells, i)) continue
      this.#befores[sides.beforeA(r, i) & HASH_BITS] = 1
      this.#behinds[sides.afterA(r, i + 1) & HASH_BITS] = 1
      this.sets.join(r, this.#table.getOrSet(sides.aroundA(r, i, i + 1, cells), sides.aroundB(r, i, i + 1), r))
    }
  }

  /** Joins the row to those that have a placeholder where it has a value. */
  joinValues(r: number): void {
    const row = this.#rows[r]!
    const { cells } = row
    if (contextOf(row, 0, 0) < CONTEXT_WORDS) return
    for (let from = 0; from < cells.length; from++) {
      if (this.#befores[this.#sides.beforeA(r, from) & HASH_BITS] === 0) continue
      if (isQuoteCell(numberOf(cells[from]!))) this.#joinQuoted(r, from)
      const enclosed = endOfEnclosed(cells, from)
      // A value begins with a mark only where a text begins.
      if (enclosed === 0 && from > 0 && isMark(cells[from]!)) continue
      this.#joinFrom(r, from, enclosed)
    }
  }

  #joinFrom(r: number, from: number, enclosed: number): void {
    const row = this.#rows[r]!
    const { cells } = row
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
      if (!hasGap || end >= enclosed) this.#joinSpan(r, from, end)
    }
  }

  /** Joins the row to those that have a placeholder where it has a text in quotes. */
  #joinQuoted(r: number, from: number): void {
    const close = endOfEnclosed(this.#rows[r]!.cells, from + 1)
    if (close > 0) this.#joinSpan(r, from, close + 1)
  }

  #joinSpan(r: number, from: number, end: number): void {
    if (this.#behinds[this.#sides.afterA(r, end) & HASH_BITS] === 0) return
    const a = this.#sides.aroundA(r, from, end, this.#rows[r]!.cells)
    const other = this.#table.get(a, this.#sides.aroundB(r, from, end))
    if (other !== -1) this.sets.join(r, other)
  }
}

/** Words that are left around a value of `words` words and `holes` placeholders. Another value counts as one more. */
function contextOf(row: ShortRow, words: number, holes: number): number {
  return row.words - words + (row.holes > holes ? 1 : 0)
}

class DisjointSets {
  readonly #parents: Int32Array

  constructor(size: number) {
    this.#parents = new Int32Array(size)
    for (let i = 0; i < size; i++) this.#parents[i] = i
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
