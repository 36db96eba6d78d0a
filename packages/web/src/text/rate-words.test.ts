import { describe, expect, it } from 'vitest'
import { courseOf, rateNumber } from './rate-words.ts'

describe('a rate against the one before it', () => {
  it.each([
    [0, 'fell'],
    [0.67, 'fell'],
    [0.68, 'same'],
    [1, 'same'],
    [1.49, 'same'],
    [1.5, 'rose'],
    [100, 'rose'],
  ] as const)('of %d times has the course: %s', (ratio, course) => {
    expect(courseOf(ratio)).toBe(course)
  })

  it.each([
    [2.46, '2.5'],
    [9.96, '10'],
    [12.4, '12'],
    [1_204, '1,204'],
  ])('has one digit after the point while it is small: %d is %s', (value, words) => {
    expect(rateNumber(value)).toBe(words)
  })
})
