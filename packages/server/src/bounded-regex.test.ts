import fc from 'fast-check'
import { RE2JS, RE2JSException } from 're2js'
import { describe, expect, it } from 'vitest'
import { compileBounded, estimatedInstructions, RegexTooLarge } from './bounded-regex.ts'

/** Pieces in which a reader of brackets and repeats may go wrong. */
const pieces = fc.constantFrom(
  ...[
    'a',
    'bc',
    '.',
    '|',
    '(',
    '(',
    '(?:',
    '(?i:',
    '(?P<n>',
    ')',
    ')',
    '*',
    '+',
    '?',
    '\\)',
    '\\(',
    '\\\\',
    '\\d',
    '^',
  ],
  ...['[)]', '[(]', '[]a]', '[^]]', '[[:alpha:]]', '[\\]a]', '[[a]', '\\pL', '\\p{Greek}', '\\x{41}', '\\Q(\\E', '\\Q'],
  ...['{3}', '{0}', '{,7}', '{9,}', '{2,5}', '{30}', '{100}', '\\b', '$'],
)

describe('the size of a pattern', () => {
  it('is never estimated below that of the compiled program', () => {
    let compiled = 0
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
        const source = parts.join('')
        try {
          const size = RE2JS.compile(source).programSize()
          compiled += 1
          expect(estimatedInstructions(source), source).toBeGreaterThanOrEqual(size)
        } catch (error) {
          if (!(error instanceof RE2JSException)) throw error
        }
      }),
      { numRuns: 2_000 },
    )
    expect(compiled).toBeGreaterThan(200)
  })

  it.each([
    '\\bCUST-[A-Z0-9]{6,12}\\b',
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
    '\\x{1F600}{2}|\\p{Greek}{20,64}',
    '(?i)(?P<name>session|token)[=:]\\s*(?:[a-z0-9]{4}-){1,20}',
  ])('is estimated well enough not to refuse %s', (source) => {
    expect(estimatedInstructions(source)).toBeLessThan(4 * RE2JS.compile(source).programSize())
  })

  it('is bounded', () => {
    expect(compileBounded('x{1,499}[yz]', 1_000).programSize()).toBe(1_000)
    expect(() => compileBounded('x{1,500}[yz]', 1_000)).toThrow(new RegexTooLarge(1_002))
  })

  it('is bounded before the pattern is compiled, which would take seconds', () => {
    expect(() => compileBounded(`(?:${'.'.repeat(900)}){1000}`, 1_000)).toThrow(
      expect.objectContaining({ instructions: estimatedInstructions(`(?:${'.'.repeat(900)}){1000}`) }),
    )
  })
})
