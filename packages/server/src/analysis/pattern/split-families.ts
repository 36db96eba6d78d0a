/**
 * Finds templates that differ only in values. Templates with the same marks and white space are a family. A family is
 * split by the places whose words are constants, until in each part every place that still differs is variable and
 * enough words hold the part together. All of it counts different words, never positions in the input, so the order of
 * templates does not matter.
 */
import { mix, SEED_A, SEED_B } from './hash.ts'
import * as evidence from './merge-evidence.ts'
import { PairTable } from './pair-table.ts'
import { EMPTY, FIRST_WORD, HOLE, isMark, type TemplateCells } from './template-cells.ts'
import { FREE, KEY, type Places, placesOf, SLOT, TELLING_SLOT } from './template-places.ts'
import { LOUD, PLAIN } from './word-shape.ts'

export type Group = {
  /** Templates that are one pattern. */
  members: number[]
  /** The places in which they differ. */
  varying: number[]
}

/** Each level looks at the cells of a family once. What is undecided then stays apart. */
const MAX_DEPTH = 16

const { ENOUGH, KEY_FACTOR } = evidence
const LOUD_WEIGHT = evidence.WEIGHTS[LOUD]!
const PLAIN_WEIGHT = evidence.WEIGHTS[PLAIN]!

/** In the place of a word that makes the next place a telling one, because all of a family have the same places. */
const TELLING_FRAME = 1

/** Templates with the same marks and white space in the same places. */
export function familiesOf(templates: TemplateCells): number[][] {
  const { offsets, cells, gaps } = templates
  const table = new PairTable(offsets.length)
  const families: number[][] = []
  for (let t = 0; t + 1 < offsets.length; t++) {
    let a = SEED_A
    let b = SEED_B
    for (let i = offsets[t]!; i < offsets[t + 1]!; i++) {
      const cell = cells[i]!
      const frame = (isMark(cell) ? cell : templates.isTelling(cell) ? TELLING_FRAME : 0) | (gaps[i]! << 24)
      a = mix(a, frame)
      b = mix(b, ~frame)
    }
    const family = table.getOrSet(a, b, families.length)
    if (family === families.length) families.push([t])
    else families[family]!.push(t)
  }
  return families
}

/** Words that all templates of a part share: all of them, those of sentences by sentence, and whether there is a value. */
type Context = { words: number; keys: number; holes: number; sentences: number[] }

export class FamilySplitter {
  readonly #table: TemplateCells
  readonly #weights: Uint8Array
  /** Marks the cells seen in a place, so that counting different ones needs no set. */
  readonly #stamps: Int32Array
  #stamp = 0
  #places: Places = { kinds: [], sentences: [], sentenceCount: 0 }

  constructor(table: TemplateCells) {
    this.#table = table
    this.#stamps = new Int32Array(table.numbers)
    this.#weights = new Uint8Array(table.numbers)
    this.#weights[HOLE] = evidence.HOLE_WEIGHT
    this.#weights[EMPTY] = evidence.EMPTY_WEIGHT
    for (let w = 0; w < table.shapes.length; w++) {
      this.#weights[FIRST_WORD + w] = evidence.WEIGHTS[table.shapes[w]!]!
    }
  }

  split(family: number[]): Group[] {
    if (family.length === 1) return [{ members: family, varying: [] }]
    this.#places = placesOf(this.#table, family[0]!)
    const { kinds, sentenceCount } = this.#places
    const candidates: number[] = []
    for (let place = 0; place < kinds.length; place++) if (kinds[place]! > 0) candidates.push(place)
    const sentences = new Array<number>(sentenceCount).fill(0)
    const groups: Group[] = []
    this.#part(family, candidates, { words: 0, keys: 0, holes: 0, sentences }, 0, groups)
    return groups
  }

  /** Words found to be values count for more from now on. Returns whether a template has one that counted for less. */
  learn(families: readonly Group[][]): (t: number) => boolean {
    const raised = new Uint8Array(this.#weights.length)
    for (const groups of families) for (const group of groups) this.#learnFrom(group, raised)
    const { offsets, cells } = this.#table
    return (t) => {
      for (let i = offsets[t]!; i < offsets[t + 1]!; i++) if (raised[cells[i]!] === 1) return true
      return false
    }
  }

  #learnFrom({ members, varying }: Group, raised: Uint8Array): void {
    for (const place of varying) {
      for (const t of members) {
        const cell = this.#cell(t, place)
        if (cell < FIRST_WORD || this.#weights[cell]! >= evidence.KNOWN_VALUE_WEIGHT) continue
        this.#weights[cell] = evidence.KNOWN_VALUE_WEIGHT
        raised[cell] = 1
      }
    }
  }

  #part(members: number[], candidates: readonly number[], outer: Context, depth: number, groups: Group[]): void {
    if (members.length === 1) {
      groups.push({ members, varying: [] })
      return
    }
    const { words, keys, holes } = outer
    const context = { words, keys, holes, sentences: outer.sentences.slice() }
    const varying: number[] = []
    const found: number[] = []
    for (const place of candidates) {
      const sum = this.#evidenceAt(place, members)
      if (sum === 0) this.#share(place, members[0]!, context)
      else {
        varying.push(place)
        found.push(sum)
      }
    }
    const few: number[] = []
    for (let v = 0; v < varying.length; v++) {
      if (found[v]! < ENOUGH || this.#places.kinds[varying[v]!] === TELLING_SLOT) few.push(varying[v]!)
    }
    if (few.length === 0 && this.#hangsTogether(varying, found, context)) {
      groups.push({ members, varying })
      return
    }
    const by = this.#constantPlaces(few, varying, found)
    for (const part of this.#partsBy(depth < MAX_DEPTH ? by : varying, members)) {
      this.#part(part, varying, context, depth + 1, groups)
    }
  }

  /** 0 when all members have the same there. */
  #evidenceAt(place: number, members: readonly number[]): number {
    const { offsets, cells } = this.#table
    const stamp = ++this.#stamp
    let different = 0
    let loud = 0
    let sum = 0
    for (let m = 0; m < members.length; m++) {
      const cell = cells[offsets[members[m]!]! + place]!
      if (this.#stamps[cell] === stamp) continue
      this.#stamps[cell] = stamp
      different++
      sum += this.#weights[cell]!
      if (this.#weights[cell] === LOUD_WEIGHT) loud++
    }
    if (different === 1) return 0
    // Among other words a loud one is a word like them.
    if (2 * loud < different) sum += loud * (PLAIN_WEIGHT - LOUD_WEIGHT)
    return this.#places.kinds[place] === KEY ? (sum * KEY_FACTOR) / 100 : sum
  }

  #share(place: number, t: number, context: Context): void {
    const cell = this.#cell(t, place)
    if (cell === HOLE) context.holes = 1
    if (cell < FIRST_WORD) return
    context.words++
    const kind = this.#places.kinds[place]
    if (kind === KEY) context.keys++
    else if (kind === FREE) context.sentences[this.#places.sentences[place]!]!++
  }

  /** What to split by: slots only when nothing else is left, because the words around them decide about them. */
  #constantPlaces(few: number[], varying: readonly number[], found: readonly number[]): number[] {
    const free = few.filter((place) => this.#places.kinds[place] !== SLOT)
    if (free.length > 0) return free
    return few.length > 0 ? few : [varying[found.indexOf(Math.min(...found))]!]
  }

  /** Whether there are words around what varies, and no two neighbours vary: sentences do that, values do not. */
  #hangsTogether(varying: readonly number[], found: readonly number[], context: Context): boolean {
    const { kinds, sentences } = this.#places
    let free = 0
    for (let v = 0; v < varying.length; v++) {
      const place = varying[v]!
      const isSlot = kinds[place] === SLOT
      const words = isSlot ? context.words : wordsAround(context, sentences[place]!)
      if (words === 0) return false
      const isLonely = words + context.holes < evidence.CONTEXT_WORDS
      if (isLonely && found[v]! < evidence.ENOUGH_WITHOUT_CONTEXT) return false
      if (isSlot) continue
      free++
      if (v > 0 && varying[v - 1] === place - 1 && kinds[place - 1] !== SLOT) return false
    }
    return free <= context.words - context.keys
  }

  #partsBy(places: readonly number[], members: readonly number[]): number[][] {
    const parts = new Map<number, number[]>()
    for (const t of members) {
      let a = SEED_A
      let b = SEED_B
      for (const place of places) {
        const cell = this.#cell(t, place)
        a = mix(a, cell)
        b = mix(b, ~cell)
      }
      const key = (a >>> 0) * 2 ** 20 + (b >>> 12)
      const part = parts.get(key)
      if (part === undefined) parts.set(key, [t])
      else part.push(t)
    }
    return [...parts.values()]
  }

  #cell(t: number, place: number): number {
    return this.#table.cells[this.#table.offsets[t]! + place]!
  }
}

/** Words in the same sentence. A line of values alone is held together by what is quoted in it. */
function wordsAround({ sentences, holes }: Context, sentence: number): number {
  const own = sentences[sentence]!
  return own === 0 && sentence === 0 && holes > 0 ? sentences.reduce((sum, words) => sum + words) : own
}
