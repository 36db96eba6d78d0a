/**
 * What became searchable since a moment. A load is a segment's records of one day, which the store shows whole or not at
 * all; so a reader who remembers the loads it has seen misses none that comes late and sees none twice, which no watermark
 * on a time can promise. The bound on the records' own time keeps the question small.
 */
import { AppError } from '../../errors.ts'
import { compileQuery } from '../query/compile-query.ts'
import type { LoadSearch, StoredRecord } from '../questions.ts'
import { NEWEST_FIRST, OF_PROJECT, ofProject, type Read } from './read-connection.ts'
import { checked, checkedTime, timeOf } from './read-range.ts'
import { RECORD_FIELDS, type RecordFields, toStoredRecord } from './stored-record.ts'

/** So that the list stays far below what an address may hold. */
const MAX_LOADS = 2_000
const MAX_RECORDS = 1_000

const LOAD = "concat(segment, ':', toString(toUInt16(toDate(time))))"
const SINCE = `time >= ${timeOf('sinceUs')}`

export async function loadsSince(read: Read, timeUs: number, signal?: AbortSignal): Promise<string[]> {
  const query = `SELECT ${LOAD} AS load FROM ${OF_PROJECT} AND ${SINCE} GROUP BY load`
  const rows = await read<{ load: string }>(query, { sinceUs: checkedTime(timeUs) }, signal)
  return rows.map(({ load }) => load)
}

export async function recordsOfLoads(
  read: Read,
  loads: readonly string[],
  { sinceUs, filter, limit, signal }: LoadSearch,
): Promise<{ records: StoredRecord[]; matching: number }> {
  if (loads.length > MAX_LOADS) throw new AppError('internal', `At most ${MAX_LOADS} loads at a time.`)
  if (loads.length === 0) return { records: [], matching: 0 }
  const compiled = compileQuery(filter)
  const values = {
    ...compiled.params,
    loads,
    segments: [...new Set(loads.map((load) => load.slice(0, load.lastIndexOf(':'))))],
    sinceUs: checkedTime(sinceUs),
    limit: checked(limit, 1, MAX_RECORDS),
  }
  // The segments say nothing that the loads do not, but there is an index on them.
  const chosen = `FROM ${ofProject(compiled)} AND ${SINCE} AND segment IN {segments:Array(String)} AND ${LOAD} IN {loads:Array(String)} AND (${compiled.where})`
  const query = `SELECT ${RECORD_FIELDS} ${chosen} ${NEWEST_FIRST} LIMIT {limit:UInt32}`
  const rows = await read<RecordFields>(query, values, signal, compiled.settings)
  const records = rows.map(toStoredRecord).reverse()
  if (rows.length < limit) return { records, matching: rows.length }
  const counting = `SELECT count() AS matching ${chosen}`
  const [counted] = await read<{ matching: string }>(counting, values, signal, compiled.settings)
  return { records, matching: Math.max(rows.length, Number(counted?.matching ?? 0)) }
}
