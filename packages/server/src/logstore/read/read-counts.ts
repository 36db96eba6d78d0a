/**
 * Counting. A question that only needs the environment, level and service is answered from the counts per minute that
 * the table keeps: whole minutes from there, what is left at both ends from the records. Any other question, and
 * buckets that are not whole minutes, read the records.
 */

import { type Query, termsOf } from '@tidemark/wire/query/ast'
import type { Field } from '@tidemark/wire/query/fields'
import { MINUTE_US } from '@tidemark/wire/time/units'
import { type CompiledQuery, compileQuery } from '../query/compile-query.ts'
import type { BucketCount, Bucketing, Groups, Selection, Series } from '../questions.ts'
import { fieldExpression } from './field-expression.ts'
import { ofProject, type Read, type Values } from './read-connection.ts'
import {
  checked,
  MAX_SLICE_US,
  MINUTE_OF_RECORD,
  rangeValues,
  timeOf,
  WITHIN,
  wholeMinutes,
  withinMinutes,
} from './read-range.ts'

const MAX_GROUPS = 10_000

export async function countTotal(read: Read, selection: Selection): Promise<number> {
  const { sql, values, settings } = counting(selection, [], [])
  const query = `SELECT sum(part) AS records FROM (${sql})`
  const [row] = await read<{ records: string }>(query, values, selection.signal, settings)
  return Number(row?.records ?? 0)
}

type GroupRow = {
  g0: string | null
  g1?: string | null
  g2?: string | null
  records: string
  groups: string
  total: string
}

export async function countGroups(
  read: Read,
  selection: Selection,
  { fields, limit }: { fields: readonly Field[]; limit: number },
): Promise<Groups> {
  const expressions = fields.map((field, index) => fieldExpression(field, `group${index}`))
  const columns = expressions.map(({ sql }, index) => ({ name: `g${index}`, sql }))
  const { sql, values, settings } = counting(selection, columns, fields)
  const keys = columns.map(({ name }) => name).join(', ')
  const query = `SELECT ${keys}, records, count() OVER () AS groups, sum(records) OVER () AS total
FROM (SELECT ${keys}, sum(part) AS records FROM (${sql}) GROUP BY ${keys})
ORDER BY records DESC, ${keys} LIMIT {limit:UInt32}`
  const rows = await read<GroupRow>(
    query,
    Object.assign({ limit: checked(limit, 1, MAX_GROUPS) }, values, ...expressions.map((one) => one.values)),
    selection.signal,
    settings,
  )
  return {
    largest: rows.map(({ g0, g1, g2, records }) => ({
      values: [g0, g1, g2].slice(0, fields.length).map((value) => value ?? null),
      count: Number(records),
    })),
    groups: Number(rows[0]?.groups ?? 0),
    total: Number(rows[0]?.total ?? 0),
  }
}

export async function countBuckets(
  read: Read,
  selection: Selection,
  { bucketUs, originUs = 0, split }: Bucketing,
): Promise<BucketCount[]> {
  const expression = split && fieldExpression(split.field, 'splitField')
  const value = expression ? `ifNull(${expression.sql}, '')` : ''
  const told = `if(has({split:Array(String)}, ${value}), ${value}, NULL)`
  const columns = expression ? [{ name: 'value', sql: told }] : []
  const { sql, values, settings } = counting(selection, columns, split ? [split.field] : [], {
    bucketUs: checked(bucketUs, 1, MAX_SLICE_US),
    originUs,
  })
  const keys = expression ? 'bucket, value' : 'bucket'
  const rows = await read<{ bucket: string; value?: string | null; records: string }>(
    `SELECT ${keys}, sum(part) AS records FROM (${sql}) GROUP BY ${keys} ORDER BY bucket`,
    { ...values, ...expression?.values, ...(split ? { split: split.values } : {}) },
    selection.signal,
    settings,
  )
  return rows.map((row) => ({
    startUs: originUs + Number(row.bucket) * bucketUs,
    value: row.value ?? null,
    count: Number(row.records),
  }))
}

type SeriesQuestion = { bucketUs: number; field: Field; limit: number }
type SeriesParts = { perBucket: string; values: Values; settings: CompiledQuery['settings'] }

/** Fields of which a project has a handful of values: all of them can be read and ranked here. */
const OF_FEW_VALUES = new Set(['environment', 'level', 'service', 'host', 'logger', 'release'])
const MAX_POINTS = 20_000

export async function countSeries(read: Read, selection: Selection, question: SeriesQuestion): Promise<Series> {
  const { bucketUs, field } = question
  const expression = fieldExpression(field, 'seriesField')
  const columns = [{ name: 'value', sql: expression.sql }]
  const { sql, values, settings } = counting(selection, columns, [field], {
    bucketUs: checked(bucketUs, 1, MAX_SLICE_US),
    originUs: 0,
  })
  const perBucket = `SELECT bucket, value, sum(part) AS n FROM (${sql}) GROUP BY bucket, value`
  const parts = { perBucket, values: { ...values, ...expression.values }, settings }
  const isOfFew = field.kind === 'core' && OF_FEW_VALUES.has(field.name)
  return (
    (isOfFew ? await readAll(read, selection, question, parts) : null) ?? readRanked(read, selection, question, parts)
  )
}

/** Null when there are too many to be read. */
async function readAll(
  read: Read,
  { signal }: Selection,
  { bucketUs, limit }: SeriesQuestion,
  { perBucket, values, settings }: SeriesParts,
): Promise<Series | null> {
  const query = `${perBucket} LIMIT ${MAX_POINTS + 1}`
  const rows = await read<{ bucket: string; value: string | null; n: string }>(query, values, signal, settings)
  if (rows.length > MAX_POINTS) return null
  const lines = new Map<string | null, Series['largest'][number]>()
  for (const { bucket, value, n } of rows) {
    const line = lines.get(value) ?? { value, count: 0, buckets: [] }
    line.count += Number(n)
    line.buckets.push({ startUs: Number(bucket) * bucketUs, count: Number(n) })
    lines.set(value, line)
  }
  const byTime = (a: { startUs: number }, b: { startUs: number }) => a.startUs - b.startUs
  const ranked = [...lines.values()].sort((a, b) => b.count - a.count || compareValues(a.value, b.value))
  for (const { buckets } of ranked) buckets.sort(byTime)
  return {
    largest: ranked.slice(0, limit),
    others: ranked.slice(limit).flatMap(({ buckets }) => buckets),
    groups: ranked.length,
    total: ranked.reduce((sum, { count }) => sum + count, 0),
  }
}

/** By the bytes of their text, as the engine sorts, and records without one last. */
function compareValues(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** `line`: where the buckets start, and what is in each. */
type SeriesRow = { value: string | null; groups: string; records: string; line: [string[], string[]] }

/** The values are ranked and their buckets gathered in the engine, so that only the most frequent are read. */
async function readRanked(
  read: Read,
  { signal }: Selection,
  { bucketUs, limit }: SeriesQuestion,
  { perBucket, values, settings }: SeriesParts,
): Promise<Series> {
  const perValue = `SELECT value, sum(n) AS records, groupArray(bucket) AS starts, groupArray(n) AS counts FROM (${perBucket}) GROUP BY value`
  const ranked = `SELECT *, row_number() OVER (ORDER BY records DESC, value) AS place FROM (${perValue})`
  // All values beyond the limit come together in one last row.
  const query = `SELECT least(place, {limit:UInt32} + 1) AS slot, any(value) AS value, count() AS groups, sum(records) AS records,
sumMap(starts, counts) AS line
FROM (${ranked}) GROUP BY slot ORDER BY slot`
  const rows = await read<SeriesRow>(query, { ...values, limit: checked(limit, 1, MAX_GROUPS) }, signal, settings)
  const lines = rows.map(({ value, records, line: [starts, counts] }) => ({
    value,
    count: Number(records),
    buckets: starts.map((start, at) => ({ startUs: Number(start) * bucketUs, count: Number(counts[at]) })),
  }))
  return {
    largest: lines.slice(0, limit),
    others: lines[limit]?.buckets ?? [],
    groups: rows.reduce((sum, { groups }) => sum + Number(groups), 0),
    total: lines.reduce((sum, { count }) => sum + count, 0),
  }
}

type Column = { name: string; sql: string }

/** A subquery of counts (`part`) by the columns, and by `bucket` when there is one. A group may appear in it twice. */
export function counting(
  { range, filter }: Selection,
  columns: readonly Column[],
  fields: readonly Field[],
  slices?: { bucketUs: number; originUs: number },
): { sql: string; values: Values; settings: CompiledQuery['settings'] } {
  const compiled = compileQuery(filter)
  const { where, params, settings } = compiled
  const values: Values = { ...params, ...rangeValues(range), ...slices }
  const part = (condition: string, timeUs: string) => {
    const keys = [...columns]
    if (slices) keys.unshift({ name: 'bucket', sql: `intDiv(${timeUs} - {originUs:Int64}, {bucketUs:Int64})` })
    const groupBy = keys.length === 0 ? '' : ` GROUP BY ${keys.map(({ name }) => name).join(', ')}`
    const selected = [...keys.map(({ name, sql }) => `${sql} AS ${name}`), 'count() AS part'].join(', ')
    return `SELECT ${selected} FROM ${ofProject(compiled)} AND ${condition} AND (${where})${groupBy}`
  }
  const raw = (condition: string) => part(condition, 'toUnixTimestamp64Micro(time)')
  const minutes = wholeMinutes(range)
  const { bucketUs, originUs } = slices ?? { bucketUs: MINUTE_US, originUs: 0 }
  const isKept = bucketUs % MINUTE_US === 0 && originUs % MINUTE_US === 0 && isCountedPerMinute(filter, fields)
  if (minutes === null || !isKept) return { sql: raw(WITHIN), values, settings }
  return {
    sql: `${part(withinMinutes('minutesFrom', 'minutesTo'), MINUTE_OF_RECORD)} UNION ALL ${raw(AT_THE_ENDS)}`,
    settings,
    values: {
      ...values,
      minutesFromUs: minutes.fromUs,
      minutesToUs: minutes.toUs,
      minutesFrom: minutes.fromUs / 1e6,
      minutesTo: minutes.toUs / 1e6,
    },
  }
}

const AT_THE_ENDS = `((time >= ${timeOf('fromUs')} AND time < ${timeOf('minutesFromUs')}) OR (time >= ${timeOf('minutesToUs')} AND time < ${timeOf('toUs')}))`

/** The fields that the counts per minute tell apart. */
export const COUNTED_PER_MINUTE: ReadonlySet<string> = new Set(['environment', 'level', 'service'])

export function isCountedPerMinute({ root }: Query, fields: readonly Field[]): boolean {
  const asked = [...fields, ...termsOf(root).map((term) => (term.kind === 'text' ? null : term.field))]
  return asked.every((field) => field?.kind === 'core' && COUNTED_PER_MINUTE.has(field.name))
}
