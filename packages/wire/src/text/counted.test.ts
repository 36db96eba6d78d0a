import { expect, it } from 'vitest'
import { amountWords, counted, withCommas } from './counted.ts'

it.each([
  [0, '0'],
  [999, '999'],
  [1_204, '1,204'],
  [12_345_678, '12,345,678'],
  [0.25, '0.25'],
])('writes %d as %s', (number, text) => {
  expect(withCommas(number)).toBe(text)
})

it('counts a noun, in the plural unless it is one', () => {
  expect(counted(1, 'error')).toBe('1 error')
  expect(counted(0, 'error')).toBe('0 errors')
  expect(counted(3_097, 'analysis', 'analyses')).toBe('3,097 analyses')
})

it.each([
  [0, '0'],
  [0.04, 'under 0.1'],
  [0.05, '0.1'],
  [2.46, '2.5'],
  [9.96, '10'],
  [12.4, '12'],
  [1_204.6, '1,205'],
])('writes a rate with one digit after the point while it is small: %d is %s', (amount, words) => {
  expect(amountWords(amount)).toBe(words)
})
