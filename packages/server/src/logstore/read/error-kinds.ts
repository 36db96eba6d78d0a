/** Kinds of errors in a statement: by their fingerprint and, where a rule splits one, by the value of a field too. */
import type { ErrorKind, SplitField } from '../../model/grouping-rule.ts'
import type { Values } from './read-connection.ts'
import { SPLIT_VALUES } from './segment-errors.ts'

/** `columns` are those of the records that the condition needs beside the fingerprint; both are empty without splits. */
export function splitting(kinds: readonly ErrorKind[]): { columns: string; condition: string } {
  const fields = splitFields(kinds)
  if (fields.length === 0) return { columns: '', condition: '' }
  const branches = fields.map((field) => `split = '${field}', by_${field}`).join(', ')
  return {
    columns: fields.map((field) => `, ${SPLIT_VALUES[field]} AS by_${field}`).join(''),
    condition: ` AND (split = '' OR multiIf(${branches}, '') = split_value)`,
  }
}

/** Holds for records that are none of the kinds of their place; `kindOf` says for each kind which place that is. */
export function noneOfKinds(kinds: readonly ErrorKind[]): string {
  const excluded = `SELECT place_of_kind, kind, split, split_value FROM (SELECT ${KIND_TABLE})`
  const wholes = kinds.some(({ split }) => split === null) ? [`(place_no, fingerprint, '', '')`] : []
  const parts = splitFields(kinds).map((field) => `(place_no, fingerprint, '${field}', by_${field})`)
  return `(fingerprint = 0 OR (${[...wholes, ...parts].map((one) => `${one} NOT IN (${excluded})`).join(' AND ')}))`
}

export const KIND_COLUMNS =
  '{kinds:Array(UInt64)}[line] AS kind, {splits:Array(String)}[line] AS split, {splitValues:Array(String)}[line] AS split_value'
export const KIND_TABLE = `arrayJoin(arrayEnumerate({kindOf:Array(UInt32)})) AS line, {kindOf:Array(UInt32)}[line] AS place_of_kind, ${KIND_COLUMNS}`

export function kindValues(kinds: readonly ErrorKind[]): Values {
  return {
    kinds: kinds.map(numberOf),
    splits: kinds.map(({ split }) => split?.field ?? ''),
    splitValues: kinds.map(({ split }) => split?.value ?? ''),
  }
}

export function fingerprintsOf(kinds: readonly ErrorKind[]): bigint[] {
  return [...new Set(kinds.map(numberOf))]
}

function numberOf({ fingerprint }: ErrorKind): bigint {
  return BigInt(`0x${fingerprint}`)
}

function splitFields(kinds: readonly ErrorKind[]): SplitField[] {
  const used = new Set(kinds.map(({ split }) => split?.field))
  return (Object.keys(SPLIT_VALUES) as SplitField[]).filter((field) => used.has(field))
}
