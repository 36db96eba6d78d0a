import { describe, expect, it } from 'vitest'
import type { AppError } from '../../errors.ts'
import { CallLimits } from './call-limits.ts'

describe('the limits of a key', () => {
  it('let as many calls through in a minute as they say, then refuse and say how long to wait', () => {
    const limits = new CallLimits({ callsPerMinute: 60, atOnce: 8 })
    for (let call = 0; call < 60; call++) limits.enter('a', 1, 0)()
    expect(refusalOf(() => limits.enter('a', 1, 0))).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 1 })
    expect(refusalOf(() => limits.enter('a', 5, 0))).toMatchObject({ retryAfterSeconds: 5 })
    limits.enter('b', 1, 0)()
    limits.enter('a', 1, 1_000)()
    expect(refusalOf(() => limits.enter('a', 1, 1_000))).toBeDefined()
  })

  it('let a limited number run at once, and take a place back only once', () => {
    const limits = new CallLimits({ callsPerMinute: 600, atOnce: 2 })
    const leave = limits.enter('a', 1, 0)
    limits.enter('a', 1, 0)
    expect(refusalOf(() => limits.enter('a', 1, 0))).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 1 })
    leave()
    leave()
    limits.enter('a', 1, 0)
    expect(refusalOf(() => limits.enter('a', 1, 0))).toBeDefined()
  })

  it('are not lifted by a clock that jumps back', () => {
    const limits = new CallLimits({ callsPerMinute: 1, atOnce: 8 })
    limits.enter('a', 1, 60_000)()
    expect(refusalOf(() => limits.enter('a', 1, 0))).toBeDefined()
    limits.enter('a', 1, 60_000)()
  })
})

function refusalOf(act: () => unknown): AppError | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    return error as AppError
  }
}
