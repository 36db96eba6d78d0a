import { expect, it } from 'vitest'
import { shareWords } from './share-words.ts'

it.each([
  [120 / 132, '91 %'],
  [1, '100 %'],
  [0.9999, '99 %'],
  [0.0996, '10 %'],
  [0.0214, '2.1 %'],
  [0.02, '2 %'],
  [0.001, '0.1 %'],
  [0.0009, '<0.1 %'],
  [0, '0 %'],
])('says a share of %d as %s', (share, words) => {
  expect(shareWords(share)).toBe(words)
})
