/** Parts of a row: a hash of all that is around one, and where one ends that stands in brackets, in quotes or in a pair. */
import { mix, SEED_A, SEED_B } from './hash.ts'
import { GAPPED, numberOf } from './short-row.ts'
import { markCell, type TemplateCells } from './template-cells.ts'
import { closerOf, keyOf } from './template-places.ts'

/** Cells of a value in brackets or quotes. */
const MAX_ENCLOSED = 24

export const EQUALS = markCell('=')
const COMMA = markCell(',')
const SEMICOLON = markCell(';')
const [ROUND, SQUARE, CURLY] = [')', ']', '}'].map(markCell)

/**
 * For each place of each row both halves of a hash of what comes before it, and of what comes from it on: four numbers.
 * All in one array, because thousands of small ones would cost more than the hashes.
 */
export class RowSides {
  #sides: Int32Array
  readonly #starts: number[] = []
  #at = 0

  /** Grows when there are more than expected. */
  constructor(expectedCells: number) {
    this.#sides = new Int32Array(4 * expectedCells)
  }

  add(cells: readonly number[]): void {
    const { length } = cells
    const start = this.#at
    const last = start + 4 * length
    this.#starts.push(start)
    this.#at = last + 4
    if (this.#at > this.#sides.length) this.#grow()
    const sides = this.#sides
    sides[start] = sides[last + 2] = SEED_A
    sides[start + 1] = sides[last + 3] = SEED_B
    for (let i = 0, at = start; i < length; i++, at += 4) {
      sides[at + 4] = mix(sides[at]!, cells[i]!)
      sides[at + 5] = mix(sides[at + 1]!, ~cells[i]!)
    }
    for (let i = length - 1, at = last - 4; i >= 0; i--, at -= 4) {
      sides[at + 2] = mix(sides[at + 6]!, cells[i]!)
      sides[at + 3] = mix(sides[at + 7]!, ~cells[i]!)
    }
  }

  #grow(): void {
    const sides = new Int32Array(2 * this.#at)
    sides.set(this.#sides)
    this.#sides = sides
  }

  /** One half of a hash of what comes before a place, or with the length of a row of all of it. */
  beforeA(r: number, place: number): number {
    return this.#sides[this.#starts[r]! + 4 * place]!
  }

  beforeB(r: number, place: number): number {
    return this.#sides[this.#starts[r]! + 4 * place + 1]!
  }

  /** One half of a hash of what comes from a place on. */
  afterA(r: number, place: number): number {
    return this.#sides[this.#starts[r]! + 4 * place + 2]!
  }

  /** One half of a hash of all that is around a span; whether white space comes before it is around it too. */
  aroundA(r: number, from: number, end: number, cells: readonly number[]): number {
    const start = this.#starts[r]!
    return mix(this.#sides[start + 4 * from]!, this.#sides[start + 4 * end + 2]! ^ (cells[from]! & GAPPED))
  }

  aroundB(r: number, from: number, end: number): number {
    const start = this.#starts[r]!
    return mix(this.#sides[start + 4 * from + 1]!, this.#sides[start + 4 * end + 3]!)
  }
}

/** Where the brackets or quotes that open before this place close; 0 when they do not soon. */
export function endOfEnclosed(cells: readonly number[], from: number): number {
  if (from === 0) return 0
  const opener = numberOf(cells[from - 1]!)
  if (opener === EQUALS) return endOfPair(cells, from)
  const closer = closerOf(opener)
  if (closer === -1) return 0
  for (let i = from; i < cells.length && i <= from + MAX_ENCLOSED; i++) {
    const cell = numberOf(cells[i]!)
    if (cell === closer) return i
    if (cell === opener) return 0
  }
  return 0
}

/** Where the bracket closes in which a pair stands, when its value is all up to there; 0 when it is not. */
function endOfPair(cells: readonly number[], from: number): number {
  for (let i = from; i < cells.length && i <= from + MAX_ENCLOSED; i++) {
    const cell = numberOf(cells[i]!)
    if (cell === ROUND || cell === SQUARE || cell === CURLY) return i
    if (cell === EQUALS || cell === COMMA || cell === SEMICOLON || closerOf(cell) !== -1) return 0
  }
  return 0
}

export function isTellingAt(templates: TemplateCells, cells: readonly number[], place: number): boolean {
  const key = keyOf(cells, place)
  return key >= 0 && templates.isTelling(numberOf(cells[key]!))
}
