import { isCardValue } from '../../redaction/card-number.ts'
import { nanoHalvesToUs } from '../record/timestamp.ts'
import type { FastRecord } from './fast-record.ts'
import { ATTRIBUTE, FIELD, IN_ATTRIBUTES, isAt, type Name, type Names, UNUSUAL } from './names.ts'

export const VARINT = 0
export const FIXED64 = 1
export const BYTES = 2
export const FIXED32 = 5
export const tag = (field: number, wire: number): number => field * 8 + wire

const PAIR_KEY = tag(1, BYTES)
const PAIR_VALUE = tag(2, BYTES)
export const TEXT_VALUE = tag(1, BYTES)
const BOOLEAN_VALUE = tag(2, VARINT)
const INTEGER_VALUE = tag(3, VARINT)
const DOUBLE_VALUE = tag(4, FIXED64)

/** A varint has seven bits in each byte; a double holds the 49 bits of this many bytes exactly. */
const MAX_INTEGER_BYTES = 7

/** Reads the parts of OTLP messages: pairs of a key and a value, the same in a record, a scope and a resource. */
export class OtlpPairs {
  /** Where the part begins that was entered last. */
  at = 0

  readonly #names: Names
  #bytes: Uint8Array = new Uint8Array()
  #view: DataView = new DataView(new ArrayBuffer(0))
  #before: Name

  constructor(names: Names) {
    this.#names = names
    this.#before = names.start
  }

  /** Before the first pair of a record. */
  begin(bytes: Uint8Array): void {
    this.#before = this.#names.start
    if (bytes === this.#bytes) return
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  /** A key and its value as an attribute, or as the field that the key names; false when they are unusual. */
  add(record: FastRecord, start: number, end: number): boolean {
    const bytes = this.#bytes
    const keyEnd = bytes[start] === PAIR_KEY ? this.enter(start + 1, end) : 0
    if (keyEnd === 0) return false
    const name = this.#nameBetween(this.at, keyEnd)
    if (name.kind === UNUSUAL || bytes[keyEnd] !== PAIR_VALUE || this.enter(keyEnd + 1, end) !== end) return false
    this.#before = name
    const at = this.at
    if (at >= end) return false
    if (bytes[at] !== TEXT_VALUE) return name.kind === ATTRIBUTE && this.#addScalar(record, name, at, end)
    if (this.enter(at + 1, end) !== end) return false
    if (name.kind === FIELD) return record.addFieldBetween(name, this.at, end)
    return name.kind === ATTRIBUTE && record.addAttributeBetween(name.key, this.at, end)
  }

  /** Records of a service have the same names in the same order, so the one that came next last time is tried first. */
  #nameBetween(start: number, end: number): Name {
    const before = this.#before
    const expected = before.next
    const isLikely = expected.place === IN_ATTRIBUTES && expected.bytes.length === end - start
    if (isLikely && isAt(expected, this.#bytes, start)) return expected
    const name = this.#names.findBetween(IN_ATTRIBUTES, this.#bytes, start, end)
    before.next = name
    return name
  }

  #addScalar(record: FastRecord, { key }: Extract<Name, { kind: typeof ATTRIBUTE }>, at: number, end: number): boolean {
    const { made } = record
    const from = this.#makeScalar(record, at, end)
    return from !== 0 && record.addAttribute(key, from, made.end)
  }

  #makeScalar({ made }: FastRecord, at: number, end: number): number {
    const kind = this.#bytes[at]!
    if (kind === INTEGER_VALUE) {
      const value = this.#integer(at + 1, end)
      return value === -1 || isCardValue(value) ? 0 : made.integer(value)
    }
    if (kind === DOUBLE_VALUE && end - at === 9) {
      const value = this.#view.getFloat64(at + 1, true)
      return Number.isFinite(value) && !isCardValue(value) ? made.ascii(String(value)) : 0
    }
    if (kind !== BOOLEAN_VALUE || end - at !== 2) return 0
    const said = this.#bytes[at + 1]!
    return said > 1 ? 0 : made.ascii(said === 1 ? 'true' : 'false')
  }

  /** -1 for a negative one, for one that a double may not hold, and for anything but one integer. */
  #integer(start: number, end: number): number {
    if (end - start > MAX_INTEGER_BYTES) return -1
    let value = 0
    let scale = 1
    for (let at = start; at < end; at++) {
      const byte = this.#bytes[at]!
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return at + 1 === end ? value : -1
      scale *= 0x80
    }
    return -1
  }

  /** Where the part ends whose length stands at `from`; 0 when that is not before `limit`. */
  enter(from: number, limit: number): number {
    let length = 0
    let at = from
    for (let shift = 0; shift < 21; shift += 7) {
      if (at >= limit) return 0
      const byte = this.#bytes[at++]!
      length |= (byte & 0x7f) << shift
      if (byte < 0x80) {
        this.at = at
        return length > limit - at ? 0 : at + length
      }
    }
    return 0
  }

  /** The time in the eight bytes at `start`. */
  nanosAsUs(start: number): number {
    return nanoHalvesToUs(this.#view.getUint32(start + 4, true), this.#view.getUint32(start, true))
  }
}
