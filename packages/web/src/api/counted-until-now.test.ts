import type { CountAnswer } from '@tidemark/wire/reading/count'
import type { DeployRow } from '@tidemark/wire/reading/row'
import { describe, expect, it } from 'vitest'
import { countedUntilNow } from './counted-until-now.ts'

const at = (clock: string) => `2026-11-15T${clock}Z`
const NOW_MS = Date.parse(at('12:15:00'))

/** Half an hour in buckets of five minutes. */
const answer = (counts: readonly number[], deploys: readonly string[] = []): CountAnswer => ({
  window: { from: at('12:00:00.000'), to: at('12:30:00.000') },
  total: counts.reduce((sum, count) => sum + count, 0),
  bucketSeconds: 300,
  buckets: counts.map((count, index) => ({
    timestamp: new Date(Date.parse(at('12:00:00')) + index * 300_000).toISOString(),
    count,
    by: {},
  })),
  groups: [],
  otherGroups: 0,
  deploys: deploys.map((timestamp) => ({ timestamp }) as DeployRow),
  previous: null,
  warnings: [],
  empty: null,
})
const shown = (counted: CountAnswer, nowMs = NOW_MS) => {
  const { window, buckets } = countedUntilNow(counted, nowMs)
  return { to: window.to, buckets: buckets.length }
}

describe('what was counted over a range that ends in the future', () => {
  it('ends now, because nothing can be said of later', () => {
    expect(shown(answer([0, 4, 2, 0, 0, 0]))).toEqual({ to: at('12:15:00.000'), buckets: 3 })
    expect(shown(answer([0, 0, 0, 0, 0, 0]), NOW_MS + 120_000)).toEqual({ to: at('12:17:00.000'), buckets: 4 })
  })

  it('goes on to the last record and the last deploy of a clock that is ahead', () => {
    expect(shown(answer([0, 4, 2, 0, 1, 0]))).toEqual({ to: at('12:25:00.000'), buckets: 5 })
    expect(shown(answer([0, 4, 2, 0, 0, 1]))).toEqual({ to: at('12:30:00.000'), buckets: 6 })
    expect(shown(answer([0, 4, 2, 0, 0, 0], [at('12:21:00')]))).toEqual({ to: at('12:21:00.001'), buckets: 5 })
  })

  it('stays as it is where it is over, or has not begun', () => {
    const counted = answer([0, 4, 2, 0, 0, 0])
    expect(countedUntilNow(counted, Date.parse(at('12:30:00')))).toBe(counted)
    expect(countedUntilNow(counted, Date.parse(at('11:59:00')))).toBe(counted)
  })
})
