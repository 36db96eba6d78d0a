/**
 * Measures of a field by group and over time: how many different values it has, or the average, the highest and the
 * percentiles of its numbers. All are read from the records, and each group takes a bounded amount of memory, however many
 * records it has: percentiles come from a digest, and beyond some thousands distinct values are estimated.
 */
import { CORE_FIELDS, type Field } from '@tidemark/wire/query/fields'
import { AppError } from '../../errors.ts'
import { compileQuery } from '../query/compile-query.ts'
import {
  type Bucketing,
  FIELD_SAMPLE,
  type FieldMeasure,
  type MeasuredBucket,
  type MeasuredGroups,
  type NumberSummary,
  type Selection,
} from '../questions.ts'
import { fieldExpression } from './field-expression.ts'
import { NEWEST_FIRST, ofProject, type Read, type Values } from './read-connection.ts'
import { checked, MAX_SLICE_US, rangeValues, WITHIN } from './read-range.ts'

const MAX_GROUPS = 1_000
/** The digest has single precision: more digits would be noise. */
const DIGITS_OF_DIGEST = 6
const DIGITS = 12

type Row = { g0?: string | null; g1?: string | null; g2?: string | null } & Measured & { groups: string; total: string }
type Measured = { records: string; measured: string | number | null }

export async function measureGroups(
  read: Read,
  selection: Selection,
  { fields, measure, limit }: { fields: readonly Field[]; measure: FieldMeasure; limit: number },
): Promise<MeasuredGroups> {
  const expressions = fields.map((field, index) => fieldExpression(field, `group${index}`))
  const names = expressions.map((_, index) => `g${index}`)
  const { from, value, aggregate, values, settings } = measuring(selection, measure)
  const keys = expressions.map(({ sql }, index) => `${sql} AS g${index}, `).join('')
  const groupBy = names.length === 0 ? '' : `GROUP BY ${names.join(', ')}`
  const query = `SELECT *, count() OVER () AS groups, sum(records) OVER () AS total
FROM (SELECT ${names.map((name) => `${name}, `).join('')}count() AS records, ${aggregate} AS measured
  FROM (SELECT ${keys}${value} AS value FROM ${from}) ${groupBy})
ORDER BY ${['isNull(measured)', 'measured DESC', 'records DESC', ...names].join(', ')} LIMIT {limit:UInt32}`
  const rows = await read<Row>(
    query,
    Object.assign({ limit: checked(limit, 1, MAX_GROUPS) }, values, ...expressions.map((one) => one.values)),
    selection.signal,
    settings,
  )
  return {
    highest: rows.map((row) => ({
      values: [row.g0, row.g1, row.g2].slice(0, fields.length).map((value) => value ?? null),
      count: Number(row.records),
      measured: measuredOf(row, measure),
    })),
    groups: Number(rows[0]?.groups ?? 0),
    total: Number(rows[0]?.total ?? 0),
  }
}

export async function measureBuckets(
  read: Read,
  selection: Selection,
  { bucketUs, originUs = 0, split, measure }: Bucketing & { measure: FieldMeasure },
): Promise<MeasuredBucket[]> {
  const expression = split && fieldExpression(split.field, 'splitField')
  const { from, value: measuredValue, aggregate, values, settings } = measuring(selection, measure)
  const bucket = `intDiv(toUnixTimestamp64Micro(time) - {originUs:Int64}, {bucketUs:Int64})`
  // 0 is for all others; measured together, because percentiles cannot be added up.
  const told = expression ? `indexOf({split:Array(String)}, ifNull(${expression.sql}, ''))` : '0'
  const sets = expression ? 'GROUPING SETS ((bucket), (bucket, told))' : 'bucket, told'
  const whole = expression ? 'grouping(told)' : '1'
  const query = `SELECT bucket, told, ${whole} AS isWhole, count() AS records, ${aggregate} AS measured
FROM (SELECT ${bucket} AS bucket, ${told} AS told, ${measuredValue} AS value FROM ${from}) GROUP BY ${sets}`
  const rows = await read<Measured & { bucket: string; told: string; isWhole: string | number }>(
    query,
    {
      ...values,
      ...expression?.values,
      bucketUs: checked(bucketUs, 1, MAX_SLICE_US),
      originUs,
      ...(split ? { split: split.values } : {}),
    },
    selection.signal,
    settings,
  )
  return rows.map((row) => {
    const point = {
      startUs: originUs + Number(row.bucket) * bucketUs,
      count: Number(row.records),
      measured: measuredOf(row, measure),
    }
    const value = split?.values[Number(row.told) - 1]
    if (Number(row.isWhole) === 1) return { ...point, of: 'all' }
    return value === undefined ? { ...point, of: 'others' } : { ...point, of: 'value', value }
  })
}

const AGGREGATE: Record<FieldMeasure['kind'], string> = {
  distinct: 'uniqCombined64(14)(value)',
  avg: 'avg(value)',
  max: 'max(value)',
  p50: 'quantileTDigest(0.5)(value)',
  p95: 'quantileTDigest(0.95)(value)',
  p99: 'quantileTDigest(0.99)(value)',
}

function measuring({ range, filter }: Selection, { kind, field }: FieldMeasure) {
  const compiled = compileQuery(filter)
  const { sql, values } = kind === 'distinct' ? fieldExpression(field, 'measured') : numberExpression(field, 'measured')
  const allValues: Values = { ...compiled.params, ...rangeValues(range), ...values }
  return {
    from: `${ofProject(compiled)} AND ${WITHIN} AND (${compiled.where})`,
    value: sql,
    aggregate: AGGREGATE[kind],
    values: allValues,
    settings: compiled.settings,
  }
}

/** NULL for what is no number. The engine reads text such as `inf` as one, which would spoil every average. */
function numberExpression(field: Field, parameter: string): { sql: string; values: Values } {
  if (field.kind === 'core') {
    const about = CORE_FIELDS[field.name].about
    throw new AppError('invalid_request', `${field.name} (${about}) holds no numbers. Measure an attribute that does.`)
  }
  const number = `toFloat64OrNull(trim(BOTH '"' FROM attributes[{${parameter}:String}]))`
  return { sql: `if(isFinite(${number}), ${number}, NULL)`, values: { [parameter]: field.name } }
}

const SUMMARY = `count(value) AS count, min(value) AS min, max(value) AS max,
  quantileTDigest(0.5)(value) AS p50, quantileTDigest(0.95)(value) AS p95, quantileTDigest(0.99)(value) AS p99`

/** The range and the percentiles of an attribute's numbers in the newest records; undefined where it has none. */
export async function summarizeNumbers(
  read: Read,
  { range, filter, signal }: Selection,
  { field, sample }: { field: Field; sample: number },
): Promise<NumberSummary | undefined> {
  const compiled = compileQuery(filter)
  const { sql, values } = numberExpression(field, 'measured')
  const newest = `SELECT attributes FROM ${ofProject(compiled)} AND ${WITHIN} AND (${compiled.where}) ${NEWEST_FIRST} LIMIT ${checked(sample, 1, FIELD_SAMPLE)}`
  const [row] = await read<Record<keyof NumberSummary, string | number | null>>(
    `SELECT ${SUMMARY} FROM (SELECT ${sql} AS value FROM (${newest}))`,
    { ...compiled.params, ...rangeValues(range), ...values },
    signal,
    compiled.settings,
  )
  if (row === undefined || Number(row.count) === 0) return undefined
  return {
    count: Number(row.count),
    min: rounded(row.min, DIGITS),
    p50: rounded(row.p50, DIGITS_OF_DIGEST),
    p95: rounded(row.p95, DIGITS_OF_DIGEST),
    p99: rounded(row.p99, DIGITS_OF_DIGEST),
    max: rounded(row.max, DIGITS),
  }
}

function measuredOf({ measured }: Measured, { kind }: FieldMeasure): number | null {
  if (measured === null) return null
  const isOfDigest = kind === 'p50' || kind === 'p95' || kind === 'p99'
  return rounded(measured, isOfDigest ? DIGITS_OF_DIGEST : DIGITS)
}

function rounded(number: string | number | null, digits: number): number {
  return Number(Number(number).toPrecision(digits))
}
