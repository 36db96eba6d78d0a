/** The SDK depends on nothing, so it has its own copy of a few rules. Each says the same as the one of the service. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foreignTimeMs } from '../packages/sdk/src/adapters/foreign-time.ts'
import { LATER } from '../packages/sdk/src/delivery/answer.ts'
import { MAX_NAME_CHARACTERS as SDK_MAX_NAME_CHARACTERS } from '../packages/sdk/src/record/encode-record.ts'
import { LEVELS as SDK_LEVELS } from '../packages/sdk/src/record/level.ts'
import { LEVELS } from '../packages/wire/src/level.ts'
import { MAX_NAME_CHARACTERS } from '../packages/wire/src/limits.ts'
import { RETRYABLE_STATUSES } from '../packages/wire/src/retryable.ts'
import { epochToUs } from '../packages/wire/src/time/epoch.ts'

it('knows the levels of the service, in their order', () => {
  expect(SDK_LEVELS).toEqual(LEVELS)
})

it('cuts names where the service would', () => {
  expect(SDK_MAX_NAME_CHARACTERS).toBe(MAX_NAME_CHARACTERS)
})

it('sends again after the answers that the service means so', () => {
  expect([...LATER]).toEqual(RETRYABLE_STATUSES)
})

it('reads an epoch as the service does', () => {
  const magnitudes = [8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18].map((digits) => 10 ** digits)
  const epoch = fc.tuple(fc.constantFrom(...magnitudes), fc.integer({ min: 0, max: 89_999_999 }))
  fc.assert(
    fc.property(epoch, ([magnitude, part]) => {
      const value = magnitude + part * (magnitude / 1e8)
      expect((foreignTimeMs(value) ?? Number.NaN) * 1e3).toBeCloseTo(epochToUs(value), -1)
    }),
  )
})
