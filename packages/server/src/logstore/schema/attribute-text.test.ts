import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../testing/any-text.ts'
import { attributeText, attributeValue } from './attribute-text.ts'

describe('the text of an attribute', () => {
  it('gives back every value with the type it had', () => {
    const tricky = fc.constantFrom(
      '',
      '"',
      '"a"',
      '1',
      '01',
      '1.0',
      '-',
      '-1',
      '1 ',
      'true',
      'null',
      '[1]',
      '{"a":1}',
      'NaN',
    )
    const value = fc.oneof(anyText(), tricky, fc.double({ noNaN: true }), fc.boolean(), fc.constant(null))
    fc.assert(
      fc.property(value, (sent) => {
        fc.pre(Number.isFinite(sent) || typeof sent !== 'number')
        expect(attributeValue(attributeText(sent))).toBe(Object.is(sent, -0) ? 0 : sent)
      }),
      { numRuns: 2_000 },
    )
  })

  it('keeps text as it is unless it would read back as something else', () => {
    expect(attributeText('GET /users')).toBe('GET /users')
    expect(attributeText('2026-01-02')).toBe('2026-01-02')
    expect(attributeText('[1,2]')).toBe('[1,2]')
    expect(attributeText('200')).toBe('"200"')
    expect(attributeText('true')).toBe('"true"')
    expect(attributeText('"quoted"')).toBe('"\\"quoted\\""')
  })

  it('writes numbers, booleans and null as JSON does', () => {
    expect([200, -1.5, 1e21, true, null].map(attributeText)).toEqual(['200', '-1.5', '1e+21', 'true', 'null'])
  })
})
