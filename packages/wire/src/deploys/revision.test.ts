import { expect, it } from 'vitest'
import { isSameRevision, shortRevision } from './revision.ts'

it('takes a short hash for the long one, and no other text', () => {
  expect(isSameRevision('A1B2C3D', 'a1b2c3d4e5f6')).toBe(true)
  expect(isSameRevision('v1.4', 'v1.4')).toBe(true)
  for (const [one, other] of [
    ['', ''],
    ['v1.4', 'v1.4.2'],
    ['a1b2c3', 'a1b2c3d4e5f6'],
    ['deadbeef', 'a1b2c3d'],
    ['defaced', 'defaced1'],
  ] as const) {
    expect(isSameRevision(one, other), `${one} ${other}`).toBe(false)
  }
})

it('cuts a hash that is shown, and neither numbers of builds nor names', () => {
  expect(shortRevision('a1b2c3d4e5f6')).toBe('a1b2c3d')
  expect(shortRevision('abcdefabcd'.repeat(4))).toBe('abcdefa')
  for (const whole of ['20260131', '1234567890', '20261117183000', 'a1b2c3d', 'release-2026-01'])
    expect(shortRevision(whole)).toBe(whole)
})
