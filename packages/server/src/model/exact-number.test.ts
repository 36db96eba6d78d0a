import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { survivesAsDouble } from './exact-number.ts'

describe('a number in JSON', () => {
  it.each([
    '0',
    '-0',
    '0.000',
    '0e999',
    '1',
    '9007199254740991',
    '9007199254740992',
    '-9007199254740992',
    '9007199254740992.0',
    '1e23',
    '1.5E+300',
    '100000000000000000000',
    '0.12345678901234567890',
    '0.10000000000000001',
    '5e-324',
  ])('that is %s survives as a double', (token) => {
    expect(survivesAsDouble(token)).toBe(true)
  })

  it.each([
    '9007199254740993',
    '-9007199254740993',
    '9007199254740993.0',
    '9007199.254740993e9',
    '18446744073709551616',
    '123456789012345678.5',
    '1e400',
    '-1e400',
    `1${'0'.repeat(400)}.5`,
    '1e-400',
    `0.${'0'.repeat(400)}1`,
  ])('that is %s would be changed', (token) => {
    expect(survivesAsDouble(token)).toBe(false)
  })

  it('that a double was written as always survives', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => survivesAsDouble(String(value))),
    )
  })

  it('that is whole survives exactly when its digits come back', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
        (value) => survivesAsDouble(String(value)) === (String(Number(value)) === String(value)),
      ),
    )
  })
})
