import type { Field } from '@tidemark/wire/query/fields'

/** What some records have in common: which fields, and their most frequent values. */
export type Profile = { records: number; fields: readonly FieldProfile[] }
export type FieldProfile = {
  field: Field
  /** Those that have the field. */
  records: number
  /** Most first; the rarest may be left out. */
  values: readonly { value: string; count: number }[]
}
