import { describe, expect, it } from 'vitest'
import { askAgainAfterMs } from './deploys.ts'

const NOW_MS = Date.parse('2026-11-16T10:00:00Z')
const wait = (...times: (string | null)[]) =>
  askAgainAfterMs(
    times.map((checkAgainAt) => ({ checkAgainAt })),
    NOW_MS,
  )

describe('verdicts that are too early', () => {
  it('are asked for again when the first of them can be told', () => {
    expect(wait('2026-11-16T11:00:00Z', null, '2026-11-16T10:05:00Z')).toBe(302_000)
  })

  it('are never asked for more than once a minute, nor after more than a day', () => {
    expect(wait('2026-11-16T09:00:00Z')).toBe(60_000)
    expect(wait('2027-11-16T10:00:00Z')).toBe(86_400_000)
  })

  it('are left alone where nothing will be known later', () => {
    expect([wait(), wait(null, null)]).toEqual([false, false])
  })
})
