import { expect, it } from 'vitest'
import { countWithin } from './slices.ts'

it('counts the part of a slice that is inside', () => {
  expect(
    countWithin(
      [
        { fromUs: 0, toUs: 100, count: 10 },
        { fromUs: 100, toUs: 200, count: 20 },
      ],
      50,
      150,
    ),
  ).toBe(15)
})
