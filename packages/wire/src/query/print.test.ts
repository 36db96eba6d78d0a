import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LEVELS } from '../level.ts'
import { allOf, anyOf, type Expression, type Match, noneOf, type Query, type Term, type TextMatch } from './ast.ts'
import { checkRegex } from './check-regex.ts'
import { CORE_FIELDS, type CoreField, type Field } from './fields.ts'
import { parseQuery } from './parse.ts'
import { printQuery, printValue } from './print.ts'
import { tokenize } from './tokenize.ts'

const span = { from: 0, to: 0 }
const RUNS = { numRuns: 1500 }

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom(
    'AND',
    'OR',
    'NOT',
    '-x',
    '!',
    '"',
    '\\',
    'a:b',
    '(',
    ')',
    '[1 TO 2]',
    '>5',
    '/a/',
    'http://x',
    '*',
    ' ',
  ),
)
const filled = text.filter((value) => value !== '')
const source = text
  .map((value) => value.replace(/\\/g, ''))
  .filter((value) => value !== '')
  .map((value) => `${value}\\d`)
  .filter(isSound)

function isSound(source: string): boolean {
  try {
    checkRegex(source)
    return true
  } catch {
    return false
  }
}

const amount = fc.record({
  value: fc
    .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }))
    .map((n) => n + 0),
  unit: fc.constantFrom(null, 'ms' as const, 's' as const, 'kb' as const, 'w' as const),
})
const wildcard: fc.Arbitrary<TextMatch> = fc
  .tuple(text, fc.array(filled, { maxLength: 2 }), text)
  .filter(([first, middle, last]) => first !== '' || last !== '' || middle.length > 0)
  .map(([first, middle, last]) => ({ kind: 'wildcard', pieces: [first, ...middle, last] }))
const textMatch: fc.Arbitrary<TextMatch> = fc.oneof(
  fc.record({ kind: fc.constant('literal' as const), value: filled, quoted: fc.boolean() }),
  wildcard,
  source.map((source): TextMatch => ({ kind: 'regex', source })),
)
const numberMatch: fc.Arbitrary<Match> = fc.oneof(
  fc.record({
    kind: fc.constant('compare' as const),
    comparison: fc.constantFrom('>' as const, '>=' as const, '<' as const, '<=' as const),
    bound: amount.map((amount) => ({ kind: 'number' as const, amount })),
  }),
  fc
    .tuple(fc.integer(), fc.nat(1000), fc.boolean(), fc.boolean())
    .map(([low, width, includesLow, includesHigh]): Match => {
      const bound = (value: number) => ({ kind: 'number' as const, amount: { value: value + 0, unit: null } })
      return { kind: 'range', low: bound(low), includesLow, high: bound(low + width), includesHigh }
    }),
)
const levelMatch: fc.Arbitrary<Match> = fc.constantFrom(...LEVELS).chain((level) =>
  fc.constantFrom<Match>(
    { kind: 'literal', value: level, quoted: false },
    { kind: 'compare', comparison: '>=', bound: { kind: 'level', level } },
    {
      kind: 'range',
      low: { kind: 'level', level: 'trace' },
      includesLow: true,
      high: { kind: 'level', level },
      includesHigh: false,
    },
  ),
)
const textFields = (Object.keys(CORE_FIELDS) as CoreField[]).filter(
  (name) => !['level', 'hash', 'id'].includes(CORE_FIELDS[name].kind),
)
const core: fc.Arbitrary<Field> = fc.constantFrom(...textFields).map((name) => ({ kind: 'core', name }))
const attribute: fc.Arbitrary<Field> = fc
  .oneof(filled, fc.constantFrom('level', 'has', 'HAS', 'http.status', 'env', '0', '@x', 'größe'))
  .map((name) => ({ kind: 'attribute', name }))
const term: fc.Arbitrary<Term> = fc.oneof(
  textMatch.map((match): Term => ({ kind: 'text', match, span })),
  fc.record({
    kind: fc.constant('field' as const),
    field: fc.oneof(core, attribute),
    match: textMatch,
    span: fc.constant(span),
  }),
  fc.record({ kind: fc.constant('field' as const), field: attribute, match: numberMatch, span: fc.constant(span) }),
  levelMatch.map((match): Term => ({ kind: 'field', field: { kind: 'core', name: 'level' }, match, span })),
  fc.oneof(core, attribute).map((field): Term => ({ kind: 'has', field, span })),
)
const { tree } = fc.letrec<{ tree: Expression }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    term,
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((parts) => allOf(parts)!),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((parts) => anyOf(parts)!),
    tie('tree').map(noneOf),
  ),
}))

function withoutSpans(query: Query): unknown {
  return JSON.parse(JSON.stringify(query, (key, value) => (key === 'span' ? undefined : value)))
}

function parsed(text: string): Query {
  const result = parseQuery(text)
  if (!result.ok) throw new Error(`${text}: ${result.error.message}`)
  return result.query
}

describe('printing a query', () => {
  it('gives a text that is read as the same query', () => {
    fc.assert(
      fc.property(tree, (root) => {
        const printed = printQuery({ root })
        const result = parseQuery(printed)
        // The limits on size are checked elsewhere.
        fc.pre(result.ok || !/at most|nested/.test(result.error.message))
        expect(withoutSpans(parsed(printed))).toEqual(withoutSpans({ root }))
      }),
      RUNS,
    )
  })

  it('changes nothing more the second time, whatever was typed', () => {
    const piece = fc.constantFrom(
      ...'a b:c service: level:>=warn ( ) [1 TO 2] {* TO 5] " \\ - ! * AND OR NOT /x/ /x has: @ : > < 5s'.split(' '),
    )
    const typed = fc
      .array(fc.tuple(piece, fc.constantFrom('', ' ')), { maxLength: 10 })
      .map((all) => all.flat().join(''))
    fc.assert(
      fc.property(fc.oneof(typed, text), (typed) => {
        const result = parseQuery(typed)
        if (result.ok) {
          const printed = printQuery(result.query)
          expect(withoutSpans(parsed(printed))).toEqual(withoutSpans(result.query))
          expect(printQuery(parsed(printed))).toBe(printed)
        } else {
          expect(result.error.from).toBeGreaterThanOrEqual(0)
          expect(result.error.to).toBeGreaterThanOrEqual(result.error.from)
          expect(result.error.to).toBeLessThanOrEqual(typed.length)
          expect(result.error.message).not.toBe('')
        }
      }),
      { numRuns: 4000 },
    )
  })

  it('quotes a value only where it must', () => {
    expect(['web', 'a b', 'http://x', '', 'AND', 'a*', '1.2.3'].map(printValue)).toEqual([
      'web',
      '"a b"',
      '"http://x"',
      '""',
      '"AND"',
      '"a*"',
      '1.2.3',
    ])
  })
})

describe('the tokenizer', () => {
  it('covers the text from left to right and never fails for text that is still being typed', () => {
    fc.assert(
      fc.property(text, (typed) => {
        let end = 0
        for (const token of tokenize(typed, true)) {
          expect(typed.slice(end, token.from).trim()).toBe('')
          expect(token.to).toBeGreaterThan(token.from)
          end = token.to
        }
        expect(typed.slice(end).trim()).toBe('')
      }),
      RUNS,
    )
  })
})
