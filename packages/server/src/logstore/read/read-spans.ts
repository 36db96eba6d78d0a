/**
 * Counts of many spans of time in one read. The spans become a table that the records are joined with: a page of
 * analyses costs the engine as much as one analysis does, apart from the time it covers.
 */
import type { ErrorKind } from '../../model/grouping-rule.ts'
import { LEVEL_NUMBER } from '../../model/level.ts'
import type { TimeRange } from '../../model/time-range.ts'
import type { BucketedSpan, ErrorSpan, RecordSpan, ServiceSpan, SpanBucket, SpanValue } from '../questions.ts'
import { SPAN_BUCKETS, SPAN_VALUES } from '../questions.ts'
import { fingerprintsOf, KIND_COLUMNS, kindValues, splitting } from './error-kinds.ts'
import { OF_PROJECT, type Read, type Values } from './read-connection.ts'
import { checked, MINUTE_OF_RECORD, wholeMinutes } from './read-range.ts'
import { type Line, linesBySlot, lineValues, stretchesOf, tableOf } from './span-table.ts'

type Statement = { sql: string; values: Values }
type ErrorLine = Line & ErrorKind & { isEverywhere: boolean; by: string }

export async function countErrorSpans(
  read: Read,
  spans: readonly ErrorSpan[],
  signal?: AbortSignal,
): Promise<SpanValue[][]> {
  const counts: SpanValue[][] = spans.map(() => [])
  for (const part of errorParts(spans)) {
    const { sql, values } = errorStatement(part)
    for (const { slot, value, records } of await read<SpanRow>(sql, values, signal)) {
      counts[slot]?.push({ value, count: Number(records) })
    }
  }
  return counts
}

type SpanRow = { slot: number; value: string; records: string }

function errorStatement(lines: readonly ErrorLine[]): Statement {
  const errors = errorsOf(lines)
  const sql = `SELECT slot, multiIf(by = 'release', toString(release), by = 'environment', toString(environment), '') AS value, count() AS records
${errors.sql}
GROUP BY slot, value ORDER BY slot, records DESC, value LIMIT ${SPAN_VALUES} BY slot`
  return { sql, values: errors.values }
}

/** One row for each span, or a long one of fine buckets would fill the answer. */
export async function countErrorBuckets(
  read: Read,
  spans: readonly BucketedSpan[],
  signal?: AbortSignal,
): Promise<SpanBucket[][]> {
  const counts: SpanBucket[][] = spans.map(() => [])
  for (const { range, bucketUs } of spans) {
    checked(Math.ceil((range.toUs - range.fromUs) / checked(bucketUs, 1, Number.MAX_SAFE_INTEGER)), 0, SPAN_BUCKETS)
  }
  for (const part of errorParts(spans.map((span) => ({ ...span, by: null })))) {
    const errors = errorsOf(part)
    const sql = `SELECT slot, arraySort(groupArray((bucket, records))) AS buckets
FROM (SELECT slot, intDiv(at - span_from, {bucketsUs:Array(Int64)}[line]) AS bucket, count() AS records
${errors.sql} GROUP BY slot, bucket) GROUP BY slot`
    const bucketsUs = part.map(({ slot }) => spans[slot]!.bucketUs)
    const rows = await read<BucketRow>(sql, { ...errors.values, bucketsUs }, signal)
    for (const { slot, buckets } of rows) {
      counts[slot] = buckets.map(([at, count]) => ({ at: Number(at), count: Number(count) }))
    }
  }
  return counts
}

type BucketRow = { slot: number; buckets: [at: string, count: string][] }

function errorParts(spans: readonly ErrorSpan[]): Iterable<ErrorLine[]> {
  const lines = spans.flatMap(({ kinds, range, environment, by }, slot) => {
    const line = { slot, range, environment: environment ?? '', isEverywhere: environment === null, by: by ?? '' }
    return kinds.map((kind): ErrorLine => ({ ...line, ...kind }))
  })
  return linesBySlot(lines, ({ split }) => [split?.value ?? ''])
}

/** Errors with the line that asks for each, from FROM to WHERE. */
function errorsOf(lines: readonly ErrorLine[]): Statement {
  const stretches = stretchesOf(
    lines.map(({ range }) => range),
    'error',
  )
  const split = splitting(lines)
  const sql = `FROM (SELECT fingerprint, environment, release, toUnixTimestamp64Micro(time) AS at${split.columns}
  FROM ${OF_PROJECT} AND fingerprint IN {fingerprints:Array(UInt64)} AND (${stretches.sql})) AS found
INNER JOIN (SELECT ${ERROR_TABLE}) AS asked ON found.fingerprint = asked.kind
WHERE at >= span_from AND at < span_to AND (is_everywhere OR environment = place)${split.condition}`
  return {
    sql,
    values: {
      ...stretches.values,
      ...lineValues(lines, 'error'),
      ...kindValues(lines),
      fingerprints: fingerprintsOf(lines),
      everywhere: lines.map(({ isEverywhere }) => (isEverywhere ? 1 : 0)),
      bys: lines.map(({ by }) => by),
    },
  }
}

const ERROR_TABLE = `${tableOf('error')}, ${KIND_COLUMNS}, {everywhere:Array(UInt8)}[line] AS is_everywhere, {bys:Array(String)}[line] AS by`

/** All records of environments. Whole minutes come from the counts that the table keeps, as in `read-counts.ts`. */
export async function countRecordSpans(
  read: Read,
  spans: readonly RecordSpan[],
  signal?: AbortSignal,
): Promise<number[]> {
  const counts = spans.map(() => 0)
  for (const part of recordParts(spans)) {
    const { sql, values } = recordStatement(part, PLAIN)
    const query = `SELECT slot, sum(n) AS records FROM (${sql}) GROUP BY slot`
    for (const { slot, records } of await read<SpanRow>(query, values, signal)) counts[slot] = Number(records)
  }
  return counts
}

/** One row for each span, with its services in a list: of many spans and services there would be too many rows. */
export async function countServiceSpans(
  read: Read,
  spans: readonly RecordSpan[],
  signal?: AbortSignal,
): Promise<ServiceSpan[]> {
  const counts = spans.map((): ServiceSpan => ({ records: 0, errors: 0, services: [] }))
  for (const part of recordParts(spans)) {
    const { sql, values } = recordStatement(part, BY_SERVICE)
    const perService = `SELECT slot, service, sum(n) AS records, sum(loud) AS errors FROM (${sql}) GROUP BY slot, service`
    const query = `SELECT slot, sum(records) AS all_records, sum(errors) AS all_errors,
arraySlice(arraySort(one -> (-toInt64(one.2), one.1), groupArray((toString(service), records, errors))), 1, ${SPAN_VALUES}) AS services
FROM (${perService}) GROUP BY slot`
    for (const row of await read<ServiceRow>(query, values, signal)) {
      const services = row.services.map(([service, records, errors]) => {
        return { service, records: Number(records), errors: Number(errors) }
      })
      counts[row.slot] = { records: Number(row.all_records), errors: Number(row.all_errors), services }
    }
  }
  return counts
}

type ServiceRow = {
  slot: number
  all_records: string
  all_errors: string
  services: [service: string, records: string, errors: string][]
}

function recordParts(spans: readonly RecordSpan[]): Iterable<Line[]> {
  const lines = spans.map(({ range, environment }, slot) => ({ slot, range, environment }))
  return linesBySlot(lines.filter(({ range }) => range.fromUs < range.toUs))
}

/** By which columns records are counted, and what is kept of a count. A group may appear twice. */
type Counted = { columns: string; kept: string }
const PLAIN: Counted = { columns: '', kept: 'n' }
const BY_SERVICE: Counted = {
  columns: ', service, level',
  kept: `service, n, if(toInt8(level) >= ${LEVEL_NUMBER.error}, n, 0) AS loud`,
}

function recordStatement(lines: readonly Line[], counted: Counted): Statement {
  const [minutes, ends]: [Line[], Line[]] = [[], []]
  for (const line of lines) {
    const { fromUs, toUs } = line.range
    const whole = wholeMinutes(line.range)
    if (whole === null) ends.push(line)
    else {
      minutes.push({ ...line, range: whole })
      ends.push({ ...line, range: { fromUs, toUs: whole.fromUs } }, { ...line, range: { fromUs: whole.toUs, toUs } })
    }
  }
  const left = ends.filter(({ range }) => range.fromUs < range.toUs)
  const parts = [
    ...(minutes.length > 0 ? [recordPart(minutes, 'minute', counted)] : []),
    ...(left.length > 0 ? [recordPart(left, 'end', counted)] : []),
  ]
  return {
    sql: parts.map(({ sql }) => sql).join(' UNION ALL '),
    values: Object.assign({}, ...parts.map(({ values }) => values)),
  }
}

/**
 * Cuts time at the ends of all spans and counts records per piece before joining them. Joined one by one, each record
 * would be paired with every span of its environment.
 */
function recordPart(lines: readonly Line[], name: 'minute' | 'end', { columns, kept }: Counted): Statement {
  const ranges = lines.map(({ range }) => range)
  const stretches = stretchesOf(ranges, name)
  const at = name === 'minute' ? MINUTE_OF_RECORD : 'toUnixTimestamp64Micro(time)'
  const edges = `{${name}Edges:Array(Int64)}`
  const records = `SELECT environment, roundDown(${at}, ${edges}) AS piece${columns}, count() AS n FROM ${OF_PROJECT} AND (${stretches.sql}) GROUP BY environment, piece${columns}`
  const pieces = `arrayJoin(arrayFilter(edge -> edge >= span_from AND edge < span_to, ${edges})) AS piece_of_span`
  return {
    sql: `SELECT slot, ${kept} FROM (${records}) AS found
INNER JOIN (SELECT ${tableOf(name)}, ${pieces}) AS asked ON found.environment = asked.place AND found.piece = asked.piece_of_span`,
    values: { ...stretches.values, ...lineValues(lines, name), [`${name}Edges`]: edgesOf(ranges) },
  }
}

function edgesOf(ranges: readonly TimeRange[]): number[] {
  return [...new Set(ranges.flatMap(({ fromUs, toUs }) => [fromUs, toUs]))].sort((a, b) => a - b)
}
