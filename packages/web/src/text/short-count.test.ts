import { expect, it } from 'vitest'
import { shortCount } from './short-count.ts'

it.each([
  [0, '0'],
  [1_195, '1,195'],
  [9_999, '9,999'],
  [12_345, '12.3K'],
  [99_950, '100K'],
  [999_949, '999.9K'],
  [999_950, '1M'],
  [2_000_000, '2M'],
  [3_140_000_000, '3.1B'],
  [1_234_500_000_000_000, '1,234.5T'],
])('shows %d as %s', (count, text) => {
  expect(shortCount(count)).toBe(text)
})
