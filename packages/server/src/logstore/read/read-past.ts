/** Counts what is past a retention: whole minutes, which the table counts itself, because retention ends with a day. */
import type { PastRetention } from '../../model/retention.ts'
import { compilePast } from '../query/past-retention.ts'
import { WITHOUT_LAG } from '../query/query-limits.ts'
import { OF_PROJECT, type Read } from './read-connection.ts'
import { MINUTE_OF_RECORD } from './read-range.ts'

/** For each rule in order, and last for the records to which none applies. */
export async function countPast(read: Read, past: PastRetention, signal?: AbortSignal): Promise<number[]> {
  const { ruleOfRecord, beforeOfRecord, latest, values } = compilePast(past)
  const query = `SELECT ${ruleOfRecord} AS rule, count() AS records FROM ${OF_PROJECT}
AND toStartOfMinute(time) < toDateTime(intDiv(${latest}, 1000000), 'UTC') AND ${MINUTE_OF_RECORD} < ${beforeOfRecord}
GROUP BY rule`
  const rows = await read<{ rule: number; records: string }>(query, values, signal, WITHOUT_LAG)
  const counts = new Array<number>(past.rules.length + 1).fill(0)
  for (const { rule, records } of rows) counts[rule] = Number(records)
  return counts
}
