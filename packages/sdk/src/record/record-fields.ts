import { headOf } from './cut-text.ts'
import { headlineOf } from './describe-error.ts'
import { ValueEncoder } from './encode-value.ts'
import type { Attributes, LogRecord } from './record.ts'

const UNREADABLE = '[threw when read]'
const NONE: Attributes = Object.freeze({})
/** Properties copied from one source; the others are counted. A record carries fewer. */
const MAX_COPIED = 400
/** The attribute that says how many others were left out. */
export const CUT_COUNT = 'attributesCut'

/** Later ones win. What cannot be read is marked as such. A single source is not copied. */
export function joinAttributes(...sources: (object | undefined)[]): Attributes {
  let joined: Attributes = NONE
  let isCopy = false
  for (const source of sources) {
    if (source === undefined || source === NONE || typeof source !== 'object' || source === null) continue
    if (joined === NONE) {
      joined = source as Attributes
      continue
    }
    if (!isCopy) joined = copyInto({}, joined)
    isCopy = true
    copyInto(joined, source)
  }
  return joined
}

function copyInto(target: Attributes, source: object): Attributes {
  const keys = keysOf(source)
  for (let at = 0; at < keys.length && at < MAX_COPIED; at++) {
    const key = keys[at]!
    const value = key === CUT_COUNT ? cutCount(source) + cutCount(target) : read(source, key)
    if (key === '__proto__') Object.defineProperty(target, key, { value, enumerable: true })
    else target[key] = value
  }
  if (keys.length > MAX_COPIED) target[CUT_COUNT] = cutCount(target) + keys.length - MAX_COPIED
  return target
}

export function cutCount(attributes: object): number {
  const count = (attributes as Attributes)[CUT_COUNT]
  return typeof count === 'number' ? count : 0
}

function keysOf(value: object): string[] {
  try {
    return Object.keys(value)
  } catch {
    return []
  }
}

/** Attributes that are fields of a record: who wrote it, and the trace it belongs to. */
const FIELDS = ['logger', 'traceId', 'spanId'] as const

/** What the record says itself counts more. */
export function liftFields(record: LogRecord): void {
  for (const field of FIELDS) {
    const value = read(record.attributes, field)
    if (typeof value !== 'string' || value === '' || value === UNREADABLE) continue
    record[field] ??= value
    record.attributes = without(record.attributes, field)
  }
}

export function without(attributes: Attributes, key: string): Attributes {
  const rest = copyInto({}, attributes)
  delete rest[key]
  return rest
}

function read(attributes: object, key: string): unknown {
  try {
    return (attributes as Attributes)[key]
  } catch {
    return UNREADABLE
  }
}

const MAX_MADE_MESSAGE = 200

/** The service needs a message: the error says it, else the attributes do. */
export function textFor({ error, attributes }: Pick<LogRecord, 'error' | 'attributes'>): string {
  const headline = error === undefined ? '' : headlineOf(error.type, error.message)
  if (headline !== '') return headline
  const text = new ValueEncoder(MAX_MADE_MESSAGE).value(attributes) ?? ''
  return text === '' || text === '{}' ? '(no message)' : headOf(text, MAX_MADE_MESSAGE)
}
