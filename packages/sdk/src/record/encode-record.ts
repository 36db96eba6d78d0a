/** A record as one line of NDJSON that the service will not reject: every text and count stays within its limits. */
import { headOf, utf8Bytes } from './cut-text.ts'
import type { ErrorDetail } from './describe-error.ts'
import { ValueEncoder } from './encode-value.ts'
import type { Attributes, LogRecord } from './record.ts'
import { CUT_COUNT, cutCount } from './record-fields.ts'

/** The service cuts a message at 64 KiB and marks it; a little more is sent so that it sees there was more. */
export const MAX_MESSAGE = 64 * 1024 + 64
/** The service rejects a record of more than 256 KiB. */
export const MAX_RECORD_BYTES = 240 * 1024
/** What is left of the texts when a record is over that: three bytes for each still fit. */
const TIGHT = 16 * 1024
/** Of a service, a host, an environment: what the service keeps of one. */
export const MAX_NAME_CHARACTERS = 255

/** What every record says unless it says otherwise itself. */
export type RecordDefaults = Partial<Record<DefaultName, string | undefined>>
type DefaultName = 'environment' | 'service' | 'release' | 'host'
const DEFAULT_NAMES: readonly DefaultName[] = ['environment', 'service', 'release', 'host']

export function createRecordEncoder(defaults: RecordDefaults): (record: LogRecord) => string {
  const written = Object.fromEntries(
    DEFAULT_NAMES.map((name) => [name, defaults[name] ? `,"${name}":${JSON.stringify(defaults[name])}` : '']),
  ) as Record<DefaultName, string>
  const all = DEFAULT_NAMES.map((name) => written[name]).join('')

  /** The usual record names none of the four, and its text is ready. */
  function names(record: LogRecord): string {
    if (
      record.environment === undefined &&
      record.service === undefined &&
      record.release === undefined &&
      record.host === undefined
    ) {
      return all
    }
    return DEFAULT_NAMES.map((name) => nameField(name, record[name]) || written[name]).join('')
  }

  return (record) => {
    const line = encode(record, names(record), MAX_MESSAGE, undefined)
    // No character takes more than three bytes for a unit.
    if (line.length * 3 <= MAX_RECORD_BYTES || utf8Bytes(line) <= MAX_RECORD_BYTES) return line
    return encode(record, names(record), TIGHT, TIGHT)
  }
}

function encode(record: LogRecord, names: string, maxMessage: number, maxText: number | undefined): string {
  const values = new ValueEncoder(maxText)
  const error = record.error === undefined ? '' : `,"error":{${errorFields(record.error, values, maxText)}}`
  const attributes = attributeFields(record.attributes, values)
  const level = typeof record.level === 'number' ? record.level : JSON.stringify(headOf(record.level, 40))
  const message = record.message.length > maxMessage ? headOf(record.message, maxMessage) : record.message
  return (
    `{"timestamp":${record.timeUs},"level":${level},"message":${JSON.stringify(message)}${names}` +
    nameField('logger', record.logger) +
    nameField('traceId', record.traceId) +
    nameField('spanId', record.spanId) +
    error +
    (attributes === '' ? '}' : `,"attributes":{${attributes}}}`)
  )
}

function errorFields({ type, message, stack, details }: ErrorDetail, values: ValueEncoder, max: number | undefined) {
  const cut = (text: string) => JSON.stringify(max === undefined ? text : headOf(text, max))
  const own = details === undefined ? '' : values.properties(details, undefined, ERROR_PATH_BYTES, 2)
  return `"type":${JSON.stringify(type)},"message":${cut(message)},"stack":${cut(stack)}${own === '' ? '' : `,${own}`}`
}

function attributeFields(attributes: Attributes, values: ValueEncoder): string {
  try {
    const fields = values.properties(attributes, isCutCount)
    const cut = values.leftOut + cutCount(attributes)
    return cut === 0 ? fields : `${fields}${fields === '' ? '' : ','}"${CUT_COUNT}":${cut}`
  } catch {
    // A revoked proxy throws on every access.
    return '"value":"[unreadable]"'
  }
}

const isCutCount = (key: string): boolean => key === CUT_COUNT

/** The service files an error's own properties under `error.`. */
const ERROR_PATH_BYTES = 6

function nameField(name: string, value: string | undefined): string {
  return value === undefined || value === '' ? '' : `,"${name}":${JSON.stringify(headOf(value, MAX_NAME_CHARACTERS))}`
}
