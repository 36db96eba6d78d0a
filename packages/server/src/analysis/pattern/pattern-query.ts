/** The search that finds the records of a merged pattern again: by the patterns that were stored with them. */
import { allOf, anyOf, type Expression, type Query } from '@tidemark/wire/query/ast'
import { MAX_HASH_VALUES, MAX_QUERY_CHARACTERS } from '@tidemark/wire/query/limits'
import { parseQuery } from '@tidemark/wire/query/parse'
import { printQuery } from '@tidemark/wire/query/print'
import { equals } from '../field-query.ts'

type Member = { pattern: string; count: number; baseCount: number }
/** `members` of those given are found by it: the first ones. */
export type PatternSearch = { query: string; members: number }

/**
 * Each search is `query` and the members, most frequent first, as many of them as a query can hold. Null when the query
 * itself leaves no room for any.
 */
export function patternSearches({ root }: Query): (members: readonly Member[]) => PatternSearch | null {
  const text = (patterns: readonly string[]) => {
    const terms: (Expression | null)[] = [root, anyOf(patterns.map((pattern) => equals('pattern', pattern)))]
    return printQuery({ root: allOf(terms.filter((term) => term !== null)) })
  }
  // Two are in brackets, as any more would be: what can be read with them can be read with more.
  const [sample, other] = ['0'.repeat(16), 'f'.repeat(16)]
  const isPossible = parseQuery(text([sample, other])).ok
  const shortest = text([sample]).length
  const inCharacters = 1 + Math.floor((MAX_QUERY_CHARACTERS - shortest - BRACKETS) / MEMBER_CHARACTERS)
  const most = isPossible ? Math.min(MAX_HASH_VALUES, inCharacters) : 0
  return (members) => {
    const kept = members.slice(0, Math.max(0, most))
    return kept.length === 0 ? null : { query: text(kept.map(({ pattern }) => pattern)), members: kept.length }
  }
}

const BRACKETS = '()'.length
const MEMBER_CHARACTERS = ' OR 0123456789abcdef'.length
