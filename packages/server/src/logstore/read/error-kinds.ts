/** Kinds of errors in a statement: by their fingerprint and, where a rule splits one, by the value of a field too. */
import { TupleParam } from '@clickhouse/client'
import type { ErrorKind, SplitField } from '../../model/grouping-rule.ts'
import type { Values } from './read-connection.ts'
import { SPLIT_VALUES } from './segment-errors.ts'

/** `columns` are those of the records that the condition needs beside the fingerprint; both are empty without splits. */
export function splitting(kinds: readonly ErrorKind[]): { columns: string; condition: string } {
  const fields = splitFields(kinds)
  if (fields.length === 0) return { columns: '', condition: '' }
  const branches = fields.map((field) => `split = '${field}', by_${field}`).join(', ')
  return {
    columns: splitColumns(fields),
    condition: ` AND (split = '' OR multiIf(${branches}, '') = split_value)`,
  }
}

export type KindOfPlace = ErrorKind & { placeNo: number }

/** Whether a record is one of the kinds of its place. `columns`, as above, are what the condition needs beside the fingerprint. */
export function isOfKinds(kinds: readonly KindOfPlace[]): { columns: string; condition: string; values: Values } {
  const fields = splitFields(kinds)
  const [conditions, values]: [string[], Values] = [[], {}]
  for (const field of [null, ...fields]) {
    const listed = kinds.filter(({ split }) => (split?.field ?? null) === field)
    if (listed.length === 0) continue
    const name = `${field ?? 'whole'}Kinds`
    values[name] = listed.map(
      (kind) => new TupleParam([kind.placeNo, numberOf(kind), ...(kind.split ? [kind.split.value] : [])]),
    )
    conditions.push(
      field === null
        ? `(place_no, fingerprint) IN {${name}:Array(Tuple(UInt32, UInt64))}`
        : `(place_no, fingerprint, by_${field}) IN {${name}:Array(Tuple(UInt32, UInt64, String))}`,
    )
  }
  return {
    columns: splitColumns(fields),
    condition: conditions.length === 0 ? '0' : `(${conditions.join(' OR ')})`,
    values,
  }
}

function splitColumns(fields: readonly SplitField[]): string {
  return fields.map((field) => `, ${SPLIT_VALUES[field]} AS by_${field}`).join('')
}

export const KIND_COLUMNS =
  '{kinds:Array(UInt64)}[line] AS kind, {splits:Array(String)}[line] AS split, {splitValues:Array(String)}[line] AS split_value'

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
