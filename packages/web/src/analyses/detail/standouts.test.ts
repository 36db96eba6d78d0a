import { describe, expect, it } from 'vitest'
import { shareWords } from './standouts.tsx'

describe('the share of records that have a value', () => {
  it.each([
    [120, 132, '91 %'],
    [132, 132, '100 %'],
    [999, 1_000, '99 %'],
    [1, 1_000, '< 1 %'],
    [0, 820, '0 %'],
    [0, 0, '0 %'],
  ])('of %d in %d is %s', (count, of, words) => {
    expect(shareWords(count, of)).toBe(words)
  })
})
