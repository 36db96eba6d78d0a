import { HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keptSinceUs } from '../../model/retention.ts'
import { LEAST_SPAN_US, MOST_SPAN_US, occurrenceWindow, rateSpans, roundedPerHour } from './rates.ts'

const NOW_US = Date.UTC(2026, 0, 31, 12) * 1_000
const OLDEST_US = keptSinceUs(30, NOW_US / 1_000)

describe('the spans around a deploy', () => {
  it('are as long as it has been running, at least ten minutes and at most a day', () => {
    for (const [ago, length] of [
      [HOUR_US, HOUR_US],
      [72 * HOUR_US, 24 * HOUR_US],
    ] as const) {
      const at = NOW_US - ago
      const spans = { before: { fromUs: at - length, toUs: at }, after: { fromUs: at, toUs: at + length } }
      expect(rateSpans(at, NOW_US, OLDEST_US)).toEqual(spans)
    }
  })

  it('hold nothing of the future', () => {
    const at = NOW_US - 3 * MINUTE_US
    expect(rateSpans(at, NOW_US, OLDEST_US)).toEqual({
      before: { fromUs: at - 10 * MINUTE_US, toUs: at },
      after: { fromUs: at, toUs: NOW_US },
    })
    expect(rateSpans(NOW_US + HOUR_US, NOW_US, OLDEST_US)).toBeNull()
  })

  it('are none where retention has passed over what came before', () => {
    expect(rateSpans(OLDEST_US + 5 * MINUTE_US, NOW_US, OLDEST_US)).toBeNull()
    expect(rateSpans(OLDEST_US - HOUR_US, NOW_US, OLDEST_US)).toBeNull()
    const at = OLDEST_US + HOUR_US
    expect(rateSpans(at, NOW_US, OLDEST_US)?.before).toEqual({ fromUs: OLDEST_US, toUs: at })
  })

  it('keep these promises for every deploy', () => {
    const minutes = fc.integer({ min: -60 * 24, max: 60 * 24 * 40 })
    fc.assert(
      fc.property(minutes, (ago) => {
        const at = NOW_US - ago * MINUTE_US
        const spans = rateSpans(at, NOW_US, OLDEST_US)
        if (spans === null) return
        const { before, after } = spans
        expect([before.toUs, after.fromUs]).toEqual([at, at])
        expect(before.fromUs).toBeGreaterThanOrEqual(OLDEST_US)
        expect(after.toUs).toBeLessThanOrEqual(NOW_US)
        expect(before.toUs - before.fromUs).toBeGreaterThanOrEqual(LEAST_SPAN_US)
        expect(before.toUs - before.fromUs).toBeLessThanOrEqual(MOST_SPAN_US)
      }),
    )
  })
})

describe('a rate', () => {
  it('is per hour, with two places', () => {
    expect(roundedPerHour(7, { fromUs: 0, toUs: 20 * MINUTE_US })).toBe(21)
    expect(roundedPerHour(1, { fromUs: 0, toUs: 7 * HOUR_US })).toBe(0.14)
    expect(roundedPerHour(5, { fromUs: 3, toUs: 3 })).toBe(0)
  })
})

describe('the window of occurrences', () => {
  it('holds the anchor with an hour or a quarter before it, and at most a week behind', () => {
    expect(occurrenceWindow(NOW_US - MINUTE_US, NOW_US)).toEqual({
      fromUs: NOW_US - MINUTE_US - HOUR_US,
      toUs: NOW_US - MINUTE_US + HOUR_US,
    })
    const { fromUs, toUs } = occurrenceWindow(NOW_US - 1_000 * HOUR_US, NOW_US)
    expect([toUs - (NOW_US - 1_000 * HOUR_US), NOW_US - 1_000 * HOUR_US - fromUs]).toEqual([
      168 * HOUR_US,
      42 * HOUR_US,
    ])
  })
})
