import { expect, it } from 'vitest'
import { formatMonth } from './format-month.ts'

it('names the month', () => {
  expect(formatMonth('2026-11')).toBe('November 2026')
})
