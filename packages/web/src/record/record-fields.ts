/** The values of a record by the names that a query knows them by. */

import { nameOfField } from '@tidemark/wire/query/fields'
import type { LogRow } from '@tidemark/wire/reading/row'

export type FieldValue = { field: string; value: string }

const OWN = ['service', 'environment', 'host', 'logger', 'release', 'traceId', 'spanId'] as const
/** Attributes that say most about a record come first as chips. */
const TELLING =
  /(^|\.)(status|status_code|method|path|route|url|user(\.id)?|code|duration(_?ms)?|amount|attempt|order|job)$/i

export function fieldsOf(row: LogRow): FieldValue[] {
  const own = OWN.flatMap((field) => (row[field] === '' ? [] : [{ field, value: row[field] }]))
  const error = row.error?.type ? [{ field: 'error.type', value: row.error.type }] : []
  return [{ field: 'level', value: row.level }, ...own, ...error]
}

export function attributesOf(row: LogRow): FieldValue[] {
  return Object.entries(row.attributes).map(([name, value]) => ({
    field: nameOfField({ kind: 'attribute', name }),
    value: String(value),
  }))
}

export function chipsOf(row: LogRow, limit: number): FieldValue[] {
  const all = attributesOf(row).filter(({ value }) => value !== '' && value.length <= 48)
  const telling = all.filter(({ field }) => TELLING.test(field))
  const others = all.filter(({ field }) => !TELLING.test(field))
  return [...telling, ...others].slice(0, limit)
}

export function columnValue(row: LogRow, column: string): string {
  const found = [...fieldsOf(row), ...attributesOf(row)].find(({ field }) => field === column)
  return found?.value ?? ''
}

/** In characters: never so narrow that nothing can be read, nor so wide that the message has no room. */
const NARROWEST_COLUMN = 6
const WIDEST_COLUMN = 28

/** As wide as its name and its values in these rows. */
export function columnWidth(rows: readonly LogRow[], column: string): number {
  const longest = rows.reduce((most, row) => Math.max(most, columnValue(row, column).length), column.length)
  return Math.min(Math.max(longest, NARROWEST_COLUMN), WIDEST_COLUMN)
}
