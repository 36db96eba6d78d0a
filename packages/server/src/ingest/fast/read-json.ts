import { CLOSE_BRACE, COLON, COMMA, OPEN_BRACE, QUOTE, SPACE } from '../../bytes/json-bytes.ts'
import type { FastRecord } from './fast-record.ts'
import {
  ATTRIBUTE,
  ATTRIBUTES,
  FIELD,
  IGNORED,
  isAt,
  type Name,
  type Names,
  type Place,
  TOP,
  UNUSUAL,
} from './names.ts'
import { walkNumber } from './walk-number.ts'
import { walkName } from './walk-text.ts'

/** Objects inside each other; deeper ones are read the plain way. */
const MAX_FAST_DEPTH = 4

const LOWER_T = 0x74
const LOWER_F = 0x66
const LOWER_N = 0x6e

/** Walks over one JSON object on one line, once, and notes in the record where things are. */
export class JsonReader {
  /** Values of the object that was read last, as the JSON scan counts them. */
  values = 0

  readonly #names: Names
  readonly #record: FastRecord
  readonly #around: Place[] = new Array(MAX_FAST_DEPTH).fill(TOP)

  constructor(names: Names, record: FastRecord) {
    this.#names = names
    this.#record = record
  }

  /** Where the object ends that begins at `start`; 0 when there is something unusual about it. */
  read(bytes: Uint8Array, start: number): number {
    if (bytes[start] !== OPEN_BRACE) return 0
    const names = this.#names
    const number = names.nextRecord()
    this.#record.begin(bytes, start, number)
    let values = 1
    let place = TOP
    let depth = 0
    let before = names.start
    let at = start + 1
    for (;;) {
      at = skipSpaces(bytes, at)
      if (bytes[at] !== QUOTE) return 0
      const name = this.#nameAt(before, place, bytes, at + 1)
      if (name.kind === UNUSUAL || name.seenIn === number) return 0
      name.seenIn = number
      before = name
      at = skipSpaces(bytes, at + name.bytes.length + 2)
      if (bytes[at] !== COLON) return 0
      at = skipSpaces(bytes, at + 1)
      if (bytes[at] === OPEN_BRACE) {
        if (name.inside === null || depth === MAX_FAST_DEPTH) return 0
        values++
        this.#around[depth++] = place
        place = name.inside
        at = skipSpaces(bytes, at + 1)
        if (bytes[at] !== CLOSE_BRACE) continue
        // An empty object is an attribute, unless it is the one for attributes.
        if (name.kind !== ATTRIBUTES) return 0
      } else {
        at = this.#addValue(name, bytes, at)
        if (at === 0) return 0
        at = skipSpaces(bytes, at)
      }
      while (bytes[at] === CLOSE_BRACE) {
        at++
        if (depth === 0) {
          this.values = values
          return this.#record.isWhole(start, at) ? at : 0
        }
        place = this.#around[--depth]!
        at = skipSpaces(bytes, at)
      }
      if (bytes[at] !== COMMA) return 0
      values++
      at++
    }
  }

  /** Records of a service have the same names in the same order, so the one that came next last time is tried first. */
  #nameAt(before: Name, place: Place, bytes: Uint8Array, start: number): Name {
    const expected = before.next
    if (expected.place === place && isAt(expected, bytes, start) && bytes[start + expected.bytes.length] === QUOTE) {
      return expected
    }
    const name = this.#names.find(place, bytes, start)
    before.next = name
    return name
  }

  /** Where the value ends; 0 when it is unusual. */
  #addValue(name: Name, bytes: Uint8Array, at: number): number {
    const record = this.#record
    const first = bytes[at]!
    if (first === QUOTE) {
      const end = this.#addText(name, bytes, at + 1)
      return end === 0 ? 0 : end + 1
    }
    if (first === LOWER_T || first === LOWER_F || first === LOWER_N) return this.#addConstant(name, bytes, at, first)
    const end = walkNumber(bytes, at)
    if (end === 0 || name.kind === IGNORED) return end
    if (name.kind === FIELD) return record.addFieldNumber(name, at, end)
    return name.kind === ATTRIBUTE && record.addAttribute(name.key, at, end) ? end : 0
  }

  #addText(name: Name, bytes: Uint8Array, start: number): number {
    if (name.kind === FIELD) return this.#record.addField(name, start)
    if (name.kind === ATTRIBUTE) return this.#record.addAttributeText(name.key, start)
    return name.kind === IGNORED ? walkName(bytes, start, this.#record.limit) : 0
  }

  #addConstant(name: Name, bytes: Uint8Array, at: number, first: number): number {
    const word = first === LOWER_T ? TRUE : first === LOWER_F ? FALSE : NULL
    for (let index = 1; index < word.length; index++) if (bytes[at + index] !== word[index]) return 0
    const end = at + word.length
    // A field that is null counts as not sent.
    if (name.kind === IGNORED || (name.kind === FIELD && word === NULL)) return end
    return name.kind === ATTRIBUTE && this.#record.addAttribute(name.key, at, end) ? end : 0
  }
}

const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')
const NULL = Buffer.from('null')

/** A line break is not skipped, because it ends a line. */
function skipSpaces(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] === SPACE) at++
  return at
}
