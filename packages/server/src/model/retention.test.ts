import { DAY_MS, DAY_US } from '@tidemark/wire/time/units'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { expiresDay, kept, keptRange, keptSinceUs, widestWindowUs } from './retention.ts'

const days = fc.integer({ min: 0, max: 3_650 })
const moment = fc.integer({ min: 10_000 * DAY_MS, max: 40_000 * DAY_MS })

it('ends for reading on the day on which the store may delete', () => {
  fc.assert(
    fc.property(days, moment, fc.integer({ min: -3, max: 3 }), (retentionDays, nowMs, beside) => {
      const today = Math.floor(nowMs / DAY_MS)
      const day = today - retentionDays + beside
      const mayBeDeleted = expiresDay(day, retentionDays) <= today
      expect(day * DAY_US < keptSinceUs(retentionDays, nowMs)).toBe(mayBeDeleted)
    }),
  )
})

it('fits into the widest window', () => {
  fc.assert(
    fc.property(days, moment, (retentionDays, nowMs) => {
      const sinceUs = keptSinceUs(retentionDays, nowMs)
      expect(keptRange(retentionDays, nowMs).fromUs).toBe(sinceUs)
      expect(nowMs * 1_000 - sinceUs).toBeLessThan(widestWindowUs(retentionDays))
    }),
  )
})

it('leaves of a range what is kept of it', () => {
  expect(kept({ fromUs: 1, toUs: 9 }, 5)).toEqual({ fromUs: 5, toUs: 9 })
  expect(kept({ fromUs: -4, toUs: 9 }, 0)).toEqual({ fromUs: 0, toUs: 9 })
  expect(kept({ fromUs: 1, toUs: 5 }, 5)).toBeNull()
})
