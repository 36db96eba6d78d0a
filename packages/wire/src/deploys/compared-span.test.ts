import { expect, it } from 'vitest'
import { HOUR_US, MINUTE_US } from '../time/units.ts'
import { comparedUs } from './compared-span.ts'

it.each([
  [16 * MINUTE_US, 16 * MINUTE_US],
  [0, 5 * MINUTE_US],
  [20e6, 5 * MINUTE_US],
  [2 * HOUR_US, HOUR_US],
  [Number.POSITIVE_INFINITY, HOUR_US],
])('compares a deploy that ran for %d µs over %d µs: five minutes at least, an hour at most', (ranUs, spanUs) => {
  expect(comparedUs(ranUs)).toBe(spanUs)
})
