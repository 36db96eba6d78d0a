import { CLOSE_BRACE, CLOSE_BRACKET, COLON, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../../bytes/json-bytes.ts'
import { JsonCursor, quotedName } from '../../bytes/json-cursor.ts'
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from '../../bytes/limits.ts'
import { measureJson } from '../../bytes/scan-json.ts'
import { MAX_RECORDS } from '../limits.ts'
import type { OtlpGroup, OtlpRecord } from '../record/otlp-record.ts'
import type { FastOtlpJsonRecords, Span } from '../record/record-sink.ts'
import { endOfObject, endOfPlainText } from './json-places.ts'
import { parseChecked } from './parse-checked.ts'
import { recordOf, resourceOf, scopeOf } from './parse-otlp-json.ts'

type Records = {
  fast: FastOtlpJsonRecords
  /** A record was taken the fast way. False when the request is past a limit. */
  taken: (group: OtlpGroup) => boolean
  /** One that was read the plain way. Its texts, or those of its group, may need cleaning. False as above. */
  entry: (record: OtlpRecord, group: OtlpGroup, hasSuspectEscapes: boolean) => boolean
}

const RESOURCE_LOGS = quotedName('resourceLogs')
const RESOURCE = quotedName('resource')
const SCOPE_LOGS = quotedName('scopeLogs')
const SCOPE = quotedName('scope')
const LOG_RECORDS = quotedName('logRecords')
const SCHEMA_URL = quotedName('schemaUrl')

/** Braces and brackets around a resource, a scope and a record. */
const DEPTH_AROUND_RESOURCE = 3
const DEPTH_AROUND_SCOPE = 5
const DEPTH_AROUND_RECORD = 6

/**
 * An OTLP request in JSON as exporters write it, read record by record: those that are unusual are parsed by themselves.
 * Null for all other documents, broken ones and those past a limit included: they are read as a whole, and what was taken
 * until then must be forgotten.
 */
export function readOtlpJsonBatch(bytes: Uint8Array, records: Records): number | null {
  const walk = new Walk(bytes, records)
  const isWhole =
    walk.open(OPEN_BRACE) &&
    walk.takeName(RESOURCE_LOGS) &&
    walk.eachOf(() => walk.readResourceLogs()) &&
    walk.take(CLOSE_BRACE) &&
    walk.peek() === -1 &&
    walk.values <= MAX_JSON_VALUES
  return isWhole ? walk.records : null
}

/** An object of the document, read by itself. */
type Part = { value: Record<string, unknown>; place: Span; hasSuspectEscapes: boolean }

class Walk extends JsonCursor {
  records = 0
  readonly #into: Records
  #resource: Part | null = null
  #scope: Part | null = null
  #group: OtlpGroup = { resource: [], scope: scopeOf(undefined) }

  constructor(bytes: Uint8Array, into: Records) {
    super()
    this.begin(bytes, 0)
    this.#into = into
  }

  /** A list of which each element is read by this. */
  eachOf(read: () => boolean): boolean {
    if (!this.open(OPEN_BRACKET)) return false
    if (this.take(CLOSE_BRACKET)) return true
    for (;;) {
      if (!read()) return false
      const goesOn = this.goesOn(CLOSE_BRACKET)
      if (goesOn !== true) return goesOn === false
    }
  }

  readResourceLogs(): boolean {
    this.#resource = null
    return this.#readLogs(RESOURCE, SCOPE_LOGS, {
      common: () => {
        this.#resource = this.#parse(DEPTH_AROUND_RESOURCE)
        return this.#resource !== null
      },
      begin: () => {
        this.#group = { resource: resourceOf(this.#resource?.value), scope: this.#group.scope }
      },
      each: () => this.#readScopeLogs(),
    })
  }

  #readScopeLogs(): boolean {
    this.#scope = null
    return this.#readLogs(SCOPE, LOG_RECORDS, {
      common: () => {
        this.#scope = this.#parse(DEPTH_AROUND_SCOPE)
        return this.#scope !== null
      },
      begin: () => {
        const [resource, scope] = [this.#resource?.place ?? null, this.#scope?.place ?? null]
        this.#group = { resource: this.#group.resource, scope: scopeOf(this.#scope?.value) }
        this.#into.fast.beginGroup(this.bytes, { resource, scope })
      },
      each: () => this.#readRecord(),
    })
  }

  /** `{"<common>": {…}, "<list>": […], "schemaUrl": "…"}`: what is common has to come first, for it is said of what follows. */
  #readLogs(
    common: Uint8Array,
    list: Uint8Array,
    read: { common: () => boolean; begin: () => void; each: () => boolean },
  ): boolean {
    let isCommonRead = false
    let isListRead = false
    let isSchemaRead = false
    if (!this.open(OPEN_BRACE)) return false
    for (;;) {
      if (!this.take(QUOTE)) return false
      if (!isListRead && !isCommonRead && this.#isNext(common)) {
        isCommonRead = true
        if (!read.common()) return false
      } else if (!isListRead && this.#isNext(list)) {
        isListRead = true
        read.begin()
        if (!this.eachOf(read.each)) return false
      } else if (!isSchemaRead && this.#isNext(SCHEMA_URL)) {
        isSchemaRead = true
        this.peek()
        this.at = endOfPlainText(this.bytes, this.at)
        if (this.at === 0) return false
      } else return false
      const goesOn = this.goesOn(CLOSE_BRACE)
      if (goesOn !== true) return goesOn === false
    }
  }

  #isNext(name: Uint8Array): boolean {
    return this.takeBytes(name) && this.take(COLON)
  }

  #readRecord(): boolean {
    if (++this.records > MAX_RECORDS || this.values > MAX_JSON_VALUES) return false
    const { fast, taken, entry } = this.#into
    this.peek()
    const end = fast.read(this.at)
    if (end > 0) {
      this.values += fast.values
      this.at = end
      fast.take()
      return taken(this.#group)
    }
    const part = this.#parse(DEPTH_AROUND_RECORD)
    if (part === null) return false
    const hasSuspectEscapes = [part, this.#resource, this.#scope].some((one) => one?.hasSuspectEscapes)
    return entry(recordOf(part.value), this.#group, hasSuspectEscapes)
  }

  /** The object that begins here; null when it is none, or too much. */
  #parse(depthAround: number): Part | null {
    this.peek()
    const place = { start: this.at, end: endOfObject(this.bytes, this.at) }
    if (place.end === 0) return null
    const object = this.bytes.subarray(place.start, place.end)
    const scan = measureJson(object, this.values)
    this.values = scan.values
    if (this.values > MAX_JSON_VALUES || scan.depth + depthAround > MAX_JSON_DEPTH) return null
    const value = parseChecked(object, scan)
    if (value === undefined) return null
    this.at = place.end
    return { value: value as Record<string, unknown>, place, hasSuspectEscapes: scan.hasSuspectEscapes }
  }
}
