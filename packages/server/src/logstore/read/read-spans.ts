/**
 * Counts of many spans of time in one read. The spans become a table that the records are joined with: a page of
 * analyses costs the engine as much as one analysis does, apart from the time it covers.
 */
import type { SplitField } from '../../model/grouping-rule.ts'
import type { ErrorSpan, RecordSpan, SpanValue, TimeRange } from '../log-store.ts'
import { SPAN_VALUES } from '../log-store.ts'
import { OF_PROJECT, type Read, type Values } from './read-connection.ts'
import { checkedTime, MINUTE_OF_RECORD, timeOf, wholeMinutes, withinMinutes } from './read-range.ts'
import { SPLIT_VALUES } from './segment-errors.ts'

/** So that the lists, even with the longest names of environments, stay below what an address may hold. */
const LINES_A_QUESTION = 400
/** Stretches of time that are read; beyond this, those with the smallest gaps between them become one. */
const MAX_STRETCHES = 16

/** A line of the table: records of one kind, counted for the span at `slot`. */
type Line = { slot: number; range: TimeRange; environment: string }
/** Whose lists they are, where one statement has several. */
type Table = 'error' | 'minute' | 'end'
type ErrorLine = Line & { fingerprint: string; isEverywhere: boolean; by: string; split: string; splitValue: string }

export async function countErrorSpans(
  read: Read,
  spans: readonly ErrorSpan[],
  signal?: AbortSignal,
): Promise<SpanValue[][]> {
  const lines = spans.flatMap(({ kinds, range, environment, by }, slot) =>
    kinds.map(
      ({ fingerprint, split }): ErrorLine => ({
        slot,
        range,
        environment: environment ?? '',
        isEverywhere: environment === null,
        fingerprint,
        by: by ?? '',
        split: split?.field ?? '',
        splitValue: split?.value ?? '',
      }),
    ),
  )
  const counts: SpanValue[][] = spans.map(() => [])
  for (const part of bySlot(lines)) {
    const { sql, values } = errorStatement(part)
    for (const { slot, value, records } of await read<SpanRow>(sql, values, signal)) {
      counts[slot]?.push({ value, count: Number(records) })
    }
  }
  return counts
}

type SpanRow = { slot: number; value: string; records: string }

function errorStatement(lines: readonly ErrorLine[]): { sql: string; values: Values } {
  const stretches = stretchesOf(lines, 'error')
  const isSplit = lines.some(({ split }) => split !== '')
  const splits = Object.entries(isSplit ? SPLIT_VALUES : {}) as [SplitField, string][]
  const columns = splits.map(([field, sql]) => `, ${sql} AS by_${field}`).join('')
  const branches = splits.map(([field]) => `split = '${field}', by_${field}`).join(', ')
  const sql = `SELECT slot, multiIf(by = 'release', toString(release), by = 'environment', toString(environment), '') AS value, count() AS records
FROM (SELECT fingerprint, environment, release, toUnixTimestamp64Micro(time) AS at${columns}
  FROM ${OF_PROJECT} AND fingerprint IN {fingerprints:Array(UInt64)} AND (${stretches.sql})) AS found
INNER JOIN (SELECT ${ERROR_TABLE}) AS asked ON found.fingerprint = asked.kind
WHERE at >= span_from AND at < span_to AND (is_everywhere OR environment = place)${isSplit ? ` AND (split = '' OR multiIf(${branches}, '') = split_value)` : ''}
GROUP BY slot, value ORDER BY slot, records DESC, value LIMIT ${SPAN_VALUES} BY slot`
  const kinds = lines.map(({ fingerprint }) => BigInt(`0x${fingerprint}`))
  return {
    sql,
    values: {
      ...stretches.values,
      ...lineValues(lines, 'error'),
      fingerprints: [...new Set(kinds)],
      kinds,
      everywhere: lines.map(({ isEverywhere }) => (isEverywhere ? 1 : 0)),
      bys: lines.map(({ by }) => by),
      splits: lines.map(({ split }) => split),
      splitValues: lines.map(({ splitValue }) => splitValue),
    },
  }
}

/** `name` keeps the lists of two tables in one statement apart. */
function tableOf(name: string): string {
  const list = (values: string, type: string) => `{${name}${values}:Array(${type})}`
  return `arrayJoin(arrayEnumerate(${list('Slots', 'UInt32')})) AS line, ${list('Slots', 'UInt32')}[line] AS slot, ${list('Froms', 'Int64')}[line] AS span_from, ${list('Tos', 'Int64')}[line] AS span_to, ${list('Places', 'String')}[${list('PlaceOf', 'UInt32')}[line]] AS place`
}

const ERROR_TABLE = `${tableOf('error')}, {kinds:Array(UInt64)}[line] AS kind, {everywhere:Array(UInt8)}[line] AS is_everywhere, {bys:Array(String)}[line] AS by, {splits:Array(String)}[line] AS split, {splitValues:Array(String)}[line] AS split_value`

/** All records of environments. Whole minutes come from the counts that the table keeps, as in `read-counts.ts`. */
export async function countRecordSpans(
  read: Read,
  spans: readonly RecordSpan[],
  signal?: AbortSignal,
): Promise<number[]> {
  const counts = spans.map(() => 0)
  const lines = spans.map(({ range, environment }, slot) => ({ slot, range, environment }))
  for (const part of bySlot(lines)) {
    const { sql, values } = recordStatement(part)
    for (const { slot, records } of await read<SpanRow>(sql, values, signal)) counts[slot] = Number(records)
  }
  return counts
}

function recordStatement(lines: readonly Line[]): { sql: string; values: Values } {
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
    ...(minutes.length > 0 ? [recordPart(minutes, 'minute')] : []),
    ...(left.length > 0 ? [recordPart(left, 'end')] : []),
  ]
  return {
    sql: `SELECT slot, sum(part) AS records FROM (${parts.map(({ sql }) => sql).join(' UNION ALL ')}) GROUP BY slot`,
    values: Object.assign({}, ...parts.map(({ values }) => values)),
  }
}

function recordPart(lines: readonly Line[], name: 'minute' | 'end'): { sql: string; values: Values } {
  const stretches = stretchesOf(lines, name)
  const at = name === 'minute' ? MINUTE_OF_RECORD : 'toUnixTimestamp64Micro(time)'
  const found = `SELECT environment, ${at} AS at, count() AS n FROM ${OF_PROJECT} AND (${stretches.sql}) GROUP BY environment, at`
  return {
    sql: `SELECT slot, sum(n) AS part FROM (${found}) AS found
INNER JOIN (SELECT ${tableOf(name)}) AS asked ON found.environment = asked.place
WHERE at >= span_from AND at < span_to GROUP BY slot`,
    values: { ...stretches.values, ...lineValues(lines, name) },
  }
}

function lineValues(lines: readonly Line[], name: Table): Values {
  const places = [...new Set(lines.map(({ environment }) => environment))]
  return {
    [`${name}Slots`]: lines.map(({ slot }) => slot),
    [`${name}Froms`]: lines.map(({ range }) => checkedTime(range.fromUs)),
    [`${name}Tos`]: lines.map(({ range }) => checkedTime(range.toUs)),
    [`${name}Places`]: places,
    [`${name}PlaceOf`]: lines.map(({ environment }) => places.indexOf(environment) + 1),
  }
}

/** A span is never split: its values are ranked together. */
function* bySlot<One extends Line>(lines: readonly One[]): Generator<One[]> {
  let part: One[] = []
  for (const line of lines) {
    if (part.length >= LINES_A_QUESTION && part.at(-1)?.slot !== line.slot) {
      yield part
      part = []
    }
    part.push(line)
  }
  if (part.length > 0) yield part
}

/** The time that the lines cover, as a condition that the order of the table answers. */
function stretchesOf(lines: readonly Line[], name: Table): { sql: string; values: Values } {
  const values: Values = {}
  const conditions = joined(lines.map(({ range }) => range)).map(({ fromUs, toUs }, at) => {
    const [from, to] = [`${name}From${at}`, `${name}To${at}`]
    const inMinutes = name === 'minute'
    values[from] = inMinutes ? fromUs / 1e6 : fromUs
    values[to] = inMinutes ? toUs / 1e6 : toUs
    return inMinutes ? `(${withinMinutes(from, to)})` : `(time >= ${timeOf(from)} AND time < ${timeOf(to)})`
  })
  return { sql: conditions.join(' OR '), values }
}

function joined(ranges: readonly TimeRange[]): TimeRange[] {
  const stretches: TimeRange[] = []
  for (const { fromUs, toUs } of [...ranges].sort((a, b) => a.fromUs - b.fromUs)) {
    const last = stretches.at(-1)
    if (last !== undefined && fromUs <= last.toUs) last.toUs = Math.max(last.toUs, toUs)
    else stretches.push({ fromUs, toUs })
  }
  while (stretches.length > MAX_STRETCHES) {
    const gaps = stretches.slice(1).map(({ fromUs }, at) => fromUs - stretches[at]!.toUs)
    const at = gaps.indexOf(Math.min(...gaps))
    stretches.splice(at, 2, { fromUs: stretches[at]!.fromUs, toUs: stretches[at + 1]!.toUs })
  }
  return stretches
}
