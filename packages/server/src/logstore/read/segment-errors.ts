/**
 * The errors of loaded segments, counted by what groups them. It covers all projects, because a segment does; it gives
 * numbers and ids only, and each row says whose it is. What the records say is read through their project, as always.
 */

import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { dateOf } from '@tidemark/wire/time/instant'
import { AppError } from '../../errors.ts'
import type { SplitField } from '../../model/grouping-rule.ts'
import type { ErrorCount, ErrorQuestion } from '../log-store.ts'
import { READ_SETTINGS } from '../query/query-limits.ts'
import { LOG_TABLE } from '../schema/schema.ts'
import { BoundedCounts, type ErrorRow } from './bounded-counts.ts'
import { hashText } from './field-expression.ts'
import { checked, checkedTime } from './read-range.ts'

const MAX_SEGMENTS = 500
const MAX_CUTS = 1_000
/** So that the lists stay far below what an address may hold. Beyond it errors stay together. */
const MAX_SPLITS = 1_000
const MAX_DAY = 65_535

/** There is at most a row for each error, and the caller decides for how many errors it asks at once. */
const SETTINGS: ClickHouseSettings = { ...READ_SETTINGS, max_result_rows: '0', max_result_bytes: '0' }

export const SPLIT_VALUES: Record<SplitField, string> = {
  service: 'toString(service)',
  logger: 'toString(logger)',
  host: 'toString(host)',
  pattern: hashText('pattern'),
}

export async function countErrors(client: ClickHouseClient, question: ErrorQuestion): Promise<ErrorCount[]> {
  const { segments, cutsUs = [] } = question
  if (segments.length === 0) return []
  if (segments.length > MAX_SEGMENTS || cutsUs.length > MAX_CUTS) {
    throw new AppError('internal', `At most ${MAX_SEGMENTS} segments and ${MAX_CUTS} cuts at a time.`)
  }
  const split = splitValue(question)
  const answer = await client.query({
    query: statement(split.sql, cutsUs.length > 0),
    query_params: {
      ...split.values,
      segments: segments.map(({ id }) => id),
      days: [...new Set(segments.flatMap(({ days }) => days))].map(dayName),
      cuts: cutsUs.map(checkedTime),
    },
    clickhouse_settings: SETTINGS,
    format: 'JSONCompactEachRow',
  })
  const counts = new BoundedCounts()
  for await (const rows of answer.stream<ErrorRow>()) for (const row of rows) counts.add(row.json())
  return counts.all()
}

/** Days are whole partitions, and there is an index on the segments: nothing else is read. The largest come first. */
function statement(value: string, hasCuts: boolean): string {
  const part = hasCuts ? 'arrayCount(cut -> toUnixTimestamp64Micro(time) > cut, {cuts:Array(Int64)})' : '0'
  return `SELECT segment, project, environment, fingerprint, ${value} AS value, toUInt16(toDate(time)) AS day,
  toUInt16(${part}) AS part, count() AS errors,
  min(toUnixTimestamp64Micro(time)) AS first, argMin(seq, (time, seq)) AS first_sequence,
  max(toUnixTimestamp64Micro(time)) AS last
FROM ${LOG_TABLE}
WHERE segment IN {segments:Array(String)} AND toDate(time) IN {days:Array(Date)} AND fingerprint != 0
GROUP BY segment, project, environment, fingerprint, value, day, part
ORDER BY segment, errors DESC, project, environment, fingerprint, value, day, part`
}

function splitValue({ splits }: ErrorQuestion): { sql: string; values: Record<string, string[]> } {
  const branches: string[] = []
  const values: Record<string, string[]> = {}
  for (const field of Object.keys(SPLIT_VALUES) as SplitField[]) {
    const kinds = splits.slice(0, MAX_SPLITS).filter(({ by }) => by === field)
    if (kinds.length === 0) continue
    values[`by_${field}`] = kinds.map(({ projectId, fingerprint }) => `${projectId}:${BigInt(`0x${fingerprint}`)}`)
    branches.push(`concat(project, ':', toString(fingerprint)) IN {by_${field}:Array(String)}, ${SPLIT_VALUES[field]}`)
  }
  return { sql: branches.length === 0 ? "''" : `multiIf(${branches.join(', ')}, '')`, values }
}

function dayName(day: number): string {
  return dateOf(checked(day, 0, MAX_DAY))
}
