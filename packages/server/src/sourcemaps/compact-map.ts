/**
 * A source map as it is looked up: one piece of memory with sorted columns of numbers, in which a position is found by
 * halving. For the store each column is written as differences, which are small and compress well; these are undone when
 * it is loaded. Numbers are little endian, as on every machine that the service runs on.
 */
import type { Mappings } from './vlq.ts'

type SourcePosition = { source: string; line: number; column: number; name: string; isExact: boolean }

const MAGIC = 0x314d5354 // "TSM1"
const HEAD_NUMBERS = 6
/** Of each mapping: generated column, source, line, column, name. */
const COLUMNS = 5

type MapParts = { mappings: Mappings; sources: readonly string[]; names: readonly string[] }

type Layout = { lines: number; mappings: number; sources: number; names: number; textBytes: number }

/** In bytes. */
export function loadedSize({ lines, mappings, sources, names, textBytes }: Layout): number {
  return 4 * (HEAD_NUMBERS + lines + 1 + COLUMNS * mappings + sources + names) + textBytes
}

export class CompactMap {
  readonly #lineStarts: Uint32Array
  readonly #generatedColumns: Uint32Array
  readonly #sources: Int32Array
  readonly #lines: Int32Array
  readonly #columns: Int32Array
  readonly #names: Int32Array
  readonly #textEnds: Uint32Array
  readonly #text: Buffer
  readonly #sourceCount: number

  /** `memory` is as `packMap` makes it, and becomes the map's own. Throws when it is anything else. */
  constructor(memory: ArrayBuffer) {
    const layout = layoutOf(memory)
    const { lineStarts, columns, textEnds, text } = viewsOf(memory, layout)
    const [generated, sources, lines, sourceColumns, names] = columns
    this.#lineStarts = lineStarts
    // Written as signed, because differences are; a column itself never is.
    this.#generatedColumns = new Uint32Array(memory, generated.byteOffset, layout.mappings)
    this.#sources = sources
    this.#lines = lines
    this.#columns = sourceColumns
    this.#names = names
    this.#textEnds = textEnds
    this.#text = text
    this.#sourceCount = layout.sources
  }

  /** `line` counts from one and `column` too, as stacks count. Null where nothing is mapped. */
  find(line: number, column: number): SourcePosition | null {
    if (!(line >= 1 && line < this.#lineStarts.length && column >= 1)) return null
    const from = this.#lineStarts[line - 1]!
    const at = this.#lastAtOrBefore(column - 1, from, this.#lineStarts[line]!)
    if (at < from) return null
    const source = this.#sources[at]!
    const path = source === -1 ? '' : this.#textAt(source)
    if (path === '') return null
    const name = this.#names[at]!
    return {
      source: path,
      line: this.#lines[at]! + 1,
      column: this.#columns[at]! + 1,
      name: name === -1 ? '' : this.#textAt(this.#sourceCount + name),
      isExact: this.#generatedColumns[at] === column - 1,
    }
  }

  #lastAtOrBefore(column: number, from: number, to: number): number {
    let low = from
    let high = to
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#generatedColumns[middle]! <= column) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  #textAt(index: number): string {
    return this.#text.toString('utf8', index === 0 ? 0 : this.#textEnds[index - 1], this.#textEnds[index])
  }
}

/** In the form that is compressed: the same bytes for the same map, on every node. */
export function packMap({ mappings, sources, names }: MapParts): Uint8Array {
  const { count } = mappings
  const order = sorted(mappings)
  const texts = [...sources, ...names].map((text) => Buffer.from(text))
  const layout: Layout = {
    lines: count === 0 ? 0 : mappings.generatedLines[order(count - 1)]! + 1,
    mappings: count,
    sources: sources.length,
    names: names.length,
    textBytes: texts.reduce((sum, text) => sum + text.length, 0),
  }
  const memory = new ArrayBuffer(loadedSize(layout))
  new Uint32Array(memory, 0, HEAD_NUMBERS).set([
    MAGIC,
    layout.lines,
    layout.mappings,
    layout.sources,
    layout.names,
    layout.textBytes,
  ])
  const { lineStarts, columns, textEnds, text } = viewsOf(memory, layout)
  const given = [mappings.generatedColumns, mappings.sources, mappings.lines, mappings.columns, mappings.names]
  for (let at = 0; at < count; at++) {
    const from = order(at)
    lineStarts[mappings.generatedLines[from]! + 1]!++
    for (let column = 0; column < COLUMNS; column++) columns[column]![at] = given[column]![from]!
  }
  for (const column of columns) for (let at = count - 1; at > 0; at--) column[at]! -= column[at - 1]!
  let end = 0
  for (const [at, bytes] of texts.entries()) {
    text.set(bytes, end)
    end += bytes.length
    textEnds[at] = bytes.length
  }
  return new Uint8Array(memory)
}

/** Undoes the differences, in place. Throws when it is not what `packMap` made. */
export function unpackMap(memory: ArrayBuffer): CompactMap {
  const { lineStarts, columns, textEnds } = viewsOf(memory, layoutOf(memory))
  for (const { byteOffset, length } of [lineStarts, ...columns, textEnds])
    addUp(new Int32Array(memory, byteOffset, length))
  return new CompactMap(memory)
}

/** All as one type, signed or not: with two this takes three times as long, and others wait meanwhile. */
function addUp(column: Int32Array): void {
  let sum = 0
  for (let at = 0; at < column.length; at++) {
    sum = (sum + column[at]!) | 0
    column[at] = sum
  }
}

function layoutOf(memory: ArrayBuffer): Layout {
  if (memory.byteLength < 4 * HEAD_NUMBERS) throw new Error('a stored source map is cut off')
  const [magic, lines, mappings, sources, names, textBytes] = new Uint32Array(memory, 0, HEAD_NUMBERS) as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const layout = { lines, mappings, sources, names, textBytes }
  if (magic !== MAGIC || loadedSize(layout) !== memory.byteLength) throw new Error('a stored source map is damaged')
  return layout
}

function viewsOf(memory: ArrayBuffer, { lines, mappings, sources, names, textBytes }: Layout) {
  let at = 4 * HEAD_NUMBERS
  const take = (numbers: number) => {
    const from = at
    at += 4 * numbers
    return from
  }
  const lineStarts = new Uint32Array(memory, take(lines + 1), lines + 1)
  const column = () => new Int32Array(memory, take(mappings), mappings)
  const columns = [column(), column(), column(), column(), column()] as const
  const textEnds = new Uint32Array(memory, take(sources + names), sources + names)
  return { lineStarts, columns, textEnds, text: Buffer.from(memory, at, textBytes) }
}

/** By generated line and column; what was written in that order, as nearly all maps are, needs no other. */
function sorted({ count, generatedLines, generatedColumns }: Mappings): (at: number) => number {
  const compare = (a: number, b: number) =>
    generatedLines[a]! - generatedLines[b]! || generatedColumns[a]! - generatedColumns[b]! || a - b
  let isSorted = true
  for (let at = 1; at < count && isSorted; at++) isSorted = compare(at - 1, at) < 0
  if (isSorted) return (at) => at
  const order = Uint32Array.from({ length: count }, (_, at) => at).sort(compare)
  return (at) => order[at]!
}
