/** What an archive of the log table asks of the engine: which records there are, and all of them by parts that fit. */
import type { ClickHouseSettings } from '@clickhouse/client'
import { READ_SETTINGS, WITHOUT_LAG } from '../query/query-limits.ts'
import { COLUMNS, SEGMENT_COLUMN } from '../schema/columns.ts'
import { LOG_TABLE } from '../schema/schema.ts'

/**
 * An answer is held in memory until it is whole, and so is what is loaded from it later, on a machine that may be smaller. A
 * part that is larger is read in smaller ones.
 */
const MAX_PART_BYTES = 32 * 1024 * 1024
/** Nobody waits for one of these as for a page, and the table may be large. */
const ARCHIVE_SECONDS = 300

/** One thread: people and senders go first. */
export const ARCHIVE_SETTINGS: ClickHouseSettings = {
  ...READ_SETTINGS,
  ...WITHOUT_LAG,
  max_execution_time: ARCHIVE_SECONDS,
  max_threads: 1,
  max_result_rows: '0',
  max_result_bytes: String(MAX_PART_BYTES),
  // A server would otherwise begin to answer, and say only in the middle that it cannot.
  wait_end_of_query: 1,
}

const STORED = [...COLUMNS, SEGMENT_COLUMN]
export const COLUMN_NAMES = STORED.map(({ name }) => name).join(', ')
/** The structure of a part's file as an SQL literal. */
export const ARCHIVE_STRUCTURE = `'${STORED.map(({ name, type }) => `${name} ${type}`)
  .join(', ')
  .replaceAll("'", "\\'")}'`

/** Segments that were begun before a moment and had left the spool by then: no more come, so that what is read stays. */
const SETTLED = 'segment < {before:String} AND segment NOT IN {spooled:Array(String)}'
const OF_DAY = `toUInt16(toDate(time)) = {day:UInt16} AND ${SETTLED}`
const OF_RANGE = `${OF_DAY} AND segment >= {first:String} AND segment <= {last:String}`

/** By their day, so that a day whose records are known from an earlier archive need not be read again. */
export const DAYS = `SELECT toUInt16(toDate(time)) AS day FROM ${LOG_TABLE} WHERE ${SETTLED} GROUP BY day ORDER BY day`

/** The digest depends on which records there are, not on their order. Nothing else of a record ever changes. */
export const DIGEST = `SELECT toUInt64(count()) AS records,
  toString(sum(cityHash64(project, toUnixTimestamp64Micro(time), seq, segment))) AS digest,
  toUInt16(min(expires)) AS firstExpiry
FROM ${LOG_TABLE} WHERE ${OF_DAY}`

/** Ranges of segments with about as many records as asked for; a segment is never in two of them. */
export const RANGES = `SELECT min(segment) AS first, max(segment) AS last
FROM (
  SELECT segment, held, sum(held) OVER (ORDER BY segment ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS upto
  FROM (SELECT segment, count() AS held FROM ${LOG_TABLE} WHERE ${OF_RANGE} GROUP BY segment)
)
GROUP BY intDiv(upto - held, {records:UInt64}) ORDER BY first`

/** `pieces` is 1 but for a segment that is too large by itself. */
export const RECORDS = `SELECT ${COLUMN_NAMES} FROM ${LOG_TABLE}
WHERE ${OF_RANGE} AND cityHash64(seq) % {pieces:UInt32} = {piece:UInt32} FORMAT Native`

export const ANY_RECORD = `SELECT 1 FROM ${LOG_TABLE} LIMIT 1`

/** `source` is a table function that gives the records of a part. */
export function insertFrom(source: string): string {
  return `INSERT INTO ${LOG_TABLE} (${COLUMN_NAMES}) SELECT ${COLUMN_NAMES} FROM ${source}`
}
