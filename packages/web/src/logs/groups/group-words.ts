import { withCommas } from '@tidemark/wire/text/counted'
import { plainLine } from '../../text/plain-text.ts'
import { significant } from '../../text/significant.ts'

/** `1,234`, `12.5`, `0.004`; a dash where nothing could be measured. */
export function numberWords(number: number | null): string {
  if (number === null) return '–'
  return Math.abs(number) >= 1_000 ? withCommas(Math.round(number)) : significant(number, 4)
}

/** `value` is undefined for all others together, null for records without the field. */
export function groupWords(field: string, value: string | null | undefined): string {
  if (value === undefined) return 'all others'
  if (value === null) return `no ${plainLine(field)}`
  return value === '' ? 'empty' : plainLine(value)
}
