/**
 * A pattern in its shortest form, in which patterns of different length can be compared: neighbouring placeholders are
 * one, what repeats with a value in it stands once, a value that is said again in brackets is said once, and a
 * placeholder in quotes is a placeholder.
 */
import { CLASS_OF, SEPARATOR } from './characters.ts'
import { PLACEHOLDER } from './placeholder.ts'
import type { Group } from './split-families.ts'
import { FIRST_WORD, HOLE, isMark, isQuoteCell, markCell, type TemplateCells, unitOfMark } from './template-cells.ts'

export type ShortRow = {
  group: Group
  /** Numbers of cells, with `GAPPED` where white space comes before. */
  cells: number[]
  words: number
  holes: number
  /** For a row that stands for others, which cells of the row it was made from became a placeholder. */
  instead: { from: number; end: number; of: Group } | null
}

export const GAPPED = 1 << 30
export const numberOf = (cell: number): number => cell & ~GAPPED

/** Cells that are looked back at for a repetition. */
const MAX_PERIOD = 16

const OPEN = markCell('(')
const CLOSE = markCell(')')
const [COMMA, SEMICOLON, BAR] = [',', ';', '|'].map(markCell)
const isListMark = (cell: number): boolean => cell === COMMA || cell === SEMICOLON || cell === BAR

export function shortRow(table: TemplateCells, group: Group): ShortRow {
  return counted(group, cellsOf(table, group, lengthWithoutRepeat, true, null), null)
}

/** The row that has a placeholder instead of some of its cells, and of the quotes around them. */
export function withPlaceholder({ group, cells }: ShortRow, from: number, end: number): ShortRow {
  const quotes =
    end < cells.length && isQuoteCell(cells[end]!) && numberOf(cells[from - 1] ?? HOLE) === cells[end] ? 1 : 0
  const hole = HOLE | (cells[from - quotes]! & GAPPED)
  const of = { members: [], varying: [] }
  return counted(of, cells.toSpliced(from - quotes, end - from + 2 * quotes, hole), { from, end, of: group })
}

function counted(group: Group, cells: number[], instead: ShortRow['instead']): ShortRow {
  let words = 0
  let holes = 0
  for (let i = 0; i < cells.length; i++) {
    const cell = numberOf(cells[i]!)
    if (cell >= FIRST_WORD) words++
    else if (cell === HOLE) holes++
  }
  return { group, cells, words, holes, instead }
}

/** Fills `places`, when given, with where in the group's first template each cell stands. */
function cellsOf(
  { offsets, cells, gaps }: TemplateCells,
  { members, varying }: Group,
  keptOf: (row: readonly number[]) => number,
  unquoted: boolean,
  places: number[] | null,
): number[] {
  const first = offsets[members[0]!]!
  const width = offsets[members[0]! + 1]! - first
  const row: number[] = []
  let next = 0
  let holes = 0
  for (let place = 0; place < width; place++) {
    const isVarying = varying[next] === place
    if (isVarying) next++
    const cell = isVarying ? HOLE : cells[first + place]!
    row.push(gaps[first + place] === 1 ? cell | GAPPED : cell)
    places?.push(place)
    if (cell === HOLE) holes++
    // Nothing is left out without a placeholder.
    if (holes === 0) continue
    if (unquoted && isQuotedHole(row)) {
      row.splice(-3, 3, HOLE | (row[row.length - 3]! & GAPPED))
      places?.splice(-2)
    }
    const kept = holes === 1 ? row.length : keptOf(row)
    if (kept === row.length) continue
    row.length = kept
    if (places !== null) places.length = kept
  }
  return row
}

function isQuotedHole(cells: readonly number[]): boolean {
  const { length } = cells
  if (length < 3 || cells[length - 2] !== HOLE) return false
  const quote = cells[length - 1]!
  return isQuoteCell(quote) && numberOf(cells[length - 3]!) === quote
}

function lengthWithoutNeighbour(cells: readonly number[]): number {
  if (numberOf(cells[cells.length - 1]!) !== HOLE) return cells.length
  let i = cells.length - 2
  while (i >= 0 && isSeparator(numberOf(cells[i]!))) i--
  return isHoleAt(cells, i) ? i + 1 : cells.length
}

function lengthWithoutRepeat(cells: readonly number[]): number {
  const { length } = cells
  const kept = lengthWithoutNeighbour(cells)
  if (kept < length) return kept
  if (isSaidAgain(cells)) return length - 3
  const last = numberOf(cells[length - 1]!)
  for (let period = 1; period <= MAX_PERIOD && 2 * period <= length; period++) {
    const before = numberOf(cells[length - period - 1]!)
    if (before === last && isRepeat(cells, period, 0)) return length - period
    if (isListMark(before) && isRepeat(cells, period, 1)) return length - period - 1
  }
  return length
}

/** `<*> (<*>)`. */
function isSaidAgain(cells: readonly number[]): boolean {
  const { length } = cells
  if (length < 4 || numberOf(cells[length - 1]!) !== CLOSE || numberOf(cells[length - 3]!) !== OPEN) return false
  return isHoleAt(cells, length - 2) && isHoleAt(cells, length - 4)
}

const isSeparator = (cell: number): boolean => isMark(cell) && (CLASS_OF[unitOfMark(cell)]! & SEPARATOR) !== 0
const isHoleAt = (cells: readonly number[], at: number): boolean => at >= 0 && numberOf(cells[at]!) === HOLE

/** Whether the last cells are the same as those before, or before a comma, and hold a value. */
function isRepeat(cells: readonly number[], period: number, between: number): boolean {
  const { length } = cells
  if (2 * period + between > length) return false
  let holdsValue = false
  for (let i = length - period; i < length; i++) {
    const cell = numberOf(cells[i]!)
    if (cell !== numberOf(cells[i - period - between]!)) return false
    if (cell === HOLE) holdsValue = true
  }
  return holdsValue
}

type Templates = readonly { text: string }[]

/** With nothing left out but placeholders beside placeholders, in the words of member `t`. */
export function wholeText(table: TemplateCells, group: Group, t: number, templates: Templates): string {
  const places: number[] = []
  const cells = cellsOf(table, group, lengthWithoutNeighbour, false, places)
  return written(table, t, cells, places, templates[t]!.text)
}

export function shortText(table: TemplateCells, { group, instead }: ShortRow, t: number, templates: Templates): string {
  const places: number[] = []
  const cells = cellsOf(table, instead?.of ?? group, lengthWithoutRepeat, instead !== null, places)
  if (instead !== null) {
    const { from, end } = instead
    cells.splice(from, end - from, HOLE | (cells[from]! & GAPPED))
    places.splice(from, end - from, 0)
  }
  return written(table, t, cells, places, templates[t]!.text)
}

function written(table: TemplateCells, t: number, cells: number[], places: number[], template: string): string {
  const first = table.offsets[t]!
  let text = ''
  for (let i = 0; i < cells.length; i++) {
    if (cells[i]! & GAPPED && text !== '') text += ' '
    const at = first + places[i]!
    text += numberOf(cells[i]!) === HOLE ? PLACEHOLDER : template.slice(table.starts[at]!, table.ends[at]!)
  }
  return text.trimEnd()
}
