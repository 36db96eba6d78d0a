import type { RetentionRule } from '@tidemark/wire/retention'
import { DAY_MS, DAY_US } from '@tidemark/wire/time/units'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  comparableSinceUs,
  daysKept,
  errorsKeptSinceUs,
  expiresDay,
  kept,
  keptRange,
  keptSinceUs,
  pastRetention,
  widestWindowUs,
} from './retention.ts'

const days = fc.integer({ min: 0, max: 3_650 })
const moment = fc.integer({ min: 10_000 * DAY_MS, max: 40_000 * DAY_MS })

it('ends for reading on the day on which the store may delete', () => {
  fc.assert(
    fc.property(days, moment, fc.integer({ min: -3, max: 3 }), (retentionDays, nowMs, beside) => {
      const today = Math.floor(nowMs / DAY_MS)
      const day = today - retentionDays + beside
      const mayBeDeleted = expiresDay(day, retentionDays) <= today
      expect(day * DAY_US < keptSinceUs({ retentionDays }, nowMs)).toBe(mayBeDeleted)
    }),
  )
})

it('fits into the widest window', () => {
  fc.assert(
    fc.property(days, moment, (retentionDays, nowMs) => {
      const sinceUs = keptSinceUs({ retentionDays }, nowMs)
      expect(keptRange({ retentionDays }, nowMs).fromUs).toBe(sinceUs)
      expect(nowMs * 1_000 - sinceUs).toBeLessThan(widestWindowUs({ retentionDays }))
    }),
  )
})

it('leaves of a range what is kept of it', () => {
  expect(kept({ fromUs: 1, toUs: 9 }, 5)).toEqual({ fromUs: 5, toUs: 9 })
  expect(kept({ fromUs: -4, toUs: 9 }, 0)).toEqual({ fromUs: 0, toUs: 9 })
  expect(kept({ fromUs: 1, toUs: 5 }, 5)).toBeNull()
})

const rule = (days: number, names: Partial<RetentionRule> = {}): RetentionRule => ({
  levels: null,
  service: null,
  environment: null,
  days,
  ...names,
})
const ERRORS = rule(90, { levels: ['error', 'fatal'] })
const DEBUG = rule(3, { levels: ['trace', 'debug'] })
const NOW = Date.UTC(2026, 5, 15, 13)
const daysAgoUs = (days: number) => (Math.floor(NOW / DAY_MS) - days) * DAY_US

describe('rules of a retention', () => {
  const record = { level: 'info', service: 'web', environment: 'production' } as const

  it('apply to what they name, to the letter; the first one that applies counts', () => {
    const retention = {
      retentionDays: 30,
      retentionRules: [
        rule(7, { environment: 'staging' }),
        ERRORS,
        rule(5, { service: 'web', levels: ['warn'] }),
        DEBUG,
      ],
    }
    expect(daysKept(retention, record)).toBe(30)
    expect(daysKept(retention, { ...record, level: 'fatal' })).toBe(90)
    expect(daysKept(retention, { ...record, level: 'fatal', environment: 'staging' })).toBe(7)
    expect(daysKept(retention, { ...record, level: 'error', environment: 'Staging' })).toBe(90)
    expect(daysKept(retention, { ...record, level: 'warn' })).toBe(5)
    expect(daysKept(retention, { ...record, level: 'warn', service: 'worker' })).toBe(30)
    expect(daysKept(retention, { ...record, level: 'debug' })).toBe(3)
  })

  it('move the end of reading to the longest', () => {
    const retention = { retentionDays: 30, retentionRules: [ERRORS, DEBUG] }
    expect(keptSinceUs(retention, NOW)).toBe(daysAgoUs(90))
    expect(widestWindowUs(retention)).toBe(91 * DAY_US)
  })

  it.each([
    [0, null, 3],
    [3, null, 7],
    [3, 'staging', 7],
    [3, 'production', 30],
    [7, null, 30],
    [30, null, 90],
    [90, null, 90],
  ])(
    'let times until %i days ago be compared only with those of which the same records are gone, in %s',
    (until, environment, days) => {
      const retention = { retentionDays: 30, retentionRules: [ERRORS, DEBUG, rule(7, { environment: 'staging' })] }
      expect(comparableSinceUs(retention, { untilUs: daysAgoUs(until), environment }, NOW)).toBe(daysAgoUs(days))
    },
  )

  it.each<[string, RetentionRule[], number]>([
    ['no rule', [], 30],
    ['rules for other levels', [DEBUG], 30],
    ['a longer one for all errors', [ERRORS], 90],
    ['a longer one for some of them only', [rule(90, { levels: ['fatal'] })], 30],
    ['a shorter one for one service before it', [rule(7, { service: 'web' }), ERRORS], 7],
    ['one for another environment', [rule(7, { environment: 'staging' })], 30],
    ['one for this environment', [rule(7, { environment: 'production' }), ERRORS], 7],
  ])('keep all errors of an environment, with %s', (_, retentionRules, days) => {
    expect(errorsKeptSinceUs({ retentionDays: 30, retentionRules }, 'production', NOW)).toBe(daysAgoUs(days))
  })

  it('say from when on each deletes', () => {
    expect(pastRetention({ retentionDays: 30, retentionRules: [DEBUG] }, NOW)).toEqual({
      rules: [{ levels: ['trace', 'debug'], service: null, environment: null, beforeUs: daysAgoUs(3) }],
      beforeUs: daysAgoUs(30),
    })
  })
})
