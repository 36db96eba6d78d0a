import { describe, expect, it } from 'vitest'
import { rateWords } from './rates.tsx'

describe('the rate after a deploy against the one before', () => {
  it.each([
    [12, 1_204, 'The rate is 100 times as high.'],
    [4, 10, 'The rate is 2.5 times as high.'],
    [10, 11, 'The rate is about the same.'],
    [10, 8, 'The rate is about the same.'],
    [10, 2, 'The rate fell to 20 %.'],
    [10, 0, 'The rate fell to 0 %.'],
    [0, 50, 'It had been seen before, though not just before this.'],
  ])('of %d and %d an hour is told in words', (before, after, words) => {
    expect(rateWords(before, after)).toBe(words)
  })
})
