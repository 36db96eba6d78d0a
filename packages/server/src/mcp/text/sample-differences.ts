/** Records of one analysis are nearly alike: one of them is shown, and where the others differ from it. */
import type { LogRow } from '@tidemark/wire/reading/row'
import { onOneLine } from '@tidemark/wire/text/stranger-text'
import { z } from 'zod'
import { shortenText } from './shorten.ts'

export const sampleDifference = z.object({
  /** `attributes.tenant`, or a field of the record. */
  field: z.string(),
  /** Of the record that is shown first; empty where a record has none. */
  values: z.array(z.string()),
})
type SampleDifference = z.infer<typeof sampleDifference>

const FIELDS = ['level', 'service', 'host', 'release', 'logger', 'message'] as const
const SHOWN_FIELDS = 12
const SHOWN_VALUES = 6
const SHOWN_CHARACTERS = 60

export function sampleDifferences(samples: readonly LogRow[]): SampleDifference[] {
  const names = new Set(samples.flatMap(({ attributes }) => Object.keys(attributes)))
  const found = [
    ...FIELDS.map((field) => ({ field, values: samples.map((row) => row[field]) })),
    { field: 'error.message', values: samples.map(({ error }) => error?.message ?? '') },
    ...[...names].map((name) => ({
      field: `attributes.${name}`,
      values: samples.map(({ attributes }) => wordOf(attributes[name])),
    })),
  ]
  return found
    .map(({ field, values }) => ({ field: shortenText(field, SHOWN_CHARACTERS), values: [...new Set(values)] }))
    .filter(({ values }) => values.length > 1)
    .sort((a, b) => a.values.length - b.values.length)
    .slice(0, SHOWN_FIELDS)
    .map(({ field, values }) => ({
      field,
      values: values.slice(0, SHOWN_VALUES).map((value) => shortenText(value, SHOWN_CHARACTERS)),
    }))
}

function wordOf(value: unknown): string {
  return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
}

/** `attributes.tenant: hooli, globex` */
export function differenceLines(differences: readonly SampleDifference[]): string[] {
  return differences.map(
    ({ field, values }) =>
      `${onOneLine(field)}: ${values.map((value) => (value === '' ? '(none)' : onOneLine(value))).join(', ')}`,
  )
}
