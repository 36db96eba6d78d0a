import { describe, expect, it } from 'vitest'
import { directionOf } from './rate-words.ts'

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
    expect(directionOf(ratio)).toBe(course)
  })
})
