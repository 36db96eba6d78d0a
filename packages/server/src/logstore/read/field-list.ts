/**
 * Lists the fields that records of a selection have, how many records have each, and the most frequent values. The
 * newest records are a sample: which fields there are changes slowly.
 * With `countsUpTo`, the values of columns and of a single attribute are counted in all records of a window.
 */
import type { Query } from '@tidemark/wire/query/ast'
import type { CoreField, Field } from '@tidemark/wire/query/fields'
import { compileQuery } from '../query/compile-query.ts'
import { FIELD_SAMPLE, type FieldList, type FieldListing, type FoundField, type Selection } from '../questions.ts'
import { unquotedSql } from '../schema/attribute-text.ts'
import { COLUMN_OF } from '../schema/columns.ts'
import { ITEMS, ownItems, sentItems, shortened } from './field-expression.ts'
import { NEWEST_FIRST, ofProject, type Read, type Values } from './read-connection.ts'
import { COUNTED_PER_MINUTE, counting, countTotal, isCountedPerMinute } from './read-counts.ts'
import { summarizeNumbers } from './read-measures.ts'
import { checked, rangeValues, WITHIN } from './read-range.ts'

const MAX_FIELDS = 2_000
const MAX_VALUES = 1_000

/** Ids and long texts are left out: their values are of no use in a list, and `has:` finds records with them. */
const LISTED = ['level', 'service', 'environment', 'host', 'logger', 'release', 'traceId', 'error.type'] as const
type Listed = (typeof LISTED)[number]
const EVERY_RECORD: Query = { root: null }

type Row = {
  own: number
  name: string
  value: string
  records: string
  total: string
  distinct: string
  numbers: string
  booleans: string
}
/** A SELECT of values (`own`, `name`, `text`) with how many records have each (`n`). Always includes the levels. */
type Source = { sql: string; values: Values }

export async function listFields(read: Read, selection: Selection, listing: FieldListing): Promise<FieldList> {
  const { field, prefix, contains, countsUpTo } = listing
  const inWindow = countsUpTo ? await countTotal(read, { ...selection, filter: EVERY_RECORD }) : 0
  const counted = countedFields(selection.filter, listing, inWindow)
  const isAttributeCounted = field?.kind === 'attribute' && inWindow <= (countsUpTo?.ofAttribute ?? -1)
  const own = LISTED.filter((name) => isWanted(field, name) && !counted.includes(name))
  const hasSample = field === undefined || own.length > 0 || (field.kind === 'attribute' && !isAttributeCounted)
  const [exact, sampled, numbers] = await Promise.all([
    counted.length > 0 || isAttributeCounted
      ? readRows(read, selection, listing, countedSource(selection, counted, isAttributeCounted))
      : null,
    hasSample ? readRows(read, selection, listing, sampleSource(selection, field, own)) : null,
    field?.kind === 'attribute' && !prefix && !contains
      ? summarizeNumbers(read, selection, { field, sample: FIELD_SAMPLE })
      : undefined,
  ])
  const fields = [...toList(exact ?? [], listing, counted), ...toList(sampled ?? [], listing, own)].sort(byCoverage)
  if (fields[0] && numbers) fields[0].numbers = numbers
  const total = exact && toSize(exact)
  return {
    total,
    sampled: sampled ? toSize(sampled) : (total ?? 0),
    fields: fields.slice(0, listing.maxFields),
  }
}

function isWanted(field: Field | undefined, name: CoreField): boolean {
  return field === undefined || (field.kind === 'core' && field.name === name)
}

/** Fields of which all records are counted: from the counts per minute where they suffice, else if there are not too many. */
function countedFields(filter: Query, { field, countsUpTo }: FieldListing, inWindow: number): Listed[] {
  if (countsUpTo === undefined) return []
  const isCheap = isCountedPerMinute(filter, [])
  return LISTED.filter(
    (name) =>
      isWanted(field, name) &&
      name !== 'traceId' &&
      (inWindow <= countsUpTo.ofColumns || (isCheap && COUNTED_PER_MINUTE.has(name))),
  )
}

/** Reads the newest records. Each becomes one row for each field it has. */
function sampleSource({ range, filter }: Selection, field: Field | undefined, own: readonly Listed[]): Source {
  const compiled = compileQuery(filter)
  const withLevel = [...new Set<Listed>(['level', ...own])]
  const hasSent = field?.kind !== 'core'
  const columns = [...withLevel.map((name) => COLUMN_OF[name]), ...(hasSent ? ['attributes'] : [])].join(', ')
  const sent = field ? ONE_SENT : sentItems()
  const items = hasSent ? `arrayConcat(${ownItems(withLevel)}, ${sent})` : ownItems(withLevel)
  const newest = `SELECT ${columns} FROM ${ofProject(compiled)} AND ${WITHIN} AND (${compiled.where}) ${NEWEST_FIRST} LIMIT ${FIELD_SAMPLE}`
  return {
    sql: `SELECT item.1 AS own, item.2 AS name, item.3 AS text, 1 AS n FROM (${newest}) ARRAY JOIN ${items} AS item`,
    values: { ...compiled.params, ...rangeValues(range), name: field?.name ?? '' },
  }
}

const ONE_SENT = `if(mapContains(attributes, {name:String}), [(0, {name:String}, attributes[{name:String}])], [])::${ITEMS}`

/** Reads all records, once: grouping sets count each column by itself. */
function countedSource(selection: Selection, own: readonly Listed[], hasAttribute: boolean): Source {
  const isCheap = isCountedPerMinute(selection.filter, [])
  const perMinute = isCheap
    ? ([...COUNTED_PER_MINUTE] as Listed[]).filter((name) => name === 'level' || own.includes(name))
    : []
  const columns = new Set<Listed>(own.filter((name) => !perMinute.includes(name)))
  if (!isCheap) columns.add('level')
  const keys = [...columns].map((name) => ({ own: 1, name: `'${name}'`, sql: COLUMN_OF[name] }))
  if (hasAttribute) keys.push({ own: 0, name: '{name:String}', sql: SENT_TEXT })
  const sources = [
    ...(perMinute.length > 0 ? [perMinuteSource(selection, perMinute)] : []),
    ...(keys.length > 0 ? [groupedSource(selection, keys)] : []),
  ]
  return {
    sql: sources.map(({ sql }) => sql).join(' UNION ALL '),
    values: Object.assign({}, ...sources.map(({ values }) => values)),
  }
}

const SENT_TEXT = 'if(mapContains(attributes, {name:String}), attributes[{name:String}], NULL)'

function perMinuteSource(selection: Selection, names: readonly Listed[]): Source {
  const columns = names.map((name) => ({ name: COLUMN_OF[name], sql: COLUMN_OF[name] }))
  const { sql, values } = counting(
    selection,
    columns,
    names.map((name) => ({ kind: 'core', name })),
  )
  return {
    sql: `SELECT item.1 AS own, item.2 AS name, item.3 AS text, part AS n FROM (${sql}) ARRAY JOIN ${ownItems(names)} AS item`,
    values,
  }
}

type Key = { own: number; name: string; sql: string }

function groupedSource({ range, filter }: Selection, keys: readonly Key[]): Source {
  const compiled = compileQuery(filter)
  const columns = keys.map(({ sql }, at) => `${sql} AS key${at}`).join(', ')
  const choose = (choices: readonly string[]) =>
    choices.length === 1
      ? choices[0]
      : `multiIf(${choices
          .slice(0, -1)
          .map((choice, at) => `grouping(key${at}) = 0, ${choice}`)
          .join(', ')}, ${choices.at(-1)})`
  const sets = keys.map((_, at) => `(key${at})`).join(', ')
  return {
    sql: `SELECT * FROM (SELECT ${choose(keys.map(({ own }) => `${own}`))} AS own, ${choose(keys.map(({ name }) => name))} AS name, ${choose(keys.map((_, at) => `toString(key${at})`))} AS text, count() AS n
FROM (SELECT ${columns} FROM ${ofProject(compiled)} AND ${WITHIN} AND (${compiled.where})) GROUP BY GROUPING SETS (${sets})) WHERE isNotNull(text)`,
    values: { ...compiled.params, ...rangeValues(range) },
  }
}

async function readRows(
  read: Read,
  { filter, signal }: Selection,
  listing: FieldListing,
  source: Source,
): Promise<Row[]> {
  const { settings } = compileQuery(filter)
  const wanted = condition(listing)
  const counted = `SELECT own, name, ${shortened(unquotedSql('text'))} AS value, sum(n) AS records,
  sumIf(n, match(text, '^-?[0-9]') AND isNotNull(toFloat64OrNull(text))) AS numeric, sumIf(n, text IN ('true', 'false')) AS logical
FROM (${source.sql}) WHERE (own = 0 OR text != '') AND (${IS_LEVEL} OR ${wanted.names}) GROUP BY own, name, value`
  const query = `SELECT own, name, value, records, sum(records) OVER field AS total, count() OVER field AS distinct, sum(numeric) OVER field AS numbers,
  sum(logical) OVER field AS booleans
FROM (SELECT * FROM (${counted}) WHERE ${IS_LEVEL} OR ${wanted.values}) WINDOW field AS (PARTITION BY own, name)
ORDER BY total DESC, own DESC, name, records DESC, value LIMIT ${checked(listing.maxValues, 1, MAX_VALUES)} BY own, name
LIMIT ${(checked(listing.maxFields, 1, MAX_FIELDS) + 1) * listing.maxValues}`
  return read<Row>(query, { ...source.values, ...wanted.params }, signal, { ...settings, ...LATE_ATTRIBUTES })
}

/** Reads the attributes of the newest records alone, and not of every record that was looked at to find these. */
const LATE_ATTRIBUTES = { query_plan_max_limit_for_lazy_materialization: String(FIELD_SAMPLE) }

/** Every record has a level, so their count is the number of records; it is always selected. */
const IS_LEVEL = "(own = 1 AND name = 'level')"

type Condition = { names: string; values: string; params: Values }

function condition({ field, prefix = '', contains = '' }: FieldListing): Condition {
  const params: Values = { prefix: prefix.toLowerCase(), contains: contains.toLowerCase() }
  const matches = (text: string) =>
    `(startsWith(lowerUTF8(${text}), {prefix:String}) AND position(lowerUTF8(${text}), {contains:String}) > 0)`
  if (field === undefined) return { names: matches('name'), values: '1', params }
  const names = 'own = {own:UInt8} AND name = {name:String}'
  return {
    names,
    values: matches('value'),
    params: { ...params, own: field.kind === 'core' ? 1 : 0, name: field.name },
  }
}

/** The number of records that were counted. */
function toSize(rows: readonly Row[]): number {
  return Number(rows.find(isLevel)?.total ?? 0)
}

function isLevel({ own, name }: Pick<Row, 'own' | 'name'>): boolean {
  return own === 1 && name === 'level'
}

/** `names`: our own fields to list. The levels are always among the rows. */
function toList(rows: readonly Row[], listing: FieldListing, names: readonly Listed[]): FoundField[] {
  const found = new Map<string, FoundField>()
  const sampled = toSize(rows)
  for (const row of rows) {
    if (row.own === 1 && !names.includes(row.name as Listed)) continue
    if (isLevel(row) && !isMatch(row, listing)) continue
    const key = `${row.own}${row.name}`
    const entry = found.get(key) ?? toField(row, sampled)
    entry.values.push({ value: row.value, count: Number(row.records) })
    found.set(key, entry)
  }
  return [...found.values()]
}

/** The statement returns all levels, whatever is wanted. */
function isMatch({ name, value }: Row, { field, prefix = '', contains = '' }: FieldListing): boolean {
  const text = field === undefined ? name : value
  return text.startsWith(prefix.toLowerCase()) && text.includes(contains.toLowerCase())
}

function byCoverage(one: FoundField, other: FoundField): number {
  return other.records / other.sampled - one.records / one.sampled
}

function toField({ own, name, total, distinct, numbers, booleans }: Row, sampled: number): FoundField {
  const records = Number(total)
  const field: Field = own === 1 ? { kind: 'core', name: name as CoreField } : { kind: 'attribute', name }
  const types = { number: Number(numbers), boolean: Number(booleans) }
  const type =
    own === 1 || (types.number === 0 && types.boolean === 0)
      ? 'text'
      : types.number === records
        ? 'number'
        : types.boolean === records
          ? 'boolean'
          : 'mixed'
  return { field, type, records, sampled, distinct: Number(distinct), values: [] }
}
