import { expect, it } from 'vitest'
import { shortCount } from './short-count.ts'

it.each([
  [0, '0'],
  [1_195, '1,195'],
  [9_999, '9,999'],
  [12_345, '12.3K'],
  [2_000_000, '2M'],
])('shows %d as %s', (count, text) => {
  expect(shortCount(count)).toBe(text)
})
