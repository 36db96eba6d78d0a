import { expect, it } from 'vitest'
import { isRange } from './number-facet.tsx'

const field = (type: 'number' | 'text', counts: number[]) => ({
  name: 'x',
  kind: 'attribute' as const,
  type,
  coverage: 0.5,
  sampled: 1_000,
  distinct: counts.length,
  values: counts.map((count, at) => ({ value: String(at), count })),
})

it('is a range where numbers are so many that the most frequent say little', () => {
  expect(isRange(field('number', [10, 9, 8]))).toBe(true)
})

it('is a list of values where a few of them are most of it, and for texts', () => {
  expect(isRange(field('number', [300, 100]))).toBe(false)
  expect(isRange(field('text', [1]))).toBe(false)
})
