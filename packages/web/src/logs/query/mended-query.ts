/** A query with what was likely meant in place of what the service warns of. */
import { fieldNamed } from '@tidemark/wire/query/fields'
import { parseQuery } from '@tidemark/wire/query/parse'
import { printField } from '@tidemark/wire/query/print'
import type { Warning } from '@tidemark/wire/reading/question'

export type Mend = { suggestion: string; query: string }

/** A term that begins with a name: `name:`, `"a name":`, `-name:` or `has:name`. */
const TERM = /^(-?(?:has:)?)("(?:[^"\\]|\\.)*"|[^\s:()]+)/

/** One for each suggestion that gives a query that can be run. */
export function mendsOf(query: string | undefined, { from, to, suggestions = [] }: Warning): Mend[] {
  if (query === undefined || from === undefined || to === undefined || to <= from || to > query.length) return []
  const term = query.slice(from, to)
  return suggestions.flatMap((suggestion) => {
    const isKeyword = /^(?:and|or|not)$/.test(term)
    const mended = isKeyword
      ? suggestion
      : term.replace(TERM, (_, before) => before + printField(fieldNamed(suggestion)))
    const whole = query.slice(0, from) + mended + query.slice(to)
    return whole !== query && parseQuery(whole).ok ? [{ suggestion, query: whole }] : []
  })
}
