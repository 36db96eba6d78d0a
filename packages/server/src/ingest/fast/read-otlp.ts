/**
 * Walks over one OTLP log record in protobuf, once, and notes where things are. Field numbers are those of
 * opentelemetry-proto. It says yes only to what exporters write: each field in its usual form, values that are texts,
 * numbers or booleans. What its scope and its resource say is read once for all records of a group.
 */
import { LEVEL_NUMBER } from '../../model/level.ts'
import { SCOPE_VERSION, SLOT_NUMBER } from '../record/aliases.ts'
import { levelOfSeverityNumber } from '../record/level.ts'
import type { OtlpPlaces } from '../record/record-sink.ts'
import { nanoHalvesToUs } from '../record/timestamp.ts'
import { type FastRecord, MAX_FAST_BYTES } from './fast-record.ts'
import { levelOfBytes } from './level-words.ts'
import { ATTRIBUTE, FIELD, IN_ATTRIBUTES, isAt, type Name, type Names, UNUSUAL } from './names.ts'

const { message: MESSAGE, logger: LOGGER, traceId: TRACE_ID, spanId: SPAN_ID } = SLOT_NUMBER

const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const FIXED32 = 5
const tag = (field: number, wire: number): number => field * 8 + wire

const RECORD_TIME = tag(1, FIXED64)
const RECORD_SEVERITY_NUMBER = tag(2, VARINT)
const RECORD_SEVERITY_TEXT = tag(3, BYTES)
const RECORD_BODY = tag(5, BYTES)
const RECORD_ATTRIBUTE = tag(6, BYTES)
const RECORD_FLAGS = tag(8, FIXED32)
const RECORD_TRACE_ID = tag(9, BYTES)
const RECORD_SPAN_ID = tag(10, BYTES)
const RECORD_OBSERVED_TIME = tag(11, FIXED64)
const RESOURCE_ATTRIBUTE = tag(1, BYTES)
const SCOPE_NAME = tag(1, BYTES)
const SCOPE_VERSION_TEXT = tag(2, BYTES)
const SCOPE_ATTRIBUTE = tag(3, BYTES)
const PAIR_KEY = tag(1, BYTES)
const PAIR_VALUE = tag(2, BYTES)
const TEXT_VALUE = tag(1, BYTES)
const BOOLEAN_VALUE = tag(2, VARINT)
const INTEGER_VALUE = tag(3, VARINT)
const DOUBLE_VALUE = tag(4, FIXED64)

/** A double holds seven bits of so many bytes to the digit. */
const MAX_INTEGER_BYTES = 7
const MAX_ID_BYTES = 32

export class OtlpReader {
  /** Values of the record that was read last, as the plain path counts them. */
  values = 0

  readonly #names: Names
  readonly #record: FastRecord
  /** What the scope and the resource of a group say. */
  readonly #common: FastRecord
  #bytes: Uint8Array = new Uint8Array()
  #view: DataView = new DataView(new ArrayBuffer(0))
  #places: OtlpPlaces = { resource: [], scope: [] }
  #isCommonUsual = false
  /** As often had names been forgotten when it was read; 0 when it was not. */
  #commonReadAfter = 0
  #commonBytes = 0
  #commonMadeBytes = 0
  #before: Name
  /** Where the part begins that was entered last. */
  #at = 0

  constructor(names: Names, record: FastRecord, common: FastRecord) {
    this.#names = names
    this.#record = record
    this.#common = common
    this.#before = names.start
  }

  beginGroup(bytes: Uint8Array, places: OtlpPlaces): void {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    }
    this.#places = places
    this.#commonReadAfter = 0
  }

  /** False when there is something unusual about the record. */
  read(start: number, end: number): boolean {
    const names = this.#names
    let number = names.nextRecord()
    if (this.#commonReadAfter !== names.timesForgotten) {
      this.#readCommon(number)
      number = names.nextRecord()
    }
    if (!this.#isCommonUsual || this.#commonReadAfter !== names.timesForgotten) return false
    const record = this.#record
    record.made.length = this.#commonMadeBytes
    record.begin(this.#bytes, start, number)
    this.#before = names.start
    this.values = 0
    return this.#readFields(start, end) && record.addAll(this.#common) && record.isWhole(start, end, this.#commonBytes)
  }

  #readFields(start: number, end: number): boolean {
    const bytes = this.#bytes
    const record = this.#record
    let timeUs = 0
    let observedUs = 0
    let severity = 0
    let wordStart = 0
    let wordEnd = 0
    let at = start
    while (at < end) {
      const field = bytes[at]!
      if (field === RECORD_TIME || field === RECORD_OBSERVED_TIME) {
        if (end - at <= 8) return false
        const us = nanoHalvesToUs(this.#view.getUint32(at + 5, true), this.#view.getUint32(at + 1, true))
        if (field === RECORD_TIME) timeUs = us
        else observedUs = us
        at += 9
      } else if (field === RECORD_SEVERITY_NUMBER) {
        severity = bytes[at + 1]!
        // Errors have a fingerprint, which the plain path makes: the sooner it is left to it the better.
        if (severity >= FIRST_ERROR_SEVERITY) return false
        at += 2
      } else if (field === RECORD_FLAGS) {
        at += 5
      } else {
        const partEnd = this.#enter(at + 1, end)
        if (partEnd === 0) return false
        if (field === RECORD_SEVERITY_TEXT) {
          wordStart = this.#at
          wordEnd = partEnd
        } else if (!this.#addPart(field, this.#at, partEnd)) return false
        at = partEnd
      }
    }
    if (at !== end || !this.#addLevel(severity, wordStart, wordEnd)) return false
    const knownUs = timeUs > 0 ? timeUs : observedUs
    return knownUs === 0 || record.setTime(knownUs)
  }

  #addPart(field: number, start: number, end: number): boolean {
    if (field === RECORD_ATTRIBUTE) {
      this.values++
      return this.#addPair(this.#record, start, end)
    }
    if (field === RECORD_BODY) return this.#addBody(start, end)
    if (field === RECORD_TRACE_ID) return this.#addId(TRACE_ID, start, end)
    return field === RECORD_SPAN_ID && this.#addId(SPAN_ID, start, end)
  }

  #addBody(start: number, end: number): boolean {
    this.values++
    if (this.#bytes[start] !== TEXT_VALUE || this.#enter(start + 1, end) !== end) return false
    return this.#at < end && this.#record.addSlotBetween(MESSAGE, this.#at, end)
  }

  #addId(slot: number, start: number, end: number): boolean {
    const { made, ends } = this.#record
    // One of zeros only means none, which is for the plain path to say.
    if (start === end) return ends[slot] === 0
    if (this.#bytes[start] === 0 || end - start > MAX_ID_BYTES) return false
    const from = made.hex(this.#bytes, start, end)
    return from !== 0 && this.#record.setField(slot, from, made.end)
  }

  /** The number decides; a text that says something else is kept by the plain path. */
  #addLevel(severity: number, start: number, end: number): boolean {
    const byNumber = LEVEL_OF_SEVERITY[severity]!
    if (start === end) return byNumber === 0 || this.#record.setLevel(byNumber)
    const byText = levelOfBytes(this.#bytes, start, end)
    return byText !== 0 && (byNumber === 0 || byNumber === byText) && this.#record.setLevel(byText)
  }

  #readCommon(number: number): void {
    const { resource, scope } = this.#places
    const common = this.#common
    this.#commonReadAfter = this.#names.timesForgotten
    this.#before = this.#names.start
    common.made.length = 0
    common.begin(this.#bytes, 0, number)
    this.#commonBytes = 0
    for (const part of [...scope, ...resource]) this.#commonBytes += part.end - part.start
    this.#isCommonUsual =
      this.#commonBytes <= MAX_FAST_BYTES &&
      scope.every(({ start, end }) => this.#readScope(start, end)) &&
      resource.every(({ start, end }) => this.#readPairs(RESOURCE_ATTRIBUTE, start, end)) &&
      // A message that is not the record's own.
      common.ends[MESSAGE] === 0 &&
      !common.hasSecret()
    this.#commonMadeBytes = common.made.length
  }

  #readScope(start: number, end: number): boolean {
    const bytes = this.#bytes
    const common = this.#common
    let at = start
    for (let field = bytes[at]!; at < end && field !== SCOPE_ATTRIBUTE; field = bytes[at]!) {
      const partEnd = this.#enter(at + 1, end)
      // Behind an attribute, or empty: of a second scope, which may take back what the first said.
      if (partEnd === 0 || partEnd === this.#at || common.attributes > 0) return false
      if (field === SCOPE_NAME) {
        if (!common.addSlotBetween(LOGGER, this.#at, partEnd)) return false
      } else {
        const { key } = this.#names.findBetween(IN_ATTRIBUTES, VERSION_KEY, 0, VERSION_KEY.length)
        if (field !== SCOPE_VERSION_TEXT || key === null) return false
        if (!common.addAttributeBetween(key, this.#at, partEnd)) return false
      }
      at = partEnd
    }
    return this.#readPairs(SCOPE_ATTRIBUTE, at, end)
  }

  /** A message of nothing but attributes under one tag. */
  #readPairs(field: number, start: number, end: number): boolean {
    let at = start
    while (at < end) {
      const partEnd = this.#bytes[at] === field ? this.#enter(at + 1, end) : 0
      if (partEnd === 0 || !this.#addPair(this.#common, this.#at, partEnd)) return false
      at = partEnd
    }
    return true
  }

  #addPair(record: FastRecord, start: number, end: number): boolean {
    const bytes = this.#bytes
    const keyEnd = bytes[start] === PAIR_KEY ? this.#enter(start + 1, end) : 0
    if (keyEnd === 0) return false
    const name = this.#nameBetween(this.#at, keyEnd)
    if (name.kind === UNUSUAL || bytes[keyEnd] !== PAIR_VALUE || this.#enter(keyEnd + 1, end) !== end) return false
    this.#before = name
    const at = this.#at
    if (at >= end) return false
    if (bytes[at] !== TEXT_VALUE) return name.kind === ATTRIBUTE && this.#addScalar(record, name, at, end)
    if (this.#enter(at + 1, end) !== end) return false
    if (name.kind === FIELD) return record.addFieldBetween(name, this.#at, end)
    return name.kind === ATTRIBUTE && record.addAttributeBetween(name.key, this.#at, end)
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
      return value === -1 ? 0 : made.integer(value)
    }
    if (kind === DOUBLE_VALUE && end - at === 9) {
      const value = this.#view.getFloat64(at + 1, true)
      return Number.isFinite(value) ? made.ascii(String(value)) : 0
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
  #enter(from: number, limit: number): number {
    let length = 0
    let at = from
    for (let shift = 0; shift < 21; shift += 7) {
      if (at >= limit) return 0
      const byte = this.#bytes[at++]!
      length |= (byte & 0x7f) << shift
      if (byte < 0x80) {
        this.#at = at
        return length > limit - at ? 0 : at + length
      }
    }
    return 0
  }
}

const VERSION_KEY = new Uint8Array(Buffer.from(SCOPE_VERSION))

/** 0 where the number says nothing. */
const LEVEL_OF_SEVERITY = Uint8Array.from({ length: 256 }, (_, severity) => {
  const level = levelOfSeverityNumber(severity)
  return level === null ? 0 : LEVEL_NUMBER[level]
})
/** Those above the last are left too: a number of two bytes looks like that. */
const FIRST_ERROR_SEVERITY = LEVEL_OF_SEVERITY.indexOf(LEVEL_NUMBER.error)
