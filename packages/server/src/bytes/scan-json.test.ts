import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuMsOf } from '../testing/cpu-time.ts'
import { quoteChangedNumbers, scanJson } from './scan-json.ts'

function scan(text: string) {
  return scanJson(Buffer.from(text))
}

describe('scanJson', () => {
  it('takes 32 levels and refuses 33', () => {
    expect(() => scan('['.repeat(32) + ']'.repeat(32))).not.toThrow()
    expect(() => scan('['.repeat(33) + ']'.repeat(33))).toThrow('deeper than 32 levels')
    expect(() => scan('{"a":'.repeat(33))).toThrow('deeper than 32 levels')
  })

  it('refuses more than two million values, however they are written', () => {
    expect(() => scan(`[${'0,'.repeat(2_000_001)}0]`)).toThrow('2,000,000 values')
    expect(() => scan(`[${'{}'.repeat(2_000_001)}]`)).toThrow('2,000,000 values')
    expect(() => scan(`[${'0,'.repeat(1_900_000)}0]`)).not.toThrow()
  })

  it('refuses ten megabytes of brackets at once', () => {
    const bomb = Buffer.alloc(10_000_000, '[')
    const cost = cpuMsOf(() => expect(() => scanJson(bomb)).toThrow('deeper'))
    expect(cost).toBeLessThan(1_000)
  })

  it('does not count what stands inside strings', () => {
    expect(() => scan(JSON.stringify({ a: '['.repeat(100), b: `\\"${'{'.repeat(100)}` }))).not.toThrow()
    expect(() => scan(`{"a\\\\":${'['.repeat(40)}`)).toThrow('deeper')
  })

  it('counts the values of earlier documents of a request', () => {
    expect(scanJson(Buffer.from('[1,2]'), 10).values).toBe(12)
    expect(() => scanJson(Buffer.from('[1,2]'), 1_999_999)).toThrow('2,000,000 values')
  })

  it('counts the values at the top', () => {
    expect(scan('{"a":[1,{}]}').topLevelValues).toBe(1)
    expect(scan('{}\n{}\n[]').topLevelValues).toBe(3)
    expect(scan('plain text').topLevelValues).toBe(0)
  })

  it('notices escapes that may write NUL or half a pair, and only those', () => {
    for (const text of ['"\\u0000"', '"\\ud800"', '"x\\uDFFF"']) expect(scan(text).hasSuspectEscapes, text).toBe(true)
    for (const text of ['"\\u0041"', '"\\\\u0000"', '"\\n"', '"ud800"'])
      expect(scan(text).hasSuspectEscapes, text).toBe(false)
  })

  it('notices numbers that a double may not hold, outside strings only', () => {
    expect(scan('{"a":1234567890123456}').hasDoubtfulNumbers).toBe(true)
    expect(scan('{"a":123456789012345}').hasDoubtfulNumbers).toBe(false)
    expect(scan('{"a":"1234567890123456"}').hasDoubtfulNumbers).toBe(false)
    for (const number of ['1e400', '1E400', '1e+400', '1e-400', '1.5e-400', '9007199.254740993e9'])
      expect(scan(`{"a":${number}}`).hasDoubtfulNumbers, number).toBe(true)
    for (const text of ['1e-7', '"1e400"', '"a":true', '"e":1', '1.5e-07', 'false'])
      expect(scan(`[${text}]`).hasDoubtfulNumbers, text).toBe(false)
  })
})

describe('quoteChangedNumbers', () => {
  it.each([
    ['{"id":9007199254740993}', '{"id":"9007199254740993"}'],
    ['[-9223372036854775808,1]', '["-9223372036854775808",1]'],
    ['{"id":9007199254740991}', '{"id":9007199254740991}'],
    ['{"a":"9007199254740993","b":0.12345678901234567}', '{"a":"9007199254740993","b":0.12345678901234567}'],
    ['{"a":"\\"9007199254740993"}', '{"a":"\\"9007199254740993"}'],
    ['[12345678901234567890e3]', '["12345678901234567890e3"]'],
    ['{"a":1e400,"b":-1e400,"c":1e-400,"d":1e300}', '{"a":"1e400","b":"-1e400","c":"1e-400","d":1e300}'],
    ['[00000000000000000001]', '[00000000000000000001]'],
    ['[1e400e400]', '[1e400e400]'],
  ])('turns %s into %s', (text, expected) => {
    expect(quoteChangedNumbers(text)).toBe(expected)
  })

  it('leaves every value that a double holds alone', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        expect(JSON.parse(quoteChangedNumbers(text))).toEqual(JSON.parse(text))
      }),
    )
  })

  it('stays linear on text made to start over at every quote', () => {
    const hostile = '\\"'.repeat(2_000_000)
    const long = `[9007199254740993.${'0'.repeat(4_000_000)}1]`
    // A square of the length would take hours.
    expect(cpuMsOf(() => [hostile, long].map(quoteChangedNumbers))).toBeLessThan(10_000)
  })
})
