/**
 * A query of the query language as a condition on the log table. Nothing a person typed becomes part of the SQL (Invariant 6):
 * every name and value is a typed parameter, and the text around them comes only from this file and its neighbours.
 * A condition is never NULL, so that NOT of it is right for records that lack the field.
 */
import type { Expression, Query } from '@tidemark/wire/query/ast'
import { QueryParams } from './params.ts'
import { patternWork, rowsOfSlice } from './pattern-work.ts'
import { anyHash, plainWordOf, termCondition } from './term.ts'

/** `slices` comes directly after the table's name and `settings` go with the statement (pattern-work.ts). */
export type CompiledQuery = {
  where: string
  params: Record<string, unknown>
  slices: string
  settings: { max_block_size?: string }
}

/** `prefix`: two queries in one statement need parameters of different names. Throws an AppError for a bad pattern. */
export function compileQuery({ root }: Query, { prefix = 'q' }: { prefix?: string } = {}): CompiledQuery {
  const rows = rowsOfSlice(patternWork(root))
  const params = new QueryParams(prefix, { isSliced: rows !== null })
  const where = root === null ? '1' : condition(root, params)
  const { slices } = params
  return { where, params: params.values, slices, settings: slices === '' ? {} : { max_block_size: String(rows) } }
}

function condition(expression: Expression, params: QueryParams): string {
  switch (expression.kind) {
    case 'and':
      return combined(expression.parts, 'AND', 'hasAllTokens', params)
    case 'or':
      return anyHash(expression.parts, params) ?? combined(expression.parts, 'OR', 'hasAnyTokens', params)
    case 'not':
      return `NOT ${condition(expression.part, params)}`
    default:
      return termCondition(expression, params)
  }
}

/** Adjacent words are looked up in the index together. */
function combined(
  parts: readonly Expression[],
  operator: 'AND' | 'OR',
  tokenFunction: 'hasAllTokens' | 'hasAnyTokens',
  params: QueryParams,
): string {
  const words = new Set<string>()
  const others: Expression[] = []
  for (const part of parts) {
    const word = plainWordOf(part)
    if (word === undefined) others.push(part)
    else words.add(word)
  }
  const conditions = others.map((part) => condition(part, params))
  if (words.size > 0) conditions.unshift(`${tokenFunction}(words, ${params.add('Array(String)', [...words])})`)
  return conditions.length === 1 ? conditions[0]! : `(${conditions.join(` ${operator} `)})`
}
