/** How a record is read back: the SELECT list and the row it gives, in one place. */
import type { Level } from '@tidemark/wire/level'
import type { StoredRecord } from '../log-store.ts'
import { attributeValue } from '../schema/attribute-text.ts'
import { COLUMNS } from '../schema/columns.ts'
import { logId, sequenceFromBigInt } from '../schema/log-id.ts'

/** Named apart from the columns: an alias that hides a column would also hide it from WHERE. */
export const RECORD_FIELDS: string = COLUMNS.filter(({ name }) => name !== 'project' && name !== 'expires')
  .map(({ name, read }) => (read === undefined ? name : `${read} AS ${name}_read`))
  .join(', ')

/** Whole numbers of 64 bits come as text, because a double cannot hold them. */
export type RecordFields = {
  time_read: string
  seq: string
  level: Level
  environment: string
  environment_defaulted: boolean
  service: string
  host: string
  logger: string
  release: string
  trace_id: string
  span_id: string
  message: string
  truncated: boolean
  error_type: string
  error_message: string
  error_stack: string
  attributes_read: [keys: string[], values: string[]]
  pattern: string
  fingerprint: string
  received_read: string
}

export function toStoredRecord(row: RecordFields): StoredRecord {
  const timeUs = Number(row.time_read)
  const [keys, values] = row.attributes_read
  const fingerprint = BigInt(row.fingerprint)
  return {
    id: logId({ timeUs, sequence: sequenceFromBigInt(BigInt(row.seq)) }),
    timeUs,
    level: row.level,
    environment: row.environment,
    environmentDefaulted: row.environment_defaulted,
    service: row.service,
    host: row.host,
    logger: row.logger,
    release: row.release,
    traceId: row.trace_id,
    spanId: row.span_id,
    message: row.message,
    truncated: row.truncated,
    error: readError(row),
    attributes: new Map(keys.map((key, index) => [key, attributeValue(values[index] ?? '')])),
    pattern: hex(BigInt(row.pattern)),
    fingerprint: fingerprint === 0n ? null : hex(fingerprint),
    receivedMs: Number(row.received_read),
  }
}

/** An error of which nothing is known is none. */
function readError({
  error_type: type,
  error_message: message,
  error_stack: stack,
}: RecordFields): StoredRecord['error'] {
  return type === '' && message === '' && stack === '' ? null : { type, message, stack }
}

function hex(value: bigint): string {
  return value.toString(16).padStart(16, '0')
}
