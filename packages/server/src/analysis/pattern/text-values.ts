/**
 * Texts of several words that are values: where many different texts stand in quotes, or after a `=`, and all around
 * them is equal; and texts that come back as a whole in several sentences, as the names of jobs and services do.
 */
import { mix, SEED_A } from './hash.ts'
import { CONTEXT_WORDS, ENOUGH_LENGTHS, ENOUGH_TEXTS } from './merge-evidence.ts'
import { PairTable } from './pair-table.ts'
import { EQUALS, endOfEnclosed, isTellingAt, type RowSides } from './row-parts.ts'
import { numberOf, type ShortRow, withPlaceholder } from './short-row.ts'
import { FIRST_WORD, HOLE, isMark, isQuoteCell, markCell, type TemplateCells } from './template-cells.ts'

const DOUBLE_QUOTE = markCell('"')
const HASH_BITS = 0xffff

/** Where texts with the same cells around them stand. */
type TextPlace = { rows: number[]; from: number[]; end: number[]; isFree: boolean }

/** For each place in which texts are values a row with a placeholder instead, and the rows it stands for. */
export function textValues(
  templates: TemplateCells,
  rows: readonly ShortRow[],
  sides: RowSides,
): { row: ShortRow; of: number[] }[] {
  const places = textPlaces(templates, rows, sides)
  const texts = places.map((place) => textsOf(templates, rows, place))
  const placesWith = placesWithText(texts)
  const isValue = places.map((place, p) => {
    if (place.rows.length < ENOUGH_TEXTS) return false
    const own = [...new Set(texts[p])]
    if (own.length < ENOUGH_TEXTS) return false
    if (!place.isFree) return true
    return (
      lengthsOf(place) >= ENOUGH_LENGTHS && 2 * own.filter((text) => placesWith.get(text)! > 1).length >= own.length
    )
  })
  const known = new Set(texts.flatMap((own, p) => (isValue[p] ? own : [])))
  if (known.size === 0) return []
  return places.flatMap((place, p) => {
    const of = isValue[p] ? place.rows : place.rows.filter((_, at) => known.has(texts[p]![at]!))
    if (of.length < 2) return []
    const at = place.rows.indexOf(of[0]!)
    return [{ row: withPlaceholder(rows[of[0]!]!, place.from[at]!, place.end[at]!), of }]
  })
}

/** In how many places each text stands. */
function placesWithText(texts: readonly number[][]): Map<number, number> {
  const last = new Map<number, number>()
  const counts = new Map<number, number>()
  texts.forEach((own, p) => {
    for (const text of own) {
      if (last.get(text) === p) continue
      last.set(text, p)
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
  })
  return counts
}

function lengthsOf({ from, end }: TextPlace): number {
  return new Set(end.map((to, at) => to - from[at]!)).size
}

/** Those with two rows or more. */
function textPlaces(templates: TemplateCells, rows: readonly ShortRow[], sides: RowSides): TextPlace[] {
  const spans: number[] = []
  const seen = new Uint8Array(HASH_BITS + 1)
  for (let r = 0; r < rows.length; r++) {
    const { cells } = rows[r]!
    const add = (from: number, end: number, isFree: boolean) => {
      const around = sides.aroundA(r, from, end, cells)
      if (seen[around & HASH_BITS]! < 2) seen[around & HASH_BITS]!++
      spans.push(around, r, from, end, isFree ? 1 : 0)
    }
    addEnclosed(templates, rows[r]!, add)
    addFree(rows[r]!, add)
  }
  const table = new PairTable(rows.length)
  const places: TextPlace[] = []
  for (let i = 0; i < spans.length; i += 5) {
    const around = spans[i]!
    // Most stand alone, which a part of the hash shows already.
    if (seen[around & HASH_BITS] === 1) continue
    const [r, from, end] = [spans[i + 1]!, spans[i + 2]!, spans[i + 3]!]
    const at = table.getOrSet(around, sides.aroundB(r, from, end), places.length)
    if (at === places.length) places.push({ rows: [], from: [], end: [], isFree: spans[i + 4] === 1 })
    const place = places[at]!
    place.rows.push(r)
    place.from.push(from)
    place.end.push(end)
  }
  return places.filter((place) => place.rows.length > 1)
}

type Add = (from: number, end: number, isFree: boolean) => void

/** Texts in quotes, and of several words after `=` up to the next mark or pair. */
function addEnclosed(templates: TemplateCells, row: ShortRow, add: Add): void {
  const { cells } = row
  let words = -1
  for (let from = 1; from < cells.length; from++) {
    const opener = numberOf(cells[from - 1]!)
    if (opener >= FIRST_WORD) continue
    if (isQuoteCell(opener)) {
      const end = endOfEnclosed(cells, from)
      if (end <= from) continue
      if (words === -1) words = wordsOfSentence(cells)
      if (words >= CONTEXT_WORDS && !isTellingAt(templates, cells, from)) add(from, end, false)
      from = end + 1
    } else if (opener === EQUALS && !isTellingAt(templates, cells, from)) {
      const end = endOfWords(cells, from)
      if (end > from + 1 && row.words - (end - from) >= CONTEXT_WORDS) add(from, end, false)
    }
  }
}

/** Where the words that begin here end: at a mark, or before the key of the next pair. */
function endOfWords(cells: readonly number[], from: number): number {
  let end = from
  while (end < cells.length && !isMark(numberOf(cells[end]!))) end++
  return end < cells.length && numberOf(cells[end]!) === EQUALS ? end - 1 : end
}

/** Several words between two marks, and those after the first word. */
function addFree({ cells, words }: ShortRow, add: Add): void {
  for (let from = 0; from < cells.length; from++) {
    if (isMark(numberOf(cells[from]!))) continue
    const end = endOfWords(cells, from)
    const start = from === 0 ? 1 : from
    if (end > start + 1 && words > wordsIn(cells, start, end)) add(start, end, true)
    from = end
  }
}

function wordsIn(cells: readonly number[], from: number, end: number): number {
  let words = 0
  for (let i = from; i < end; i++) if (numberOf(cells[i]!) >= FIRST_WORD) words++
  return words
}

/** A number for each text. Texts that differ in loud words alone, as requests do in their verbs, are the same. */
function textsOf(templates: TemplateCells, rows: readonly ShortRow[], place: TextPlace): number[] {
  return place.rows.map((r, at) => {
    const { cells } = rows[r]!
    let a = SEED_A
    for (let i = place.from[at]!; i < place.end[at]!; i++) {
      const cell = numberOf(cells[i]!)
      a = mix(a, templates.isLoud(cell) ? HOLE : cell)
    }
    return a
  })
}

/** Words that stand neither in quotes nor in a pair: where there are none, what is quoted may be the message itself. */
function wordsOfSentence(cells: readonly number[]): number {
  let words = 0
  let isQuoted = false
  for (let i = 0; i < cells.length; i++) {
    const cell = numberOf(cells[i]!)
    if (cell === DOUBLE_QUOTE) isQuoted = !isQuoted
    const isPair = (i + 1 < cells.length && cells[i + 1] === EQUALS) || (i > 0 && cells[i - 1] === EQUALS)
    if (cell >= FIRST_WORD && !isQuoted && !isPair) words++
  }
  return words
}
