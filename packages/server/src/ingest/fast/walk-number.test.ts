import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { walkNumber } from './walk-number.ts'

function isTaken(token: string): boolean {
  const bytes = Buffer.from(`:${token},`)
  return walkNumber(bytes, 1) === 1 + token.length
}

describe('a walk over a number', () => {
  it.each([
    '0',
    '7',
    '-7',
    '200',
    '123456789012345',
    '0.5',
    '12.25',
    '-3.75',
    '0.000001',
    '1000000',
    '99999.9999999999',
  ])('takes %s', (token) => {
    expect(isTaken(token)).toBe(true)
    expect(String(JSON.parse(token))).toBe(token)
  })

  it.each([
    '-0',
    '-0.5',
    '01',
    '1.',
    '.5',
    '1.50',
    '1e5',
    '1E-7',
    '0.0000001',
    '1234567890123456',
    '+1',
    '-',
    '0x1',
    'NaN',
  ])('leaves %s', (token) => {
    expect(isTaken(token)).toBe(false)
  })

  it('takes only what a double is written as', () => {
    const digits = fc.stringMatching(/^-?\d{1,18}(?:\.\d{1,18})?$/)
    const numbers = fc.oneof(
      digits,
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.integer().map(String),
    )
    fc.assert(
      fc.property(numbers, (token) => {
        if (isTaken(token)) expect(String(JSON.parse(token))).toBe(token)
      }),
      { numRuns: 5_000, seed: 17 },
    )
  })
})
