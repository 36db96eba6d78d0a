import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidemark/wire/time/units'
import { describe, expect, it } from 'vitest'
import { formatTick } from './format-time.ts'
import { ticksOf } from './ticks.ts'

const FROM_MS = Date.parse('2026-11-01T07:00:00Z')

describe('the times under a chart', () => {
  it.each([1, 3, 5, 7, 26, 90])('never read alike, over %d days and at any width', (days) => {
    const toMs = FROM_MS + days * DAY_MS
    for (const width of [320, 700, 1_400, 2_600]) {
      const words = ticksOf(FROM_MS, toMs, width).map(({ timeMs }) => formatTick(timeMs, 'utc', toMs - FROM_MS))
      expect(words.length, `${width} px`).toBeGreaterThan(0)
      expect(new Set(words).size, `${width} px`).toBe(words.length)
    }
  })

  it('are at least three under an hour on a phone, whenever it begins', () => {
    for (let minute = 0; minute < 60; minute++) {
      const fromMs = FROM_MS + minute * MINUTE_MS
      expect(ticksOf(fromMs, fromMs + HOUR_MS, 340).length, `minute ${minute}`).toBeGreaterThanOrEqual(3)
    }
  })
})
