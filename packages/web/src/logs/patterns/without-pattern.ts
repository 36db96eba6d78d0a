import { allOf, anyOf, conjunctsOf, type Expression, noneOf } from '@tidemark/wire/query/ast'
import { joinTerm } from '@tidemark/wire/query/edit'
import { parseQuery } from '@tidemark/wire/query/parse'
import { printExpression, printQuery } from '@tidemark/wire/query/print'

/**
 * The query without the records of a pattern. The search that finds those ends with what they have in common. What was left
 * out before stays so, in one group. Undefined where a query has no room for it.
 */
export function withoutPattern(text: string, patternQuery: string | null): string | undefined {
  const [asked, found] = [parseQuery(text), parseQuery(patternQuery ?? '')]
  const members = found.ok ? conjunctsOf(found.query).at(-1) : undefined
  if (!asked.ok || !members) return undefined
  const parts = conjunctsOf(asked.query)
  const before = parts.filter(isExclusion)
  const rest = parts.filter((part) => !isExclusion(part))
  const term = printExpression(noneOf(anyOf([...before.map(({ part }) => part), members])!))
  // As it was typed, where nothing of it changes.
  const kept = before.length === 0 ? text : printQuery({ root: allOf(rest) })
  const next = joinTerm(kept, term)
  return parseQuery(next).ok ? next : undefined
}

function isExclusion(part: Expression): part is Extract<Expression, { kind: 'not' }> {
  if (part.kind !== 'not') return false
  const terms = part.part.kind === 'or' ? part.part.parts : [part.part]
  return terms.every((term) => term.kind === 'field' && term.field.kind === 'core' && term.field.name === 'pattern')
}
