import { describe, expect, it } from 'vitest'
import { unbroken } from '../../text/unbroken.ts'
import { amountInSpan, existedWords, rateWords } from './rates.tsx'

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

it('names the span in which errors were counted as the summary does', () => {
  const to = '2026-11-16T10:00:00Z'
  const inSpan = (from: string) => amountInSpan({ from, to, errors: 3, records: 1_200 })
  expect(inSpan('2026-11-15T10:00:00Z')).toBe(`3 errors in ${unbroken('the 24 h')}, of 1,200 records`)
  expect(inSpan('2026-11-16T09:00:00Z')).toBe(`3 errors in ${unbroken('the hour')}, of 1,200 records`)
})
