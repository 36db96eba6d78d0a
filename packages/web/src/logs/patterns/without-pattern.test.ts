import { describe, expect, it } from 'vitest'
import { withoutPattern } from './without-pattern.ts'

const hash = (index: number) => index.toString(16).padStart(16, '0')
const [A, B, C] = [hash(1), hash(2), hash(3)]

describe('a query without a pattern', () => {
  it('keeps what was typed, as it was typed', () => {
    expect(withoutPattern('', `pattern:${A}`)).toBe(`-pattern:${A}`)
    expect(withoutPattern('NOT a AND b', `-a b pattern:${A}`)).toBe(`NOT a AND b -pattern:${A}`)
    expect(withoutPattern('a OR b', `(a OR b) pattern:${A}`)).toBe(`(a OR b) -pattern:${A}`)
  })

  it('leaves out every kind of message the pattern is made of', () => {
    expect(withoutPattern('', `pattern:(${A} OR ${B})`)).toBe(`-pattern:(${A} OR ${B})`)
  })

  it('gathers what was left out before', () => {
    const once = withoutPattern('level:error', `level:error pattern:(${A} OR ${B})`)
    expect(withoutPattern(once ?? '', `${once} pattern:${C}`)).toBe(`level:error -pattern:(${A} OR ${B} OR ${C})`)
  })

  it('is narrowed by nothing but the last term of the search', () => {
    expect(withoutPattern(`pattern:${A}`, `pattern:${A} pattern:${A}`)).toBe(`pattern:${A} -pattern:${A}`)
  })

  it('is impossible where there is no search, or no room', () => {
    expect(withoutPattern('a', null)).toBeUndefined()
    expect(withoutPattern('a:', `pattern:${A}`)).toBeUndefined()
    const full = Array.from({ length: 200 }, (_, index) => hash(index)).join(' OR ')
    expect(withoutPattern(`-pattern:(${full})`, `-pattern:(${full}) pattern:${hash(999)}`)).toBeUndefined()
  })
})
