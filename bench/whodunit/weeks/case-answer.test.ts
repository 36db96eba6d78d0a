import { expect, it } from 'vitest'
import type { ShopRecord } from '../../../packages/demo/src/shop/shop-record.ts'
import { QUIET_WINDOW_US } from '../../../packages/wire/src/analyses/analysis-state.ts'
import { caseAnswer } from './case-answer.ts'
import type { Case } from './cases/case.ts'

const FIRST_MS = Date.parse('2026-03-01T12:00:00Z')
const QUIET_WINDOW_MS = QUIET_WINDOW_US / 1_000

it('begins a new episode where the service does: after more than the quiet window', () => {
  const firstErrorAt = (quietMs: number) => answerOf([FIRST_MS, FIRST_MS + quietMs]).firstErrorAt
  expect(firstErrorAt(QUIET_WINDOW_MS)).toBe(timestamp(FIRST_MS))
  expect(firstErrorAt(QUIET_WINDOW_MS + 1)).toBe(timestamp(FIRST_MS + QUIET_WINDOW_MS + 1))
})

it('calls somebody at the first error, and of errors that were always there when they grow', () => {
  const laterMs = FIRST_MS + 60_000
  expect(answerOf([FIRST_MS, laterMs]).beganAt).toBe(timestamp(FIRST_MS))
  expect(answerOf([FIRST_MS, laterMs], FIRST_MS + 1).beganAt).toBe(timestamp(laterMs))
})

const timestamp = (atMs: number) => new Date(atMs).toISOString()

function answerOf(timesMs: readonly number[], grewMs?: number) {
  const place = { service: 'checkout', environment: 'production' } as const
  const records = timesMs.map(
    (atMs) => ({ ...place, timestamp: timestamp(atMs), level: 'error', message: 'Failed' }) as ShopRecord,
  )
  const cause = { kinds: ['unknown'], deploy: null, commit: null, file: null, because: '' }
  const told = { ...place, kind: 'outage', title: '', of: { service: place.service }, cause, grewMs } as unknown as Case
  return caseAnswer(told, { name: 'one', records, deploys: [], nowMs: FIRST_MS })
}
