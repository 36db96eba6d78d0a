import { HOUR_US } from '@tidemark/wire/time/units'
import { describe, expect, it } from 'vitest'
import { bucketLengthUs, bucketStarts, countPerBucket } from './count-logs-bucket.ts'

const day = { fromUs: 1_000_000 * HOUR_US + 7, toUs: 1_000_024 * HOUR_US + 7 }
const seconds = (text: string, range = day) => bucketLengthUs(text, range) / 1e6

describe('the length of a bucket', () => {
  it('is what was asked for', () => {
    expect(seconds('15m')).toBe(900)
    expect(seconds('1h30m')).toBe(5_400)
  })

  it('is one that people know when a number of buckets is asked for', () => {
    expect(seconds('60')).toBe(1_800)
    expect(seconds('24')).toBe(3_600)
    expect(seconds('1')).toBe(86_400)
    expect(seconds('60', { fromUs: 0, toUs: 30_000_000 })).toBe(1)
    expect(seconds('2', { fromUs: 0, toUs: 24 * 100 * HOUR_US })).toBe(50 * 86_400)
  })

  it('is refused when there would be too many, with one that works', () => {
    expect(() => seconds('1m')).toThrow(
      'Buckets of 1m make more than 1,000 in this window: use 2m or a shorter window.',
    )
    expect(seconds('2m')).toBe(120)
    expect(() => seconds('5000')).toThrow('Ask for 1 to 1,000 buckets.')
    for (const text of ['0', 'x', '-1m', '1.5m', '1y', '']) expect(() => seconds(text), text).toThrow()
  })
})

it('has buckets that cover the window from whole multiples', () => {
  const { firstUs, count } = bucketStarts(day, HOUR_US)
  expect([firstUs, count]).toEqual([1_000_000 * HOUR_US, 25])
  expect(bucketStarts({ fromUs: 0, toUs: HOUR_US }, HOUR_US)).toEqual({ firstUs: 0, count: 1 })
})

it('has a count for every bucket, also for those in which nothing was counted', () => {
  const range = { fromUs: 2 * HOUR_US + 7, toUs: 5 * HOUR_US }
  expect(countPerBucket(range, HOUR_US, [])).toEqual([0, 0, 0])
  const counted = [2, 4, 2].map((hour) => ({ startUs: hour * HOUR_US, count: hour + 1 }))
  expect(countPerBucket(range, HOUR_US, counted)).toEqual([6, 0, 5])
})
