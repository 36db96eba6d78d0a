/**
 * Attributes are a map from names to the texts of attribute-text.ts: numbers and booleans as they are, strings that look
 * like one in JSON's quotes, all other strings plain. A query does not tell strings from numbers, so both are tried.
 */
import { amountFor } from '@tidemark/wire/query/amount'
import type { Bound, Match, Span } from '@tidemark/wire/query/ast'
import { AppError } from '../../errors.ts'
import { attributeText, attributeValue, unquotedSql } from '../schema/attribute-text.ts'
import type { QueryParams } from './params.ts'
import { regexParam } from './regex.ts'
import { fitting } from './text.ts'

export function attributeCondition(name: string, match: Match, span: Span, params: QueryParams): string {
  switch (match.kind) {
    case 'literal':
      return equals(name, match.value, params)
    case 'wildcard':
      return `(${hasAttribute(name, params)} AND ${fitting((isPattern) => plainText(name, params, isPattern), match, params)})`
    case 'regex':
      return `(${hasAttribute(name, params)} AND match(${plainText(name, params, true)}, ${regexParam(match.source, span, params)}))`
    case 'compare':
      return numberIs(name, [[match.comparison, match.bound]], params)
    case 'range': {
      const low: Limit = [match.includesLow ? '>=' : '>', match.low]
      return numberIs(name, [low, [match.includesHigh ? '<=' : '<', match.high]], params)
    }
  }
}

export function hasAttribute(name: string, params: QueryParams): string {
  return `mapContains(attributes, ${params.add('String', name)})`
}

function equals(name: string, value: string, params: QueryParams): string {
  const conditions = storedForms(value).map((text) => {
    const item = `has(attribute_items, ${params.add('String', `${name}=${text}`)})`
    // The index alone cannot tell `a=b` = `c` from `a` = `b=c`.
    if (!name.includes('=') && !text.includes('=')) return item
    return `(${item} AND ${storedText(name, params)} = ${params.add('String', text)} AND ${hasAttribute(name, params)})`
  })
  return conditions.length === 1 ? conditions[0]! : `(${conditions.join(' OR ')})`
}

/** The string itself, the scalar it reads as, and that scalar as it would have been stored (`5.0` is kept as `5`). */
function storedForms(value: string): string[] {
  const scalar = attributeValue(value)
  const forms = [attributeText(value)]
  if (typeof scalar !== 'string') forms.push(String(scalar))
  return [...new Set(forms)]
}

type Limit = [comparison: string, bound: Bound]

/** The engine reads text such as `inf` as a number, but nobody means to compare with it. */
function numberIs(name: string, limits: readonly Limit[], params: QueryParams): string {
  const number = `toFloat64OrNull(trim(BOTH '"' FROM ${storedText(name, params)}))`
  const conditions = limits.map(([comparison, bound]) => {
    if (bound.kind !== 'number') throw new AppError('internal', 'An attribute is compared with numbers only.')
    return `${number} ${comparison} ${params.add('Float64', amountFor(name, bound.amount))}`
  })
  return `ifNull(isFinite(${number}) AND ${conditions.join(' AND ')}, 0)`
}

/** Empty where the attribute is missing. */
function storedText(name: string, params: QueryParams, column = 'attributes'): string {
  return `${column}[${params.add('String', name)}]`
}

function plainText(name: string, params: QueryParams, isPattern: boolean): string {
  return unquotedSql(storedText(name, params, isPattern ? params.scanned('attributes') : undefined))
}
