/** How many records of many places have a certain value. Only the fields that are asked for become rows. */
import { MAX_COUNTED_VALUE_CHARACTERS } from '@tidemark/wire/limits'
import type { Field } from '@tidemark/wire/query/fields'
import type { ValuePlace } from '../questions.ts'
import { unquotedSql } from '../schema/attribute-text.ts'
import { fieldExpression, ITEMS, sentItems, shortened } from './field-expression.ts'
import { type AskedPlace, byService, isAsked, keyOf, placeTable, roomOf } from './place-table.ts'
import { questionParts, type Room } from './question-parts.ts'
import type { Read, Values } from './read-connection.ts'

const PLACES_A_QUESTION = 400

/** Places that are asked for several values stand in the table once. */
type Asked = AskedPlace & { wanted: (Pick<ValuePlace, 'field' | 'value'> & { slot: number })[] }

export async function countValueSpans(
  read: Read,
  places: readonly ValuePlace[],
  signal?: AbortSignal,
): Promise<number[]> {
  const counts = places.map(() => 0)
  for (const wanted of byService(distinct(places))) {
    for (const part of questionParts(wanted, PLACES_A_QUESTION, roomOfAsked)) {
      const { sql, values } = statement(part)
      const rows = await read<{ slot: number; records: string }>(sql, values, signal)
      for (const { slot, records } of rows) counts[slot] = Number(records)
    }
  }
  return counts
}

function distinct(places: readonly ValuePlace[]): Asked[] {
  const all = new Map<string, Asked>()
  for (const [slot, { field, value, ...place }] of places.entries()) {
    if (!isAsked(place) || !canHave(field, value)) continue
    const key = keyOf(place)
    const asked = all.get(key) ?? { ...place, wanted: [] }
    asked.wanted.push({ slot, field, value })
    all.set(key, asked)
  }
  return [...all.values()]
}

function roomOfAsked({ wanted, ...place }: Asked): Room {
  const { numbers, texts } = roomOf(place)
  const more = wanted.flatMap(({ field, value }) => [field.name, value])
  return { numbers: numbers + wanted.length, texts: [...texts, ...more] }
}

/** For our own fields, empty is not having it; and no value is shown longer than this. */
function canHave(field: Field, value: string): boolean {
  return (field.kind === 'attribute' || value !== '') && [...value].length <= MAX_COUNTED_VALUE_CHARACTERS
}

function statement(part: readonly Asked[]): { sql: string; values: Values } {
  const table = placeTable(part)
  const wanted = part.flatMap((asked, at) => asked.wanted.map((one) => ({ ...one, placeNo: at + 1 })))
  const items = itemsOf(wanted.map(({ field }) => field))
  const found = `SELECT * EXCEPT (items, item), item.1 AS own, item.2 AS name, ${shortened(unquotedSql('item.3'))} AS value
  FROM (${table.found(`${items.sql} AS items`)}) ARRAY JOIN items AS item`
  const asked = `SELECT * FROM (${table.asked}) AS places INNER JOIN (SELECT ${WANTED_TABLE}) AS wanted ON places.place_no = wanted.place_of_value`
  const sql = `SELECT slot, count() AS records FROM (${found}) AS found
INNER JOIN (${asked}) AS asked ON found.own = asked.wanted_own AND found.name = asked.wanted_name AND found.value = asked.wanted_value AND ${table.join}
WHERE NOT ${table.isOfKinds} GROUP BY slot`
  return {
    sql,
    values: {
      ...table.values,
      ...items.values,
      slots: wanted.map(({ slot }) => slot),
      valueOf: wanted.map(({ placeNo }) => placeNo),
      owns: wanted.map(({ field }) => (field.kind === 'core' ? 1 : 0)),
      fields: wanted.map(({ field }) => field.name),
      wanted: wanted.map(({ value }) => value),
    },
  }
}

const WANTED_TABLE =
  'arrayJoin(arrayEnumerate({slots:Array(UInt32)})) AS value_no, {slots:Array(UInt32)}[value_no] AS slot, {valueOf:Array(UInt32)}[value_no] AS place_of_value, {owns:Array(UInt8)}[value_no] AS wanted_own, {fields:Array(String)}[value_no] AS wanted_name, {wanted:Array(String)}[value_no] AS wanted_value'

/** The attributes are read only where one of them is asked for. */
function itemsOf(fields: readonly Field[]): { sql: string; values: Values } {
  const core = new Map(fields.filter(({ kind }) => kind === 'core').map((field) => [field.name, field]))
  const ours = [...core].map(([name, field]) => `(1, '${name}', ifNull(${fieldExpression(field, '').sql}, ''))`)
  const names = [...new Set(fields.filter(({ kind }) => kind === 'attribute').map(({ name }) => name))]
  if (names.length === 0) return { sql: `[${ours.join(', ')}]::${ITEMS}`, values: {} }
  const sent = sentItems('mapFilter((k, v) -> has({names:Array(String)}, k), attributes)')
  return { sql: `arrayConcat([${ours.join(', ')}]::${ITEMS}, ${sent})`, values: { names } }
}
