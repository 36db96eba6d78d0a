/** What is refused before the engine is asked, against the engine: it must never be what that accepts. */
import type { ClickHouseClient } from '@clickhouse/client'
import { checkRegex } from '@tidemark/wire/query/check-regex'
import { QueryProblem } from '@tidemark/wire/query/query-error'
import { array, assert, asyncProperty, constantFrom } from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { missingEngine, STORE_TIMEOUT_MS, testStore } from '../testing/test-store.ts'

let client: ClickHouseClient

beforeAll(async () => {
  if (missingEngine === undefined) client = (await testStore()).client
}, STORE_TIMEOUT_MS)
beforeEach((context) => {
  if (missingEngine !== undefined) context.skip(missingEngine)
})

function faultOf(source: string): string | undefined {
  try {
    checkRegex(source)
    return undefined
  } catch (error) {
    if (error instanceof QueryProblem) return error.error.message
    throw error
  }
}

async function isAccepted(source: string): Promise<boolean> {
  try {
    // Behind an alternative: what looks like plain text is searched for without RE2, a lone bracket at its end included.
    const query = "SELECT match(materialize('x'), {regex:String})"
    await (await client.query({ query, query_params: { regex: `[q]|${source}` } })).text()
    return true
  } catch (error) {
    if ((error as { type?: string }).type === 'CANNOT_COMPILE_REGEXP') return false
    throw error
  }
}

const GOOD = [
  'time(d )?out',
  '^\\/api/',
  '',
  '()',
  '()*',
  '(|a)',
  'a||b',
  '^*',
  '$+',
  '\\b*',
  '(?i)order',
  'a(?i)*',
  '(?i:a)',
  '(?i-s:a)',
  '(?-s)a',
  '(?)a',
  '(?P<name>a)',
  '(?<name>a)',
  '(?P<_1>a)',
  '(?:a)',
  '[[:alpha:]]',
  '[[:^alpha:]]',
  '[^[:space:]x]',
  '[[:word:]]',
  '\\pL',
  '\\PL',
  '\\p{Greek}',
  '\\p{^Greek}',
  '[\\pL\\d]',
  '\\Qa.b(\\E',
  '\\Q(',
  'a\\Q\\E*',
  '\\Qab\\E+',
  'a*\\Q\\E*',
  '\\A\\z\\b\\B',
  '\\C',
  'a{,2}',
  'a{',
  'a{2',
  'a{2}',
  'a{2,}',
  'x{2,3}?',
  'x{2,3}',
  'a{01}',
  'a{1000}',
  '{',
  '}',
  ']',
  'a]',
  '[]a]',
  '[^]a]',
  '[a-]',
  '[-a]',
  '[a-z-9]',
  '[\\d-z]',
  '[a\\-z]',
  '[--a]',
  '[a-a]',
  '[[]',
  '[[:a]',
  '[[:]',
  '[\\]]',
  '[\\^-\\_]',
  '[\\x41-\\x{5A}]',
  '\\x{10FFFF}',
  '\\12',
  '\\012',
  '\\0',
  '\\a\\f\\t\\n\\r\\v',
  '\\_',
  '\\-',
  '\\/',
  '\\.',
  'a+?',
  'a??',
  'a*?',
  '[ä-ü]',
  '[😀-😂]',
  '\\"',
  '\\ ',
  '(a*)*',
  '(?:a+)+',
  'a|b|',
  '|',
  'a$b^',
  '(?s).',
  '(?U)a+',
  '(?m)^a',
  '(?imsU)a',
  '[A-\\]]',
  '[+--]',
  '[^^]',
  '[^-]',
]
const BAD = [
  '(',
  'a(b',
  '(a))',
  ')',
  'a)',
  '(?:a',
  '[',
  '[a',
  '[]',
  '[^]',
  'a[b-',
  '[\\]',
  '[[:alpha:]',
  '*',
  '+a',
  '?',
  'a|*',
  '(*)',
  '(+a)',
  '(?i)*',
  '{2}',
  '|{2}',
  '\\Q\\E*',
  'a**',
  'a++',
  'a+*',
  'a{2}{3}',
  'a*??',
  'a{2}*',
  '(?=a)',
  '(?!a)',
  '(?<=a)',
  '(?<!a)',
  '(?>a)',
  '(?#a)',
  '(?x)a',
  '(?i--s)a',
  '(?-)a',
  '(?i-)a',
  '(?P=n)',
  '(?P>n)',
  "(?'n'a)",
  '(?',
  '(?P',
  '(?|a)',
  '(?R)',
  '(?1)',
  '\\1',
  '(a)\\1',
  '\\8',
  '\\9',
  'a\\',
  '\\E',
  '\\Z',
  '\\G',
  '\\h',
  '\\K',
  '\\R',
  '\\X',
  '\\u0041',
  '\\k<n>',
  '\\y',
  '\\x',
  '\\xg',
  '\\x{}',
  '\\x{g}',
  '[\\b]',
  '[\\A]',
  '[\\E]',
  '[\\1]',
  '[z-a]',
  '[a-\\d]',
  '[9-\\-]',
  '[\\--\\!]',
  '[😂-😀]',
  '[[:foo:]]',
  '[[:^foo:]]',
  'a{1001}',
  'a{2,1001}',
  'a{1001,}',
  'a{3,2}',
]

it.each(GOOD)('%s is let through, and the engine takes it', async (source) => {
  expect(faultOf(source)).toBeUndefined()
  expect(await isAccepted(source)).toBe(true)
})

it.each(BAD)('%s is refused, and the engine would not take it', async (source) => {
  expect(faultOf(source)).toBeDefined()
  expect(await isAccepted(source)).toBe(false)
})

const PIECES =
  '( ) [ ] [^ { } * + ? | ^ $ . - , : < > = ! 0 1 2 9 a b z P i s U \\ \\Q \\E \\d \\b \\pL \\p{Greek} (? (?: (?P<a> (?i) (?=[: :] [[:alpha:]] {2} {3,1} \\x é 😀'

describe('an expression of any pieces', () => {
  it('is never refused where the engine takes it', async () => {
    const expression = array(constantFrom(...PIECES.split(' ')), { minLength: 1, maxLength: 7 })
    await assert(
      asyncProperty(expression, async (pieces) => {
        const source = pieces.join('')
        if (faultOf(source) !== undefined) expect(await isAccepted(source), source).toBe(false)
      }),
      { numRuns: Number(process.env.FUZZ ?? 300) },
    )
  })
})
