/**
 * Walks over one OTLP log record in JSON, once, and notes where things are. Like the one for protobuf it says yes only to
 * what exporters write; the fields may come in any order, each once.
 */
import { CLOSE_BRACE, COLON, OPEN_BRACE, QUOTE } from '../../bytes/json-bytes.ts'
import { quotedName } from '../../bytes/json-cursor.ts'
import { SCOPE_VERSION, SLOT_NUMBER } from '../record/aliases.ts'
import type { OtlpJsonPlaces, Span } from '../record/record-sink.ts'
import type { FastRecord } from './fast-record.ts'
import { IN_ATTRIBUTES, type Names } from './names.ts'
import { OtlpCommon } from './otlp-common.ts'
import { OtlpJsonPairs } from './otlp-json-pairs.ts'
import { FIRST_ERROR_SEVERITY, setOtlpLevel } from './otlp-level.ts'
import { walkNumber } from './walk-number.ts'
import { walkName } from './walk-text.ts'

const { message: MESSAGE, logger: LOGGER, traceId: TRACE_ID, spanId: SPAN_ID } = SLOT_NUMBER

const FIELDS = [
  'timeUnixNano',
  'observedTimeUnixNano',
  'severityNumber',
  'severityText',
  'body',
  'attributes',
  'droppedAttributesCount',
  'flags',
  'traceId',
  'spanId',
  'eventName',
] as const
const FIELD_NAMES = FIELDS.map(quotedName)
const NO_FIELD: number = FIELDS.length

const ATTRIBUTES = quotedName('attributes')
const DROPPED = quotedName('droppedAttributesCount')
const NAME = quotedName('name')
const VERSION = quotedName('version')
const VERSION_KEY = new Uint8Array(Buffer.from(SCOPE_VERSION))

export class OtlpJsonReader {
  readonly #names: Names
  readonly #pairs: OtlpJsonPairs
  readonly #record: FastRecord
  readonly #common: OtlpCommon
  #bytes: Uint8Array = new Uint8Array()
  #places: OtlpJsonPlaces = { resource: null, scope: null }
  /** Which field followed each one the last time; for the last field, which came first. */
  readonly #following = Uint8Array.from({ length: FIELDS.length + 1 }, (_, field) => (field + 1) % (FIELDS.length + 1))

  constructor(names: Names, record: FastRecord, common: FastRecord, resource: FastRecord) {
    this.#names = names
    this.#record = record
    this.#common = new OtlpCommon(names, common, resource, {
      scope: (into) => this.#readScope(into, this.#places.scope),
      resource: (into) => this.#readResource(into, this.#places.resource),
    })
    this.#pairs = new OtlpJsonPairs(names)
  }

  /** Values of the record that was read last, as the JSON scan counts them. */
  get values(): number {
    return this.#pairs.values
  }

  beginGroup(bytes: Uint8Array, places: OtlpJsonPlaces): void {
    this.#bytes = bytes
    this.#places = places
    this.#common.begin(bytes, sizeOf(places.resource) + sizeOf(places.scope), places.resource)
  }

  /** Where the record ends that begins at `start`; 0 when there is something unusual about it. */
  read(start: number): number {
    const common = this.#common
    const record = this.#record
    const pairs = this.#pairs
    const number = common.nextRecord()
    if (number === 0) return 0
    record.begin(this.#bytes, start, number)
    pairs.begin(this.#bytes, start)
    const isUsual =
      this.#readFields(record) && record.addAll(common.record) && record.isWhole(start, pairs.at, common.bytes)
    return isUsual ? pairs.at : 0
  }

  #readFields(record: FastRecord): boolean {
    const pairs = this.#pairs
    let [timeUs, observedUs, severity, wordStart, wordEnd] = [0, 0, 0, 0, 0]
    let seen = 0
    let before = NO_FIELD
    if (!pairs.open(OPEN_BRACE)) return false
    for (;;) {
      if (!pairs.take(QUOTE)) return false
      const field = this.#fieldBehind(before)
      if (field === NO_FIELD || (seen & (1 << field)) !== 0 || !pairs.take(COLON)) return false
      seen |= 1 << field
      before = field
      switch (FIELDS[field]) {
        case 'timeUnixNano':
          timeUs = this.#nanosAsUs()
          if (timeUs === -1) return false
          break
        case 'observedTimeUnixNano':
          observedUs = this.#nanosAsUs()
          if (observedUs === -1) return false
          break
        case 'severityNumber':
          severity = this.#shortNumber()
          // Errors have a fingerprint, which the plain path makes: the sooner it is left to it the better.
          if (severity === -1 || severity >= FIRST_ERROR_SEVERITY) return false
          break
        case 'severityText':
          wordEnd = this.#endOfText()
          if (wordEnd === 0) return false
          wordStart = pairs.at
          pairs.at = wordEnd + 1
          break
        default:
          if (!this.#readPart(FIELDS[field]!, record)) return false
      }
      const goesOn = pairs.goesOn(CLOSE_BRACE)
      if (goesOn === null) return false
      if (!goesOn) break
    }
    const knownUs = timeUs > 0 ? timeUs : observedUs
    return setOtlpLevel(record, severity, wordStart, wordEnd) && (knownUs === 0 || record.setTime(knownUs))
  }

  #readPart(field: (typeof FIELDS)[number], record: FastRecord): boolean {
    const pairs = this.#pairs
    switch (field) {
      case 'body':
        return this.#addBody(record)
      case 'attributes':
        return pairs.addList(record)
      case 'traceId':
        return this.#addId(record, TRACE_ID)
      case 'spanId':
        return this.#addId(record, SPAN_ID)
      case 'flags':
        pairs.peek()
        pairs.at = walkNumber(this.#bytes, pairs.at)
        return pairs.at !== 0
      case 'droppedAttributesCount':
        return this.#shortNumber() === 0
      // An empty name says nothing.
      default:
        return pairs.take(QUOTE) && this.#bytes[pairs.at++] === QUOTE
    }
  }

  /** The one that came there last time is tried first. */
  #fieldBehind(before: number): number {
    const expected = this.#following[before]!
    if (expected !== NO_FIELD && this.#pairs.takeBytes(FIELD_NAMES[expected]!)) return expected
    for (let field = 0; field < FIELD_NAMES.length; field++) {
      if (!this.#pairs.takeBytes(FIELD_NAMES[field]!)) continue
      this.#following[before] = field
      return field
    }
    return NO_FIELD
  }

  #addBody(record: FastRecord): boolean {
    const pairs = this.#pairs
    if (!pairs.enterText() || this.#bytes[pairs.at] === QUOTE) return false
    const end = record.addSlot(MESSAGE, pairs.at)
    pairs.at = end + 1
    return end !== 0 && pairs.take(CLOSE_BRACE)
  }

  /** Small letters, as everybody writes them. One of zeros only means none, which is for the plain path to say. */
  #addId(record: FastRecord, slot: number): boolean {
    const pairs = this.#pairs
    const bytes = this.#bytes
    if (!pairs.take(QUOTE)) return false
    const start = pairs.at
    let at = start
    let isZero = true
    for (; IS_LOWER_HEX[bytes[at]!]; at++) if (bytes[at] !== ZERO) isZero = false
    if (bytes[at] !== QUOTE) return false
    pairs.at = at + 1
    return at === start || (!isZero && record.setField(slot, start, at))
  }

  /** Nanoseconds as a text of digits; 0 for none, -1 for anything unusual. */
  #nanosAsUs(): number {
    const pairs = this.#pairs
    const bytes = this.#bytes
    if (!pairs.take(QUOTE)) return -1
    const start = pairs.at
    let end = start
    while (bytes[end]! >= ZERO && bytes[end]! <= NINE) end++
    pairs.at = end + 1
    if (bytes[end] !== QUOTE) return -1
    if (bytes[start] === ZERO) return end === start + 1 ? 0 : -1
    if (end - start < FEWEST_NANO_DIGITS || end - start > MOST_NANO_DIGITS) return -1
    let us = 0
    for (let at = start; at < end - 3; at++) us = us * 10 + bytes[at]! - ZERO
    return us > Number.MAX_SAFE_INTEGER ? -1 : us
  }

  /** A whole number of one or two digits; -1 for others. */
  #shortNumber(): number {
    const pairs = this.#pairs
    const first = pairs.peek()
    const start = pairs.at
    const end = walkNumber(this.#bytes, start)
    pairs.at = end
    if (end === 0 || first < ZERO || end > start + 2) return -1
    return end === start + 1 ? first - ZERO : (first - ZERO) * 10 + this.#bytes[start + 1]! - ZERO
  }

  /** Of the text that begins here; 0 when it is unusual. */
  #endOfText(): number {
    return this.#pairs.take(QUOTE) ? walkName(this.#bytes, this.#pairs.at, this.#record.limit) : 0
  }

  #readResource(common: FastRecord, place: Span | null): boolean {
    const pairs = this.#pairs
    if (place === null || !this.#enter(common, place)) return place === null
    if (pairs.take(CLOSE_BRACE)) return true
    if (!pairs.takeName(ATTRIBUTES) || !pairs.addList(common)) return false
    return this.#isDroppedNone()
  }

  /** The name, the version and the attributes in this order, each where there is one. */
  #readScope(common: FastRecord, place: Span | null): boolean {
    const pairs = this.#pairs
    if (place === null || !this.#enter(common, place)) return place === null
    if (pairs.take(CLOSE_BRACE)) return true
    if (!pairs.take(QUOTE)) return false
    if (pairs.takeBytes(NAME)) {
      if (!pairs.take(COLON) || !pairs.take(QUOTE)) return false
      const end = this.#bytes[pairs.at] === QUOTE ? pairs.at : common.addSlot(LOGGER, pairs.at)
      pairs.at = end + 1
      if (end === 0) return false
      const goesOn = pairs.goesOn(CLOSE_BRACE)
      if (goesOn !== true) return goesOn === false
      if (!pairs.take(QUOTE)) return false
    }
    if (pairs.takeBytes(VERSION)) {
      if (!pairs.take(COLON) || !pairs.take(QUOTE) || !this.#addVersion(common)) return false
      const goesOn = pairs.goesOn(CLOSE_BRACE)
      if (goesOn !== true) return goesOn === false
      if (!pairs.take(QUOTE)) return false
    }
    return pairs.takeBytes(ATTRIBUTES) && pairs.take(COLON) && pairs.addList(common) && this.#isDroppedNone()
  }

  #addVersion(common: FastRecord): boolean {
    const pairs = this.#pairs
    const { key } = this.#names.findBetween(IN_ATTRIBUTES, VERSION_KEY, 0, VERSION_KEY.length)
    if (key === null) return false
    const end = this.#bytes[pairs.at] === QUOTE ? pairs.at : common.addAttributeText(key, pairs.at)
    pairs.at = end + 1
    return end !== 0
  }

  /** At the end of the object, or before the count of attributes that the sender left out. */
  #isDroppedNone(): boolean {
    const pairs = this.#pairs
    const goesOn = pairs.goesOn(CLOSE_BRACE)
    if (goesOn !== true) return goesOn === false
    return pairs.takeName(DROPPED) && this.#shortNumber() !== -1 && pairs.take(CLOSE_BRACE)
  }

  #enter(common: FastRecord, { start, end }: Span): boolean {
    common.limit = end
    this.#pairs.begin(this.#bytes, start)
    return this.#pairs.open(OPEN_BRACE)
  }
}

const ZERO = 0x30
const NINE = 0x39
/** Fewer digits do not make a microsecond. */
const FEWEST_NANO_DIGITS = 4
const MOST_NANO_DIGITS = 19

const IS_LOWER_HEX = Uint8Array.from({ length: 256 }, (_, byte) => (/[0-9a-f]/.test(String.fromCharCode(byte)) ? 1 : 0))

function sizeOf(place: Span | null): number {
  return place === null ? 0 : place.end - place.start
}
