/**
 * What the records of many places have: fields with their most frequent values. Of a field with very many values the
 * engine keeps only the most frequent ones while it reads.
 */
import type { CoreField } from '@tidemark/wire/query/fields'
import type { FieldProfile, Profile } from '../../model/profile.ts'
import { PROFILE_FIELDS, PROFILE_VALUES, PROFILED, type ProfilePlace } from '../questions.ts'
import { unquotedSql } from '../schema/attribute-text.ts'
import { COLUMN_OF } from '../schema/columns.ts'
import { ITEMS, ownItems, shortened } from './field-expression.ts'
import {
  type AskedPlace,
  byService,
  errorPlaceTable,
  isAsked,
  keyOf,
  type PlaceTable,
  placeTable,
  roomOf,
} from './place-table.ts'
import { questionParts } from './question-parts.ts'
import type { Read } from './read-connection.ts'

/** So that even the longest values of the errors and the others of all places stay below what an answer may be. */
const PLACES_A_QUESTION = 25
/** Counts of fields with at most as many values are exact. A value more frequent than one in this many is always found. */
const VALUES_KEPT = 100
/** Fields of all places of a question, for senders that put ids into names: later ones are left out. */
const FIELDS_KEPT = 6_000

/** Of a place, the service is there already. */
const OWN_COLUMNS = PROFILED.map((name) => COLUMN_OF[name])
  .filter((column) => column !== 'service')
  .join(', ')
/** Counts the records themselves. */
const RECORD = 2
/** Bytes; only longer texts are cut and made plain before they are counted, since that takes longer than counting. */
const SHORT_TEXT_BYTES = 1_024

type Row = { part_no: string; own: number; name: string; records: string; values: [value: string, count: string][] }
/** A place with where the answers go: those of its errors and those of its others. */
type Asked = AskedPlace & { slots: Record<ProfilePlace['of'], number[]> }
type Growing = Profile & { fields: FieldProfile[] }

export async function readProfiles(
  read: Read,
  places: readonly ProfilePlace[],
  signal?: AbortSignal,
): Promise<Profile[]> {
  const profiles = places.map((): Growing => ({ records: 0, fields: [] }))
  const asked = distinct(places)
  const ofErrors = asked.filter(({ slots }) => slots.others.length === 0)
  const ofBoth = asked.filter(({ slots }) => slots.others.length > 0)
  const questions = [
    ...byService(ofErrors).map((wanted) => ({ wanted, tableOf: errorPlaceTable })),
    ...byService(ofBoth).map((wanted) => ({ wanted, tableOf: placeTable })),
  ]
  for (const { wanted, tableOf } of questions) {
    for (const part of questionParts(wanted, PLACES_A_QUESTION, roomOf)) {
      const table = tableOf(part)
      const sql = statement(ownFields(table), sentFields(table))
      for (const row of await read<Row>(sql, table.values, signal)) {
        const { slots } = part[Math.floor(Number(row.part_no) / 2) - 1]!
        const answered = Number(row.part_no) % 2 === 1 ? slots.errors : slots.others
        for (const slot of answered) addTo(profiles[slot]!, row)
      }
    }
  }
  return profiles
}

/** Errors and others of the same place are read together. */
function distinct(places: readonly ProfilePlace[]): Asked[] {
  const all = new Map<string, Asked>()
  for (const [slot, { of, ...place }] of places.entries()) {
    if (!isAsked(place) || (of === 'errors' && place.kinds.length === 0)) continue
    const key = keyOf(place)
    const asked = all.get(key) ?? { ...place, slots: { errors: [], others: [] } }
    asked.slots[of].push(slot)
    all.set(key, asked)
  }
  return [...all.values()]
}

/** Two stored texts may be the same when plain: a number, and text that looks like it. */
function statement(own: string, sent: string): string {
  const plain = `arrayMap(one -> ${shortened(unquotedSql('one.1'))}, top)`
  return `SELECT part_no, own, name, records,
  arrayReduce('sumMap', [${plain}], [arrayMap(one -> toInt64(one.2 - one.3), top)]) AS merged,
  arraySlice(arraySort(one -> (-one.2, one.1), arrayZip(merged.1, merged.2)), 1, ${PROFILE_VALUES}) AS values
FROM (${own} UNION ALL ${sent})
ORDER BY part_no, own = ${RECORD} DESC, records DESC, own DESC, name LIMIT ${PROFILE_FIELDS + 1} BY part_no`
}

/** Records with the same values of all these columns are counted first: there are few kinds of them. */
function ownFields(table: PlaceTable): string {
  const counted = `SELECT *, count() AS n FROM (${table.found(OWN_COLUMNS)}) GROUP BY ALL`
  return `SELECT part_no, item.1 AS own, item.2 AS name, sum(n) AS records, approx_top_sum(${VALUES_KEPT}, ${VALUES_KEPT})(item.3, n) AS top
FROM (${placed(table, counted, `service, ${OWN_COLUMNS}, n`)}) ARRAY JOIN arrayConcat([(${RECORD}, '', '')]::${ITEMS}, ${ownItems(PROFILED)}) AS item
WHERE item.1 != 1 OR item.3 != '' GROUP BY part_no, own, name`
}

function sentFields(table: PlaceTable): string {
  const short = `if(length(text) > ${SHORT_TEXT_BYTES}, ${shortened(unquotedSql('text'))}, text)`
  return `SELECT part_no, 0 AS own, toString(key) AS name, count() AS records, approx_top_k(${VALUES_KEPT}, ${VALUES_KEPT})(${short}) AS top
FROM (${placed(table, table.found('attributes'), 'attributes')}) ARRAY JOIN mapKeys(attributes) AS key, mapValues(attributes) AS text
GROUP BY part_no, key SETTINGS max_rows_to_group_by = ${FIELDS_KEPT}, group_by_overflow_mode = 'any'`
}

/** The two parts of a place are numbered: its others even, its errors odd. */
function placed({ asked, join, isOfKinds }: PlaceTable, found: string, columns: string): string {
  return `SELECT 2 * place_no + ${isOfKinds} AS part_no, ${columns} FROM (${found}) AS found INNER JOIN (${asked}) AS asked ON ${join}`
}

function addTo(profile: Growing, { own, name, records, values }: Row): void {
  if (own === RECORD) {
    profile.records = Number(records)
    return
  }
  const field: FieldProfile['field'] =
    own === 1 ? { kind: 'core', name: name as CoreField } : { kind: 'attribute', name }
  const found = values.map(([value, count]) => ({ value, count: Number(count) }))
  profile.fields.push({ field, records: Number(records), values: found })
}
