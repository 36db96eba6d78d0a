import { expect, it } from 'vitest'
import { foreignTimeMs } from './foreign-time.ts'

const ms = Date.parse('2026-01-02T03:04:05.678Z')

it.each([
  [ms, ms],
  [ms / 1_000, ms],
  [ms * 1_000, ms],
  [ms * 1_000_000, ms],
  [String(ms), ms],
  [String(ms / 1_000), ms],
  [new Date(ms), ms],
  ['2026-01-02T03:04:05.678Z', ms],
  ['2026-01-02 04:04:05.678+01:00', ms],
  // Local time of an unknown place, a duration, nothing at all.
  ['2026-01-02 03:04:05', undefined],
  [12.5, undefined],
  [new Date(Number.NaN), undefined],
  ['soon', undefined],
  [undefined, undefined],
])('reads the time %j as %j', (value, expected) => {
  const read = foreignTimeMs(value)
  expect(read === undefined ? undefined : Math.round(read)).toBe(expected)
})
