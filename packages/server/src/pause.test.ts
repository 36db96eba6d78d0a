import { expect, it } from 'vitest'
import { backOffMs } from './pause.ts'

it('doubles with each failure in a row, up to the longest wait', () => {
  expect([1, 2, 3, 4, 5, 2_000].map((failures) => backOffMs(failures, 1_000, 8_000))).toEqual([
    1_000, 2_000, 4_000, 8_000, 8_000, 8_000,
  ])
})
