/**
 * Walks over one OTLP log record in protobuf, once, and notes where things are. Field numbers are those of
 * opentelemetry-proto. It says yes only to what exporters write: each field in its usual form, values that are texts,
 * numbers or booleans. What its scope and its resource say is read once for all records of a group.
 */
import { SCOPE_VERSION, SLOT_NUMBER } from '../record/aliases.ts'
import { MAX_PLACES, type OtlpPlaces, type Span } from '../record/record-sink.ts'
import { type FastRecord, MAX_FAST_BYTES } from './fast-record.ts'
import { IN_ATTRIBUTES, type Names } from './names.ts'
import { OtlpCommon } from './otlp-common.ts'
import { FIRST_ERROR_SEVERITY, setOtlpLevel } from './otlp-level.ts'
import { BYTES, FIXED32, FIXED64, OtlpPairs, TEXT_VALUE, tag, VARINT } from './otlp-pairs.ts'

const { message: MESSAGE, logger: LOGGER, traceId: TRACE_ID, spanId: SPAN_ID } = SLOT_NUMBER

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
const MAX_ID_BYTES = 32

export class OtlpReader {
  /** Values of the record that was read last, as the plain path counts them. */
  values = 0

  readonly #names: Names
  readonly #pairs: OtlpPairs
  readonly #record: FastRecord
  readonly #common: OtlpCommon
  #bytes: Uint8Array = new Uint8Array()
  #places: OtlpPlaces = { resource: [], scope: [] }

  constructor(names: Names, record: FastRecord, common: FastRecord, resource: FastRecord) {
    this.#names = names
    this.#record = record
    this.#common = new OtlpCommon(names, common, resource, {
      scope: (into) => this.#readScopes(into),
      resource: (into) => this.#readResources(into),
    })
    this.#pairs = new OtlpPairs(names)
  }

  beginGroup(bytes: Uint8Array, places: OtlpPlaces): void {
    this.#bytes = bytes
    this.#places = places
    this.#common.begin(bytes, sizeOf(places.resource) + sizeOf(places.scope), places.resource)
  }

  /** False when there is something unusual about the record. */
  read(start: number, end: number): boolean {
    if (end - start > MAX_FAST_BYTES) return false
    const common = this.#common
    const number = common.nextRecord()
    if (number === 0) return false
    const record = this.#record
    record.made.length = common.madeBytes
    record.begin(this.#bytes, start, number)
    this.#pairs.begin(this.#bytes)
    this.values = 0
    return this.#readFields(start, end) && record.addAll(common.record) && record.isWhole(start, end, common.bytes)
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
        const us = this.#pairs.nanosAsUs(at + 1)
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
        const partEnd = this.#pairs.enter(at + 1, end)
        if (partEnd === 0) return false
        if (field === RECORD_SEVERITY_TEXT) {
          wordStart = this.#pairs.at
          wordEnd = partEnd
        } else if (!this.#addPart(field, this.#pairs.at, partEnd)) return false
        at = partEnd
      }
    }
    if (at !== end || !setOtlpLevel(record, severity, wordStart, wordEnd)) return false
    const knownUs = timeUs > 0 ? timeUs : observedUs
    return knownUs === 0 || record.setTime(knownUs)
  }

  #addPart(field: number, start: number, end: number): boolean {
    if (field === RECORD_ATTRIBUTE) {
      this.values++
      return this.#pairs.add(this.#record, start, end)
    }
    if (field === RECORD_BODY) return this.#addBody(start, end)
    if (field === RECORD_TRACE_ID) return this.#addId(TRACE_ID, start, end)
    return field === RECORD_SPAN_ID && this.#addId(SPAN_ID, start, end)
  }

  #addBody(start: number, end: number): boolean {
    this.values++
    if (this.#bytes[start] !== TEXT_VALUE || this.#pairs.enter(start + 1, end) !== end) return false
    return this.#pairs.at < end && this.#record.addSlotBetween(MESSAGE, this.#pairs.at, end)
  }

  #addId(slot: number, start: number, end: number): boolean {
    const { made, ends } = this.#record
    // One of zeros only means none, which is for the plain path to say.
    if (start === end) return ends[slot] === 0
    if (this.#bytes[start] === 0 || end - start > MAX_ID_BYTES) return false
    const from = made.hex(this.#bytes, start, end)
    return from !== 0 && this.#record.setField(slot, from, made.end)
  }

  #readScopes(common: FastRecord): boolean {
    const { scope } = this.#places
    this.#pairs.begin(this.#bytes)
    return scope.length <= MAX_PLACES && scope.every(({ start, end }) => this.#readScope(common, start, end))
  }

  #readResources(common: FastRecord): boolean {
    const { resource } = this.#places
    this.#pairs.begin(this.#bytes)
    return (
      resource.length <= MAX_PLACES &&
      resource.every(({ start, end }) => this.#readPairs(common, RESOURCE_ATTRIBUTE, start, end))
    )
  }

  #readScope(common: FastRecord, start: number, end: number): boolean {
    const bytes = this.#bytes
    let at = start
    for (let field = bytes[at]!; at < end && field !== SCOPE_ATTRIBUTE; field = bytes[at]!) {
      const partEnd = this.#pairs.enter(at + 1, end)
      // After an attribute, or empty: of a second scope, which may take back what the first said.
      if (partEnd === 0 || partEnd === this.#pairs.at || common.attributes > 0) return false
      if (field === SCOPE_NAME) {
        if (!common.addSlotBetween(LOGGER, this.#pairs.at, partEnd)) return false
      } else {
        const { key } = this.#names.findBetween(IN_ATTRIBUTES, VERSION_KEY, 0, VERSION_KEY.length)
        if (field !== SCOPE_VERSION_TEXT || key === null) return false
        if (!common.addAttributeBetween(key, this.#pairs.at, partEnd)) return false
      }
      at = partEnd
    }
    return this.#readPairs(common, SCOPE_ATTRIBUTE, at, end)
  }

  /** A message of nothing but attributes under one tag. */
  #readPairs(common: FastRecord, field: number, start: number, end: number): boolean {
    let at = start
    while (at < end) {
      const partEnd = this.#bytes[at] === field ? this.#pairs.enter(at + 1, end) : 0
      if (partEnd === 0 || !this.#pairs.add(common, this.#pairs.at, partEnd)) return false
      at = partEnd
    }
    return true
  }
}

const VERSION_KEY = new Uint8Array(Buffer.from(SCOPE_VERSION))

function sizeOf(places: readonly Span[]): number {
  return places.reduce((sum, { start, end }) => sum + end - start, 0)
}
