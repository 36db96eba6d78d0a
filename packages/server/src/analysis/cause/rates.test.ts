import { HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keptSinceUs } from '../../model/retention.ts'
import { alignedTo, LEAST_SPAN_US, MOST_SPAN_US, occurrenceWindow, perHour, rateSpans, roundedRate } from './rates.ts'

const NOW_US = Date.UTC(2026, 0, 31, 12) * 1_000
const OLDEST_US = keptSinceUs({ retentionDays: 30 }, NOW_US / 1_000)

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
    expect(roundedRate(perHour(7, { fromUs: 0, toUs: 20 * MINUTE_US }))).toBe(21)
    expect(roundedRate(perHour(1, { fromUs: 0, toUs: 7 * HOUR_US }))).toBe(0.14)
    expect(roundedRate(perHour(5, { fromUs: 3, toUs: 3 }))).toBe(0)
  })
})

describe('the window of occurrences', () => {
  const seen = { lastSeenUs: NOW_US, deployedAtUs: null, nowUs: NOW_US }

  it('ends now while it goes on, with an hour or a quarter before the anchor', () => {
    expect(occurrenceWindow({ ...seen, anchorUs: NOW_US - MINUTE_US })).toEqual({
      fromUs: NOW_US - MINUTE_US - HOUR_US,
      toUs: NOW_US + 1,
    })
    const anchorUs = NOW_US - 1_000 * HOUR_US
    expect(occurrenceWindow({ ...seen, anchorUs })).toEqual({ fromUs: anchorUs - 250 * HOUR_US, toUs: NOW_US + 1 })
  })

  it('holds the last error, however long ago it began, and ends soon after it', () => {
    const anchorUs = NOW_US - 1_000 * HOUR_US
    const lastSeenUs = anchorUs + 400 * HOUR_US
    expect(occurrenceWindow({ ...seen, anchorUs, lastSeenUs }).toUs).toBe(anchorUs + 500 * HOUR_US)
    const nowUs = lastSeenUs + 2 * HOUR_US
    expect(occurrenceWindow({ ...seen, anchorUs, lastSeenUs, nowUs }).toUs).toBe(nowUs)
  })

  it('reaches back to the deploy, unless the errors would have less than half of the width', () => {
    const anchorUs = NOW_US - 4 * HOUR_US
    const deployedAtUs = NOW_US - 6 * HOUR_US
    const { fromUs } = occurrenceWindow({ ...seen, anchorUs, deployedAtUs })
    expect(fromUs).toBe(deployedAtUs - HOUR_US / 2)
    const far = occurrenceWindow({ ...seen, anchorUs, deployedAtUs: NOW_US - 48 * HOUR_US })
    expect(far.fromUs).toBe(anchorUs - HOUR_US)
  })

  it('has a bucket that begins with the deploy', () => {
    const range = { fromUs: 100, toUs: 900 }
    expect(alignedTo(457, range, 60)).toEqual({ fromUs: 97, toUs: 900 })
    expect(alignedTo(40, range, 60)).toEqual({ fromUs: 100, toUs: 900 })
    expect(alignedTo(457, { fromUs: 10, toUs: 900 }, 60)).toEqual({ fromUs: 37, toUs: 900 })
  })
})
