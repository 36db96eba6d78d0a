import { expect, it } from 'vitest'
import { elapsedText } from './elapsed.ts'

it.each([
  [0, '0 s'],
  [-5, '0 s'],
  [59.9, '59 s'],
  [60, '1 min'],
  [725, '12 min 5 s'],
  [3_605, '1 h'],
  [90_000, '1 d 1 h'],
  [86_400 * 400, '400 d'],
])('%d seconds are %s', (seconds, text) => {
  expect(elapsedText(seconds)).toBe(text)
})
