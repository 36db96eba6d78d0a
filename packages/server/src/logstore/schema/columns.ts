/**
 * The columns of the log table, once: the DDL, the encoder, the loading of a segment and the reading of a record all
 * follow this list. The order is the order in a segment file, which must stay readable by the next version: append only.
 */

import { LEVELS } from '@tidemark/wire/level'
import type { CoreField } from '@tidemark/wire/query/fields'
import { LEVEL_NUMBER } from '../../model/level.ts'
import type { LogRecord } from '../../model/log-record.ts'
import { attributeText } from './attribute-text.ts'
import type { Sequence } from './log-id.ts'
import type { RowWriter } from './row-writer.ts'

/** A 64-bit hash as two halves, as the analysis makes them. */
type Hash = { hi: number; lo: number }

/** A record with what ingest derived from it, ready to be stored. */
export type RecordRow = {
  projectId: string
  record: LogRecord
  pattern: Hash
  fingerprint: Hash | null
  sequence: Sequence
  receivedMs: number
  /** Days since 1970; the record is deleted when that day begins. */
  expiresDay: number
}

type Column = {
  name: string
  /** What records and queries call it. It is read back under this name. */
  field: string
  type: string
  codec?: string
  write(writer: RowWriter, row: RecordRow): void
  /** The value in a frame's header row, which is never stored: anything the type allows. */
  blank: Uint8Array
  /** How it is read back; a column without one is read as it is. Its field must not be the name of a column. */
  read?: string
}

const ZSTD = 'ZSTD(1)'
const RISING = 'Delta(8), ZSTD(1)'
/** For numbers of eight bytes that differ only in the lower ones. */
const NARROW = 'T64, ZSTD(1)'
const REPEATING = 'LowCardinality(String)'
const NO_ERROR = { type: '', message: '', stack: '' }

export const COLUMNS: readonly Column[] = [
  text('project', 'projectId', REPEATING, (row) => row.projectId),
  {
    name: 'time',
    field: 'timeUs',
    type: "DateTime64(6, 'UTC')",
    codec: RISING,
    write: (writer, row) => writer.int64(row.record.timeUs),
    blank: new Uint8Array(8),
    read: 'toUnixTimestamp64Micro(time)',
  },
  {
    name: 'seq',
    field: 'sequence',
    type: 'UInt64',
    codec: NARROW,
    write: (writer, row) => writer.uint64(row.sequence.hi, row.sequence.lo),
    blank: new Uint8Array(8),
  },
  {
    name: 'level',
    field: 'level',
    type: `Enum8(${LEVELS.map((level) => `'${level}' = ${LEVEL_NUMBER[level]}`).join(', ')})`,
    write: (writer, row) => writer.uint8(LEVEL_NUMBER[row.record.level]),
    blank: Uint8Array.of(LEVEL_NUMBER.trace),
  },
  text('environment', 'environment', REPEATING, (row) => row.record.environment),
  flag('environment_defaulted', 'environmentDefaulted', (row) => row.record.environmentDefaulted),
  text('service', 'service', REPEATING, (row) => row.record.service),
  text('host', 'host', REPEATING, (row) => row.record.host),
  text('logger', 'logger', REPEATING, (row) => row.record.logger),
  text('release', 'release', REPEATING, (row) => row.record.release),
  text('trace_id', 'traceId', 'String', (row) => row.record.traceId),
  text('span_id', 'spanId', 'String', (row) => row.record.spanId),
  text('message', 'message', 'String', (row) => row.record.message),
  flag('truncated', 'truncated', (row) => row.record.truncated),
  text('error_type', 'error.type', REPEATING, (row) => (row.record.error ?? NO_ERROR).type),
  text('error_message', 'error.message', 'String', (row) => (row.record.error ?? NO_ERROR).message),
  text('error_stack', 'error.stack', 'String', (row) => (row.record.error ?? NO_ERROR).stack),
  {
    name: 'attributes',
    field: 'attributeLists',
    type: `Map(${REPEATING}, String)`,
    codec: ZSTD,
    write: (writer, { record: { attributes } }) => {
      writer.varint(attributes.size)
      for (const [key, value] of attributes) {
        writer.string(key)
        writer.string(attributeText(value))
      }
    },
    blank: new Uint8Array(1),
    // Two lists, because a JSON object would put keys that look like numbers first.
    read: '[mapKeys(attributes), mapValues(attributes)]',
  },
  hash('pattern', 'pattern', (row) => row.pattern),
  hash('fingerprint', 'fingerprint', (row) => row.fingerprint),
  {
    name: 'received',
    field: 'receivedMs',
    type: "DateTime64(3, 'UTC')",
    codec: NARROW,
    write: (writer, row) => writer.int64(row.receivedMs),
    blank: new Uint8Array(8),
    read: 'toUnixTimestamp64Milli(received)',
  },
  {
    name: 'expires',
    field: 'expiresDay',
    type: 'Date',
    codec: ZSTD,
    write: (writer, row) => writer.uint16(row.expiresDay),
    blank: new Uint8Array(2),
    read: 'toUInt16(expires)',
  },
]

/** The column of each field that a query can ask for. An id is made of two (log-id.ts). */
export const COLUMN_OF = Object.fromEntries(COLUMNS.map(({ field, name }) => [field, name])) as Record<
  Exclude<CoreField, 'id'>,
  string
>

/** Not in the file: the same for all rows of one, given when it is loaded. */
export const SEGMENT_COLUMN = { name: 'segment', type: REPEATING }

/** The structure of a segment file, for the engine. Repeating text is plain text there. */
export const SEGMENT_STRUCTURE = [
  'frame String',
  ...COLUMNS.map(({ name, type }) => `${name} ${type.replaceAll(REPEATING, 'String')}`),
].join(', ')

function text(name: string, field: string, type: string, of: (row: RecordRow) => string): Column {
  return {
    name,
    field,
    type,
    ...(type === 'String' ? { codec: ZSTD } : {}),
    write: (writer, row) => writer.string(of(row)),
    blank: new Uint8Array(1),
  }
}

function flag(name: string, field: string, of: (row: RecordRow) => boolean): Column {
  return { name, field, type: 'Bool', write: (writer, row) => writer.uint8(of(row) ? 1 : 0), blank: new Uint8Array(1) }
}

/** Zero stands for none. */
function hash(name: string, field: string, of: (row: RecordRow) => Hash | null): Column {
  return {
    name,
    field,
    type: 'UInt64',
    codec: ZSTD,
    write: (writer, row) => {
      const value = of(row)
      if (value === null) writer.uint64(0, 0)
      else writer.uint64(value.hi, value.lo)
    },
    blank: new Uint8Array(8),
  }
}
