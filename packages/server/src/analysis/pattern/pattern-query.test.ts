import { termsOf } from '@tidemark/wire/query/ast'
import { MAX_HASH_VALUES, MAX_QUERY_CHARACTERS, MAX_QUERY_DEPTH, MAX_QUERY_TERMS } from '@tidemark/wire/query/limits'
import { parseQuery } from '@tidemark/wire/query/parse'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { patternSearches } from './pattern-query.ts'

const members = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ pattern: at.toString(16).padStart(16, '0'), count: 9, baseCount: 0 }))

function search(text: string, count: number) {
  const parsed = parseQuery(text)
  if (!parsed.ok) throw new Error(parsed.error.message)
  return patternSearches(parsed.query)(members(count))
}

describe('the search for a pattern', () => {
  it.each([
    ['', 1, 'pattern:0000000000000000'],
    ['', 2, 'pattern:(0000000000000000 OR 0000000000000001)'],
    ['timeout service:api', 1, 'timeout service:api pattern:0000000000000000'],
    ['a OR b', 2, '(a OR b) pattern:(0000000000000000 OR 0000000000000001)'],
  ])('is the query %j and its %i members', (text, count, query) => {
    expect(search(text, count)).toEqual({ query, members: count })
  })

  it('holds as many members as there is room for, the most frequent ones, however many terms the query has', () => {
    expect(search('', 400)?.members).toBe(MAX_HASH_VALUES)
    const terms = Array.from({ length: MAX_QUERY_TERMS - 1 }, () => 'a').join(' ')
    expect(search(terms, 400)?.members).toBe(199)
    expect(search('', 400)?.query).toMatch(/ OR 00000000000000c7\)$/)
  })

  it('holds fewer when the query is long, and is none when there is no room or no depth left', () => {
    const long = (left: number) => `"${'x'.repeat(MAX_QUERY_CHARACTERS - left - 2)}"`
    expect(search(long(300), 400)).toMatchObject({ members: 14 })
    expect(search(long(20), 1)).toBeNull()
    const terms = Array.from({ length: MAX_QUERY_TERMS }, (_, at) => `a${at}`).join(' ')
    expect(search(terms, 1)).toBeNull()
    const deep = `${'-(a '.repeat(MAX_QUERY_DEPTH / 2)}b${')'.repeat(MAX_QUERY_DEPTH / 2)}`
    expect(search(`${deep} OR c`, 2)).toBeNull()
  })

  it('can always be read, and means the query and one of the members', () => {
    const term = fc.constantFrom('a', '-b', '"c d"', 'service:(x OR y)', '/re+/', '(e OR -f)', 'has:g', 'h*i', '"')
    fc.assert(
      fc.property(fc.array(term, { maxLength: 60 }), fc.integer({ min: 1, max: 220 }), (terms, count) => {
        const parsed = parseQuery(terms.join(' '))
        fc.pre(parsed.ok)
        const found = search(terms.join(' '), count)
        if (found === null) return
        const again = parseQuery(found.query)
        if (!parsed.ok || !again.ok) throw new Error(found.query)
        expect(found.query.length).toBeLessThanOrEqual(MAX_QUERY_CHARACTERS)
        expect(termsOf(again.query.root)).toHaveLength(termsOf(parsed.query.root).length + found.members)
      }),
    )
  })
})
