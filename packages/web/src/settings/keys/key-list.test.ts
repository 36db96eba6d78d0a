import { describe, expect, it } from 'vitest'
import { keyState } from './key-list.tsx'

describe('the state of a key', () => {
  it('is revoked before it is expired, and expired at the very moment', () => {
    const now = Date.parse('2026-11-15T00:00:00Z')
    expect(keyState({ revokedAt: null, expiresAt: null }, now)).toBe('active')
    expect(keyState({ revokedAt: null, expiresAt: '2026-11-15T00:00:00Z' }, now)).toBe('expired')
    expect(keyState({ revokedAt: '2026-11-14T00:00:00Z', expiresAt: '2026-11-13T00:00:00Z' }, now)).toBe('revoked')
  })
})
