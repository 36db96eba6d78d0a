import { MINUTE_US } from '@tidemark/wire/time/units'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { courseOf } from './error-course.ts'

const BUCKET_US = 5 * MINUTE_US

/** Counts in buckets of five minutes since the first error; `quietMinutes` have passed since the last. */
function course(counts: number[], quietMinutes = 0) {
  const last = counts.findLastIndex((count) => count > 0)
  const lastUs = last * BUCKET_US + BUCKET_US - 1
  const series = { fromUs: 0, bucketUs: BUCKET_US, counts }
  return courseOf({ anchorUs: 0, lastUs, nowUs: lastUs + quietMinutes * MINUTE_US, series })
}

const times = (count: number, value: number) => new Array<number>(count).fill(value)

describe('the course of an episode', () => {
  it('begins with the first error where there was none before', () => {
    expect(course([3, 5, 4, 6, 5])).toMatchObject({ onsetUs: 0, basePerHour: 0, count: 23 })
    expect(course([1])).toMatchObject({ onsetUs: 0, count: 1, isQuiet: false })
  })

  it('begins where the rate leaves its base, when it trickled before', () => {
    const trickle = Array.from({ length: 96 }, (_, at) => (at % 12 === 0 ? 1 : 0))
    expect(course([...trickle, 9, 14, 11, 12])).toMatchObject({ onsetUs: 96 * BUCKET_US, basePerHour: 1, count: 46 })
  })

  it('begins where it doubled for days, and not where it doubles by day', () => {
    const hourly = (days: number, day: number, night: number) =>
      Array.from({ length: days * 24 }, (_, at) => (at % 24 < 12 ? day : night))
    const counts = [...hourly(4, 4, 2), ...hourly(4, 8, 4)]
    const series = { fromUs: 0, bucketUs: 60 * MINUTE_US, counts }
    const lastUs = counts.length * 60 * MINUTE_US - 1
    expect(courseOf({ anchorUs: 0, lastUs, nowUs: lastUs, series }).onsetUs).toBe(96 * 60 * MINUTE_US)
    const usual = { ...series, counts: hourly(8, 8, 4) }
    expect(courseOf({ anchorUs: 0, lastUs, nowUs: lastUs, series: usual }).onsetUs).toBe(0)
  })

  it('is a burst where it rises and falls back', () => {
    const trickle = Array.from({ length: 120 }, (_, at) => (at % 12 === 0 ? 1 : 0))
    const found = course([...trickle, 9, 14, 11, 12, ...trickle])
    expect(found).toMatchObject({ onsetUs: 120 * BUCKET_US, untilUs: 124 * BUCKET_US - 1, isOver: true, count: 46 })
  })

  it('does not take the usual up and down for a beginning', () => {
    expect(course([4, 6, 3, 5, 8, 4, 7, 5, 3, 6, 9, 4])).toMatchObject({ onsetUs: 0 })
    expect(course([1, 0, 0, 2, 0, 1, 0, 0, 3, 1])).toMatchObject({ onsetUs: 0 })
  })

  it('has a peak in the time of its highest count', () => {
    expect(course([1, 2, 30, 4])).toMatchObject({ peak: { atUs: 2 * BUCKET_US, count: 30, spanUs: BUCKET_US } })
  })

  it('is quiet after several of its usual gaps, and not before', () => {
    expect(course(times(20, 6), 20).isQuiet).toBe(false)
    expect(course(times(20, 6), 45).isQuiet).toBe(true)
    const rare = Array.from({ length: 288 }, (_, at) => (at % 24 === 0 ? 1 : 0))
    expect(course(rare, 6 * 60).isQuiet).toBe(false)
    expect(course(rare, 20 * 60).isQuiet).toBe(true)
  })

  it('always lies between the first error and the last', () => {
    const counts = fc
      .array(fc.nat(50), { minLength: 1, maxLength: 300 })
      .map(([first = 0, ...rest]) => [first + 1, ...rest])
    fc.assert(
      fc.property(counts, fc.nat(10_000), (given, quietMinutes) => {
        const { onsetUs, lastUs, peak, count } = course(given, quietMinutes)
        expect(onsetUs).toBeGreaterThanOrEqual(0)
        expect(onsetUs).toBeLessThanOrEqual(lastUs)
        expect(peak.atUs).toBeGreaterThanOrEqual(onsetUs)
        expect(count).toBeGreaterThan(0)
      }),
    )
  })
})
