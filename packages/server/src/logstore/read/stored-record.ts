/** How a record is read back: the SELECT list and the row it gives, in one place. */
import type { LogRecord } from '../../model/log-record.ts'
import type { StoredRecord } from '../questions.ts'
import { attributeValue } from '../schema/attribute-text.ts'
import { COLUMNS } from '../schema/columns.ts'
import { logId, sequenceFromBigInt } from '../schema/log-id.ts'

/** A field that is read by an expression has no column's name: such an alias would hide the column from WHERE. */
export const RECORD_FIELDS: string = COLUMNS.filter(({ name }) => name !== 'project' && name !== 'expires')
  .map(({ name, field, read = name }) => (read === field ? field : `${read} AS \`${field}\``))
  .join(', ')

/** Whole numbers of 64 bits come as text, because a double cannot hold them. */
export type RecordFields = Omit<LogRecord, 'timeUs' | 'error' | 'attributes'> & {
  timeUs: string
  sequence: string
  'error.type': string
  'error.message': string
  'error.stack': string
  attributeLists: [keys: string[], values: string[]]
  pattern: string
  fingerprint: string
  receivedMs: string
}

/** Field by field: copying the rest of a row with `...` takes three times as long, which a page of records shows. */
export function toStoredRecord(row: RecordFields): StoredRecord {
  const { level, environment, environmentDefaulted, service, host, logger, release } = row
  const { traceId, spanId, message, truncated } = row
  const timeUs = Number(row.timeUs)
  const [keys, values] = row.attributeLists
  return {
    id: logId({ timeUs, sequence: sequenceFromBigInt(BigInt(row.sequence)) }),
    timeUs,
    level,
    environment,
    environmentDefaulted,
    service,
    host,
    logger,
    release,
    traceId,
    spanId,
    message,
    truncated,
    error: errorOf({ type: row['error.type'], message: row['error.message'], stack: row['error.stack'] }),
    attributes: new Map(keys.map((key, index) => [key, attributeValue(values[index] ?? '')])),
    pattern: hashDigits(row.pattern),
    fingerprint: row.fingerprint === '0' ? null : hashDigits(row.fingerprint),
    receivedMs: Number(row.receivedMs),
  }
}

/** An error without any content is none. */
export function errorOf(error: NonNullable<StoredRecord['error']>): StoredRecord['error'] {
  return error.type === '' && error.message === '' && error.stack === '' ? null : error
}

/** 16 hexadecimal digits, from a whole number in decimal ones. */
export function hashDigits(number: string): string {
  return BigInt(number).toString(16).padStart(16, '0')
}
