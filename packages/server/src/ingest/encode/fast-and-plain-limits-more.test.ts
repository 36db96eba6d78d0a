import { describe, expect, it } from 'vitest'
import { expectSame } from '../testing/both-ways.ts'

const JSON_BODY = { type: 'application/json' }

describe('the fast path and the plain path', () => {
  it('do the same at the limits of a request', () => {
    const line = '{"message":"m"}'
    const list = (count: number) => `[${Array.from({ length: count }, () => line).join()}]`
    expectSame(`${line}\n`.repeat(50_001))
    expectSame(list(50_001), JSON_BODY)
    const days = Array.from({ length: 9 }, (_, day) => `{"message":"m","timestamp":"2025-12-${20 + day}T00:00:00Z"}`)
    for (const some of [days, days.slice(1)]) {
      expectSame(some.join('\n'))
      expectSame(`[${some}]`, JSON_BODY)
    }
    const wide = `{"message":"m","a":[${'1,'.repeat(1_000_000)}1]}`
    expectSame(`${line}\n${wide}\n${wide}`)
    expectSame(`[${line},${wide},${wide}]`, JSON_BODY)
  })

  it.each([
    [1_999_999, 1],
    [2_000_000, 1],
    [2_000_001, 0],
  ])('do the same with a list of %i values, whichever way its last record is read', (values, accepted) => {
    // Six are brackets, braces and commas around the numbers. The wide record alone is too large and rejected.
    const wide = `{"message":"m","a":[${'1,'.repeat(values - 6)}1]}`
    expect(expectSame(`[${wide},{"message":"m"}]`, JSON_BODY)).toBe(accepted)
    expect(expectSame(`[{"message":"m"},${wide}]`, JSON_BODY)).toBe(accepted)
  })

  it.each([
    ['{"logs":', 1_999_999, 1],
    ['{"logs":', 2_000_000, 0],
    ['{"projectApiKey":"k","logs":', 1_999_998, 1],
    ['{"projectApiKey":"k","logs":', 1_999_999, 0],
  ])('do the same with %s and a list of %i values', (before, values, accepted) => {
    const wide = `{"message":"m","a":[${'1,'.repeat(values - 6)}1]}`
    expect(expectSame(`${before}[{"message":"m"},${wide}]}`, JSON_BODY)).toBe(accepted)
  })
})
