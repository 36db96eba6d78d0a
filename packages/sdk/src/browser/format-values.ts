import { headOf } from '../record/cut-text.ts'
import { ValueEncoder } from '../record/encode-value.ts'

const MAX_TEXT = 8 * 1024

/** What a console makes of its arguments, `%s` and the like included. */
export function formatValues(values: readonly unknown[]): string {
  const [first, ...rest] = values
  if (typeof first !== 'string') return headOf(values.map(wordFor).join(' '), MAX_TEXT)
  const begun = first.replace(/%[sdifoOjc%]/g, (token) => {
    if (token === '%%') return '%'
    if (rest.length === 0) return token
    const value = rest.shift()
    return token === '%c' ? '' : wordFor(value)
  })
  return headOf([begun, ...rest.map(wordFor)].join(' '), MAX_TEXT)
}

function wordFor(value: unknown): string {
  return typeof value === 'string' ? value : (new ValueEncoder(MAX_TEXT).value(value) ?? 'undefined')
}
