import { CLOSE_BRACE, CLOSE_BRACKET, COLON, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../../bytes/json-bytes.ts'
import { JsonCursor, quotedName } from '../../bytes/json-cursor.ts'
import { SLOT_NUMBER } from '../record/aliases.ts'
import type { FastRecord } from './fast-record.ts'
import { ATTRIBUTE, type AttributeKey, FIELD, IN_ATTRIBUTES, isAt, type Name, type Names, UNUSUAL } from './names.ts'
import { walkNumber } from './walk-number.ts'

const { time: TIME, level: LEVEL } = SLOT_NUMBER

const KEY = quotedName('key')
const VALUE = quotedName('value')
const TEXT_VALUE = quotedName('stringValue')
const INTEGER_VALUE = quotedName('intValue')
const BOOLEAN_VALUE = quotedName('boolValue')
const DOUBLE_VALUE = quotedName('doubleValue')
const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')
const POINT = 0x2e

/** Reads lists of pairs of OTLP in JSON, the same in a record, a scope and a resource. False for all that is unusual. */
export class OtlpJsonPairs extends JsonCursor {
  readonly #names: Names
  #before: Name

  constructor(names: Names) {
    super()
    this.#names = names
    this.#before = names.start
  }

  /** `[{"key":"…","value":{…}}, …]` into the record. */
  addList(record: FastRecord): boolean {
    if (!this.open(OPEN_BRACKET)) return false
    if (this.take(CLOSE_BRACKET)) return true
    this.#before = this.#names.start
    for (;;) {
      if (!this.#addPair(record)) return false
      const goesOn = this.goesOn(CLOSE_BRACKET)
      if (goesOn !== true) return goesOn === false
    }
  }

  /** After the first name of a value that is a text, and its quote. */
  enterText(): boolean {
    return this.open(OPEN_BRACE) && this.takeName(TEXT_VALUE) && this.take(QUOTE)
  }

  #addPair(record: FastRecord): boolean {
    if (!this.open(OPEN_BRACE) || !this.takeName(KEY) || !this.take(QUOTE)) return false
    const name = this.#nameHere()
    if (name.kind === UNUSUAL) return false
    this.#before = name
    this.at += name.bytes.length + 1
    if (this.goesOn(CLOSE_BRACE) !== true || !this.takeName(VALUE) || !this.open(OPEN_BRACE)) return false
    return this.#addValue(record, name) && this.take(CLOSE_BRACE) && this.take(CLOSE_BRACE)
  }

  /** Records of a service have the same names in the same order, so the one that came next last time is tried first. */
  #nameHere(): Name {
    const { bytes, at } = this
    const before = this.#before
    const expected = before.next
    const isLikely = expected.place === IN_ATTRIBUTES && bytes[at + expected.bytes.length] === QUOTE
    if (isLikely && isAt(expected, bytes, at)) return expected
    const name = this.#names.find(IN_ATTRIBUTES, bytes, at)
    before.next = name
    return name
  }

  #addValue(record: FastRecord, name: Name): boolean {
    if (!this.take(QUOTE)) return false
    if (this.takeBytes(TEXT_VALUE)) return this.take(COLON) && this.take(QUOTE) && this.#addText(record, name)
    if (name.kind !== ATTRIBUTE) return false
    const { key } = name
    if (this.takeBytes(INTEGER_VALUE)) return this.take(COLON) && this.#addInteger(record, key)
    if (this.takeBytes(DOUBLE_VALUE)) return this.take(COLON) && this.#addNumber(record, key)
    return this.takeBytes(BOOLEAN_VALUE) && this.take(COLON) && this.#addBoolean(record, key)
  }

  #addText(record: FastRecord, name: Name): boolean {
    let end = 0
    if (name.kind === ATTRIBUTE) end = record.addAttributeText(name.key, this.at)
    // The record has a time and a level of its own; what to do with a second one is for the plain path to say.
    else if (name.kind === FIELD && name.alias.slot !== TIME && name.alias.slot !== LEVEL) {
      end = record.addField(name, this.at)
    }
    this.at = end + 1
    return end !== 0
  }

  #addNumber(record: FastRecord, key: AttributeKey): boolean {
    this.peek()
    const start = this.at
    this.at = walkNumber(this.bytes, start)
    return this.at !== 0 && record.addAttribute(key, start, this.at)
  }

  /** Written as a text, which is read as a number when a double holds it. */
  #addInteger(record: FastRecord, key: AttributeKey): boolean {
    if (this.peek() !== QUOTE) return this.#addNumber(record, key)
    const start = this.at + 1
    const end = walkNumber(this.bytes, start)
    if (end === 0 || this.bytes[end] !== QUOTE) return false
    for (let at = start; at < end; at++) if (this.bytes[at] === POINT) return false
    this.at = end + 1
    return record.addAttribute(key, start, end)
  }

  #addBoolean(record: FastRecord, key: AttributeKey): boolean {
    const isTrue = this.peek() === TRUE[0]
    const start = this.at
    return this.takeBytes(isTrue ? TRUE : FALSE) && record.addAttribute(key, start, this.at)
  }
}
