/**
 * Which fields the records of a selection have, how many have each, and its most frequent values. Only the newest
 * records are read: fields change slowly, and reading all records of a month would give the same answer.
 */
import type { CoreField, Field } from '@tidemark/wire/query/fields'
import { compileQuery } from '../query/compile-query.ts'
import { FIELD_SAMPLE, type FieldList, type FieldListing, type FoundField, type Selection } from '../questions.ts'
import { unquotedSql } from '../schema/attribute-text.ts'
import { COLUMN_OF } from '../schema/columns.ts'
import { ITEMS, ownItems, sentItems, shortened } from './field-expression.ts'
import { NEWEST_FIRST, ofProject, type Read, type Values } from './read-connection.ts'
import { summarizeNumbers } from './read-measures.ts'
import { checked, rangeValues, WITHIN } from './read-range.ts'

const MAX_FIELDS = 2_000
const MAX_VALUES = 1_000

/** Ids and long texts are left out: their values are of no use in a list, and `has:` asks for them. */
const LISTED = ['level', 'service', 'environment', 'host', 'logger', 'release', 'traceId', 'error.type'] as const

/** Each record becomes one row for each field it has. */
function itemsOf(field: Field | undefined): { columns: string; items: string } {
  const own = LISTED.filter((name) => name === 'level' || isAskedFor(field, name))
  const ours = ownItems(own)
  const columns = own.map((name) => COLUMN_OF[name])
  if (field?.kind === 'core') return { columns: columns.join(', '), items: ours }
  return {
    columns: [...columns, 'attributes'].join(', '),
    items: `arrayConcat(${ours}, ${field ? ONE_SENT : sentItems()})`,
  }
}

function isAskedFor(field: Field | undefined, name: CoreField): boolean {
  return field === undefined || (field.kind === 'core' && field.name === name)
}

const ONE_SENT = `if(mapContains(attributes, {name:String}), [(0, {name:String}, attributes[{name:String}])], [])::${ITEMS}`

type Row = {
  own: number
  name: string
  value: string
  records: string
  total: string
  numbers: string
  booleans: string
}

export async function listFields(read: Read, selection: Selection, listing: FieldListing): Promise<FieldList> {
  const { range, filter, signal } = selection
  const compiled = compileQuery(filter)
  const wanted = condition(listing)
  const { columns, items } = itemsOf(listing.field)
  const sample = `SELECT ${columns} FROM ${ofProject(compiled)} AND ${WITHIN} AND (${compiled.where}) ${NEWEST_FIRST} LIMIT ${FIELD_SAMPLE}`
  const counted = `SELECT item.1 AS own, item.2 AS name, ${shortened(unquotedSql('item.3'))} AS value, count() AS records,
  countIf(match(item.3, '^-?[0-9]') AND isNotNull(toFloat64OrNull(item.3))) AS numeric, countIf(item.3 IN ('true', 'false')) AS logical
FROM (${sample}) ARRAY JOIN ${items} AS item
WHERE (own = 0 OR item.3 != '') AND (${IS_LEVEL} OR ${wanted.names}) GROUP BY own, name, value`
  const query = `SELECT own, name, value, records, sum(records) OVER field AS total, sum(numeric) OVER field AS numbers,
  sum(logical) OVER field AS booleans
FROM (SELECT * FROM (${counted}) WHERE ${IS_LEVEL} OR ${wanted.values}) WINDOW field AS (PARTITION BY own, name)
ORDER BY total DESC, own DESC, name, records DESC, value LIMIT ${checked(listing.maxValues, 1, MAX_VALUES)} BY own, name
LIMIT ${(checked(listing.maxFields, 1, MAX_FIELDS) + 1) * listing.maxValues}`
  const values = { ...compiled.params, ...rangeValues(range), ...wanted.params }
  const [rows, numbers] = await Promise.all([
    read<Row>(query, values, signal, compiled.settings),
    listing.field?.kind === 'attribute' && !listing.prefix
      ? summarizeNumbers(read, selection, { field: listing.field, sample: FIELD_SAMPLE })
      : undefined,
  ])
  const list = toList(rows, listing)
  const [first] = list.fields
  if (first && numbers) first.numbers = numbers
  return list
}

/** Every record has a level, so its count is the size of the sample; it is always asked for. */
const IS_LEVEL = "(own = 1 AND name = 'level')"

function condition({ field, prefix = '' }: FieldListing): { names: string; values: string; params: Values } {
  const params: Values = { prefix: prefix.toLowerCase() }
  const begins = (text: string) => `startsWith(lowerUTF8(${text}), {prefix:String})`
  if (field === undefined) return { names: begins('item.2'), values: '1', params }
  const names = 'item.1 = {own:UInt8} AND item.2 = {name:String}'
  return { names, values: begins('value'), params: { ...params, own: field.kind === 'core' ? 1 : 0, name: field.name } }
}

function toList(rows: readonly Row[], { field, prefix = '', maxFields }: FieldListing): FieldList {
  const found = new Map<string, FoundField>()
  let sampled = 0
  for (const row of rows) {
    const isLevel = row.own === 1 && row.name === 'level'
    if (isLevel) sampled = Number(row.total)
    if (isLevel && !isAsked(field, prefix)) continue
    // A level's value is always let through.
    if (isLevel && field && !row.value.startsWith(prefix.toLowerCase())) continue
    const key = `${row.own}${row.name}`
    const entry = found.get(key) ?? toField(row)
    entry.values.push({ value: row.value, count: Number(row.records) })
    found.set(key, entry)
  }
  return { sampled, fields: [...found.values()].slice(0, maxFields) }
}

function isAsked(field: Field | undefined, prefix: string): boolean {
  return field === undefined
    ? 'level'.startsWith(prefix.toLowerCase())
    : field.kind === 'core' && field.name === 'level'
}

function toField({ own, name, total, numbers, booleans }: Row): FoundField {
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
  return { field, type, records, values: [] }
}
