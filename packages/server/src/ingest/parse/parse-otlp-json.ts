import { isObject } from '@tidemark/wire/is-object'
import { LEVELS, type Level } from '@tidemark/wire/level'
import { AppError } from '../../errors.ts'
import {
  idOrNone,
  type OtlpAttributes,
  type OtlpGroup,
  type OtlpRecord,
  type OtlpScope,
} from '../record/otlp-record.ts'
import { shortened } from '../record/shortened.ts'
import { nanosToUs } from '../record/timestamp.ts'

/**
 * OTLP's JSON form: names in lowerCamelCase, 64-bit integers as text or number, ids in hex. Unknown and oddly typed fields
 * are ignored, as the specification asks; ids in base64, which generic protobuf-to-JSON converters write, are tolerated.
 */
export function parseOtlpJson(request: Record<string, unknown>): (OtlpGroup & { records: OtlpRecord[] })[] {
  if (!Array.isArray(request.resourceLogs))
    throw new AppError('invalid_request', '`resourceLogs` must be an array. Send an ExportLogsServiceRequest of OTLP.')
  const groups: ReturnType<typeof parseOtlpJson> = []
  for (const resourceLogs of objects(request.resourceLogs)) {
    const resource = resourceOf(resourceLogs.resource)
    for (const scopeLogs of objects(resourceLogs.scopeLogs)) {
      groups.push({ resource, scope: scopeOf(scopeLogs.scope), records: objects(scopeLogs.logRecords).map(recordOf) })
    }
  }
  return groups
}

export function resourceOf(value: unknown): OtlpAttributes {
  return isObject(value) ? attributesOf(value.attributes) : []
}

export function scopeOf(value: unknown): OtlpScope {
  if (!isObject(value)) return { name: '', version: '', attributes: [] }
  return { name: text(value.name), version: text(value.version), attributes: attributesOf(value.attributes) }
}

export function recordOf(record: Record<string, unknown>): OtlpRecord {
  return {
    time: timeOf(record.timeUnixNano) ?? timeOf(record.observedTimeUnixNano),
    severityNumber: severityOf(record.severityNumber),
    severityText: text(record.severityText),
    body: anyValue(record.body),
    attributes: attributesOf(record.attributes),
    droppedAttributes: typeof record.droppedAttributesCount === 'number' ? record.droppedAttributesCount : 0,
    traceId: idOf(record.traceId, 16),
    spanId: idOf(record.spanId, 8),
    eventName: text(record.eventName),
  }
}

/** Zero means unknown. What is not a count of nanoseconds is passed on as it is, to be refused by name. */
function timeOf(value: unknown): number | string | undefined {
  if (value === undefined || value === null || value === 0 || value === '0' || value === '') return undefined
  const nanos = nanosOf(value)
  return nanosToUs(nanos) ?? `timeUnixNano ${nanos}`
}

/** The digits of a number however large. JSON also allows `1e999`, read as infinity, and values that are not text. */
function nanosOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'number') return shortened(value)
  return Number.isFinite(value) ? BigInt(Math.floor(value)).toString() : String(value)
}

/** The specification says integer; some senders write the enum's name. */
function severityOf(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return 0
  const match = /^SEVERITY_NUMBER_(TRACE|DEBUG|INFO|WARN|ERROR|FATAL)([234]?)$/.exec(value)
  if (match === null) return Number(value) || 0
  return LEVELS.indexOf(match[1]!.toLowerCase() as Level) * 4 + (match[2] === '' ? 1 : Number(match[2]))
}

function idOf(value: unknown, bytes: number): string {
  if (typeof value !== 'string') return ''
  if (value.length === bytes * 2 || !/^[A-Za-z0-9+/]+={1,2}$/.test(value)) return idOrNone(value.toLowerCase())
  const decoded = Buffer.from(value, 'base64')
  return decoded.length === bytes ? idOrNone(decoded.toString('hex')) : value
}

function attributesOf(value: unknown): OtlpAttributes {
  const attributes: [key: string, value: unknown][] = []
  if (!Array.isArray(value)) return attributes
  for (const pair of value) {
    if (isObject(pair) && typeof pair.key === 'string' && pair.key !== '') {
      attributes.push([pair.key, anyValue(pair.value)])
    }
  }
  return attributes
}

/** Recursion is bounded: the depth of the bytes was checked. */
function anyValue(value: unknown): unknown {
  if (!isObject(value)) return null
  if (typeof value.stringValue === 'string') return value.stringValue
  if (typeof value.boolValue === 'boolean') return value.boolValue
  if (value.intValue !== undefined) return integerOf(value.intValue)
  if (value.doubleValue !== undefined) return doubleOf(value.doubleValue)
  if (typeof value.bytesValue === 'string') return value.bytesValue
  if (isObject(value.arrayValue)) return objects(value.arrayValue.values).map(anyValue)
  if (isObject(value.kvlistValue)) return objectOf(attributesOf(value.kvlistValue.values))
  return null
}

/** Without a prototype, so that a stranger's key is never more than a key. */
function objectOf(attributes: OtlpAttributes): Record<string, unknown> {
  const object: Record<string, unknown> = Object.create(null)
  for (const [key, value] of attributes) object[key] = value
  return object
}

/** A number when a double holds it, else the digits. */
function integerOf(value: unknown): unknown {
  if (typeof value !== 'string') return typeof value === 'number' ? value : null
  const number = Number(value)
  return Number.isSafeInteger(number) && value.trim() !== '' ? number : value
}

/** `NaN` and the infinities are texts in JSON. */
function doubleOf(value: unknown): unknown {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? value : null
}

function objects(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
