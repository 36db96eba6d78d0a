/** Changes to a query that a click makes. Where nothing has to be removed, the text stays as it was typed. */
import { allOf, anyOf, conjunctsOf, type Expression, noneOf } from './ast.ts'
import { type Field, sameField } from './fields.ts'
import { parseQuery } from './parse.ts'
import { printField, printQuery, printValue } from './print.ts'

export type TermEdit = { field: Field; value: string; exclude?: boolean }

/**
 * Adds `field:value` or, with `exclude`, `-field:value`. What is there already is removed (a second click undoes the
 * first), the opposite is replaced, and a second value of the same field joins the first as an alternative, because no
 * record has two. A text that does not parse is kept, with the term after it.
 */
export function addTerm(text: string, { field, value, exclude = false }: TermEdit): string {
  const term = `${printField(field)}:${printValue(value)}`
  const signed = exclude ? `-${term}` : term
  const [parsed, wanted] = [parseQuery(text), parseQuery(term)]
  if (!parsed.ok || !wanted.ok || wanted.query.root?.kind !== 'field') return joinTerm(text, signed)
  const stored = literalOf(wanted.query.root) ?? value
  const facets = conjunctsOf(parsed.query).map((part) => facetOf(part, field))
  const isHere = ({ facet }: Part) => facet?.values.includes(stored)

  const rest = facets.flatMap((part) => (isHere(part) ? withoutValue(part, stored) : [part]))
  const wasThere = facets.some((part) => isHere(part) && part.facet?.isExcluded === exclude)
  if (wasThere) return print(rest)

  const first = exclude ? undefined : rest.find(({ facet }) => facet && !facet.isExcluded)
  if (first) {
    const widened = anyOf([first.expression, wanted.query.root])!
    return print(rest.map((part) => (part === first ? { expression: widened, facet: null } : part)))
  }
  if (facets.some(isHere)) return joinTerm(print(rest), signed)
  return joinTerm(text, signed)
}

/** A part of the query and, where it is nothing but values of the field in question, those values. */
type Part = { expression: Expression; facet: { isExcluded: boolean; values: string[] } | null }

function facetOf(expression: Expression, field: Field): Part {
  const isExcluded = expression.kind === 'not'
  const inner = isExcluded ? expression.part : expression
  const terms = inner.kind === 'or' ? inner.parts : [inner]
  const values = terms.flatMap((term) =>
    term.kind === 'field' && sameField(term.field, field) ? (literalOf(term) ?? []) : [],
  )
  return { expression, facet: values.length === terms.length ? { isExcluded, values } : null }
}

function withoutValue({ expression, facet }: Part, value: string): Part[] {
  const inner = expression.kind === 'not' ? expression.part : expression
  const left = anyOf((inner.kind === 'or' ? inner.parts : [inner]).filter((term) => literalOf(term) !== value))
  if (left === null || facet === null) return []
  const values = facet.values.filter((other) => other !== value)
  return [{ expression: facet.isExcluded ? noneOf(left) : left, facet: { ...facet, values } }]
}

function literalOf(term: Expression): string | undefined {
  return term.kind === 'field' && term.match.kind === 'literal' ? term.match.value : undefined
}

function print(parts: readonly Part[]): string {
  return printQuery({ root: allOf(parts.map(({ expression }) => expression)) })
}

/** The query and a term. An `or` that is left alone must not take the new term into its last alternative. */
export function joinTerm(text: string, term: string): string {
  const before = text.trim()
  if (before === '') return term
  const parsed = parseQuery(before)
  const isOr = parsed.ok && parsed.query.root?.kind === 'or'
  return isOr ? `(${before}) ${term}` : `${before} ${term}`
}
