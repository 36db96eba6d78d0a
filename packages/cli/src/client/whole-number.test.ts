import { expect, it } from 'vitest'
import { wholeNumber } from './whole-number.ts'

it('takes whole numbers of its range alone, and says which', () => {
  expect(wholeNumber('--limit', '007', { most: 7 })).toBe(7)
  expect(wholeNumber('--port', '0', { least: 0, most: 65_535 })).toBe(0)
  expect(wholeNumber('--quota', '9007199254740991')).toBe(Number.MAX_SAFE_INTEGER)
  for (const text of ['', '0', '8', '-1', '1.5', '1e0', ' 1', '٣', '99999999999999999']) {
    expect(() => wholeNumber('--limit', text, { most: 7 })).toThrow(
      `--limit must be a whole number from 1 to 7; got ${JSON.stringify(text)}.`,
    )
  }
  expect(() => wholeNumber('--quota', 'x', { also: ' or "none"' })).toThrow(
    '--quota must be a whole number of at least 1 or "none"; got "x".',
  )
})
