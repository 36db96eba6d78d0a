/** Pages of records by keyset: what comes after a record in the order, never an offset. */

import { MINUTE_US } from '@tidemark/wire/time/units'
import { AppError } from '../../errors.ts'
import type { TimeRange } from '../../model/time-range.ts'
import { isResultTooLarge } from '../driver-errors.ts'
import { type CompiledQuery, compileQuery } from '../query/compile-query.ts'
import type { LogPage, LogSearch, Order, StoredRecord } from '../questions.ts'
import { type LogKey, parseLogId, sequenceToBigInt } from '../schema/log-id.ts'
import { ofProject, type Read, type Values } from './read-connection.ts'
import { checked, rangeValues, timeOf, WITHIN } from './read-range.ts'
import { RECORD_FIELDS, type RecordFields, toStoredRecord } from './stored-record.ts'

const MAX_SEARCH = 10_000

export async function searchRecords(read: Read, search: LogSearch): Promise<LogPage> {
  const { order, signal } = search
  const limit = checked(search.limit, 1, MAX_SEARCH)
  const after = search.after === undefined ? undefined : keyOf(search.after)
  const compiled = compileQuery(search.filter)
  const found: StoredRecord[] = []
  for (const window of searchWindows(remaining(search.range, order, after), order)) {
    const page = await readPage(read, { window, compiled, order, after, limit: limit - found.length, signal })
    found.push(...page.records)
    if (!page.isEnd || found.length >= limit) return { records: found, isEnd: false }
  }
  return { records: found, isEnd: true }
}

type PageQuestion = {
  window: TimeRange
  compiled: CompiledQuery
  order: Order
  after: LogKey | undefined
  limit: number
  signal: AbortSignal | undefined
}

/** When the records are too large to be answered together, fewer are asked for. */
async function readPage(read: Read, question: PageQuestion): Promise<LogPage> {
  const { window, compiled, order, after, limit, signal } = question
  const direction = order === 'newest' ? 'DESC' : 'ASC'
  const query = `SELECT ${RECORD_FIELDS} FROM ${ofProject(compiled)} AND ${WITHIN}${after ? ` AND ${AFTER[order]}` : ''} AND (${compiled.where}) ORDER BY time ${direction}, seq ${direction} LIMIT {limit:UInt32}`
  const values = { ...compiled.params, ...rangeValues(window), ...(after ? keyValues(after) : {}), limit }
  try {
    const rows = await read<RecordFields>(query, values, signal, compiled.settings)
    return { records: rows.map(toStoredRecord), isEnd: rows.length < limit }
  } catch (error) {
    if (limit === 1 || !isResultTooLarge(error)) throw error
    const { records } = await readPage(read, { ...question, limit: Math.ceil(limit / 4) })
    return { records, isEnd: false }
  }
}

/** The bound on the time alone adds nothing, but the primary key can use only that. */
const AFTER: Record<Order, string> = {
  newest: `time <= ${timeOf('afterUs')} AND (time, seq) < (${timeOf('afterUs')}, {afterSeq:UInt64})`,
  oldest: `time >= ${timeOf('afterUs')} AND (time, seq) > (${timeOf('afterUs')}, {afterSeq:UInt64})`,
}

function keyValues({ timeUs, sequence }: LogKey): Values {
  return { afterUs: timeUs, afterSeq: sequenceToBigInt(sequence).toString() }
}

function keyOf(id: string): LogKey {
  const key = parseLogId(id)
  if (key !== null) return key
  throw new AppError('invalid_request', 'This is not the id of a record: take one from an answer.')
}

/** The windows begin where the last page ended, not where the first one began. */
function remaining({ fromUs, toUs }: TimeRange, order: Order, after: LogKey | undefined): TimeRange {
  if (after === undefined) return { fromUs, toUs }
  return order === 'newest'
    ? { fromUs, toUs: Math.min(toUs, after.timeUs + 1) }
    : { fromUs: Math.max(fromUs, after.timeUs), toUs }
}

/** How far from the near end each window reaches; the last one reaches the far end. */
const REACHES_US = [15, 60, 6 * 60, 24 * 60].map((minutes) => minutes * MINUTE_US)

/**
 * A search begins at the near end of its range and looks further away only while it has not found enough: the newest
 * hundred records of a busy project lie within minutes, and a query over its whole range would open every part. The
 * windows are adjacent, nearest first, and together exactly the range.
 */
export function searchWindows({ fromUs, toUs }: TimeRange, order: Order): TimeRange[] {
  const windows: TimeRange[] = []
  let doneUs = 0
  for (const reachUs of [...REACHES_US, Number.POSITIVE_INFINITY]) {
    const nextUs = Math.min(reachUs, toUs - fromUs)
    if (nextUs <= doneUs) break
    windows.push(
      order === 'newest'
        ? { fromUs: toUs - nextUs, toUs: toUs - doneUs }
        : { fromUs: fromUs + doneUs, toUs: fromUs + nextUs },
    )
    doneUs = nextUs
  }
  return windows
}
