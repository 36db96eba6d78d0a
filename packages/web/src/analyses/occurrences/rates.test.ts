import { describe, expect, it } from 'vitest'
import { existedWords, rateWords } from './rates.tsx'

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

describe('whether an error existed before a deploy', () => {
  const said = (records: number, existedBefore: boolean) =>
    existedWords({ before: { records, perHour: 0 }, after: { perHour: 3 }, existedBefore }, 'deploy')

  it('is not denied of a time in which nothing was logged', () => {
    expect(said(0, false)).toBe('Nothing was logged before, so there is nothing to compare with.')
    expect(said(1, false)).toBe('No. This error did not occur before the deploy.')
    expect(said(0, true)).toBe('Yes. It had been seen before, though not just before this.')
  })
})
