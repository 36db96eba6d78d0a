/** A query with what was likely meant in place of what the service warns of. */
import { fieldNamed } from '@tidemark/wire/query/fields'
import { parseQuery } from '@tidemark/wire/query/parse'
import { printField } from '@tidemark/wire/query/print'
import { isKeywordInSmallLetters } from '@tidemark/wire/query/tokenize'
import type { NearestTerms, Warning } from '@tidemark/wire/reading/question'

export type Mend = { suggestion: string; query: string }

/** A term that begins with a name: `name:`, `"a name":`, `-name:` or `has:name`. */
const TERM = /^(-?(?:has:)?)("(?:[^"\\]|\\.)*"|[^\s:()]+)/

/** What there is in place of a term that nothing matches. */
export function nearestOf(query: string | undefined, nearest: readonly NearestTerms[] = []): Mend[] {
  if (query === undefined) return []
  return nearest.flatMap(({ from, to, suggestions }) =>
    suggestions.flatMap((suggestion) => {
      const whole = query.slice(0, from) + suggestion + query.slice(to)
      return to <= query.length && parseQuery(whole).ok ? [{ suggestion, query: whole }] : []
    }),
  )
}

/** One for each suggestion that gives a query that can be run. */
export function mendsOf(query: string | undefined, { from, to, suggestions = [] }: Warning): Mend[] {
  if (query === undefined || from === undefined || to === undefined || to <= from || to > query.length) return []
  const term = query.slice(from, to)
  return suggestions.flatMap((suggestion) => {
    const mended = isKeywordInSmallLetters(term)
      ? suggestion
      : term.replace(TERM, (_, before) => before + printField(fieldNamed(suggestion)))
    const whole = query.slice(0, from) + mended + query.slice(to)
    return whole !== query && parseQuery(whole).ok ? [{ suggestion, query: whole }] : []
  })
}
