import { plainLine } from '../../text/plain-text.ts'

/** `1,234`, `12.5`, `0.004`; a dash where nothing could be measured. */
export function numberWords(number: number | null): string {
  if (number === null) return '–'
  const digits = Math.abs(number) >= 1_000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 4 }
  return number.toLocaleString('en-US', digits)
}

/** `value` is undefined for all others together, null for records without the field. */
export function groupWords(field: string, value: string | null | undefined): string {
  if (value === undefined) return 'all others'
  if (value === null) return `no ${plainLine(field)}`
  return value === '' ? 'empty' : plainLine(value)
}
