import { DAY_US, HOUR_US } from '@tidemark/wire/time/units'
import { describe, expect, it } from 'vitest'
import { comparisonWarnings } from './comparison-warnings.ts'

const NOW = Date.UTC(2026, 5, 15, 13)
const DEBUG = { levels: ['debug' as const], service: null, environment: 'production', days: 3 }
const RETENTION = { retentionDays: 30, retentionRules: [DEBUG] }
const hoursAgo = (from: number, to: number) => ({
  fromUs: NOW * 1_000 - from * HOUR_US,
  toUs: NOW * 1_000 - to * HOUR_US,
})
const compared = (environment: string | null, from: number) => ({
  range: hoursAgo(24, 0),
  base: hoursAgo(from, from - 24),
  environment,
})

describe('two windows that are compared', () => {
  it('are warned about when a rule has taken records of one and not of the other', () => {
    const [warning] = comparisonWarnings(RETENTION, compared('production', 120), NOW)
    expect(warning?.message).toMatch(
      /^Records are kept for 3 days \(level debug, environment production\), otherwise 30 days\. Some of those from before 2026-06-12T00:00:00Z are gone/,
    )
    expect(comparisonWarnings(RETENTION, compared(null, 120), NOW)).toHaveLength(1)
  })

  it('are not where all records are kept, where no rule applies, and without rules', () => {
    expect(comparisonWarnings(RETENTION, compared('production', 48), NOW)).toEqual([])
    expect(comparisonWarnings(RETENTION, compared('staging', 120), NOW)).toEqual([])
    expect(comparisonWarnings({ retentionDays: 3 }, compared('production', 120), NOW)).toEqual([])
  })

  it('are not where the same records are gone on both sides', () => {
    const past = { range: hoursAgo(120, 100), base: hoursAgo(140, 120), environment: 'production' }
    expect(comparisonWarnings(RETENTION, past, NOW)).toEqual([])
    const around = { range: hoursAgo(120, 24), base: hoursAgo(120 + DAY_US / HOUR_US, 120), environment: 'production' }
    expect(comparisonWarnings(RETENTION, around, NOW)).toHaveLength(1)
  })
})
