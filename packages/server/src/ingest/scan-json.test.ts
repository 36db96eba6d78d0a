import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteLongIntegers, scanJson } from './scan-json.ts'

function scan(text: string, lines = false) {
  return scanJson(Buffer.from(text), { lines })
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
    const start = performance.now()
    expect(() => scanJson(bomb, { lines: false })).toThrow('deeper')
    expect(performance.now() - start).toBeLessThan(1_000)
  })

  it('does not count what stands inside strings', () => {
    expect(() => scan(JSON.stringify({ a: '['.repeat(100), b: `\\"${'{'.repeat(100)}` }))).not.toThrow()
    expect(() => scan(`{"a\\\\":${'['.repeat(40)}`)).toThrow('deeper')
  })

  it('starts afresh on every line, so that a broken line cannot hide or spoil the next', () => {
    expect(() => scan(`{"open string\n${'['.repeat(40)}`, true)).toThrow('deeper')
    expect(() => scan(Array.from({ length: 50 }, () => '{"a":[').join('\n'), true)).not.toThrow()
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

  it('notices integers that a double may not hold, outside strings only', () => {
    expect(scan('{"a":1234567890123456}').hasLongIntegers).toBe(true)
    expect(scan('{"a":123456789012345}').hasLongIntegers).toBe(false)
    expect(scan('{"a":"1234567890123456"}').hasLongIntegers).toBe(false)
  })
})

describe('quoteLongIntegers', () => {
  it.each([
    ['{"id":9007199254740993}', '{"id":"9007199254740993"}'],
    ['[-9223372036854775808,1]', '["-9223372036854775808",1]'],
    ['{"id":9007199254740991}', '{"id":9007199254740991}'],
    ['{"a":"9007199254740993","b":0.12345678901234567}', '{"a":"9007199254740993","b":0.12345678901234567}'],
    ['{"a":"\\"9007199254740993"}', '{"a":"\\"9007199254740993"}'],
    ['[12345678901234567890e3]', '[12345678901234567890e3]'],
  ])('turns %s into %s', (text, expected) => {
    expect(quoteLongIntegers(text)).toBe(expected)
  })

  it('leaves every value but long integers alone', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        expect(JSON.parse(quoteLongIntegers(text))).toEqual(JSON.parse(text))
      }),
    )
  })

  it('stays linear on text made to start over at every quote', () => {
    const hostile = '\\"'.repeat(2_000_000)
    const start = performance.now()
    quoteLongIntegers(hostile)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})
