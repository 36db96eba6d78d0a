/** One term as a condition, by the kind of field it asks. */

import type { Expression, FieldTerm, Match, Span, Term, TextMatch } from '@tidemark/wire/query/ast'
import { CORE_FIELDS, type CoreField, isHashField, sameField } from '@tidemark/wire/query/fields'
import { AppError } from '../../errors.ts'
import { COLUMN_OF } from '../schema/columns.ts'
import { parseLogId, sequenceToBigInt } from '../schema/log-id.ts'
import { attributeCondition, hasAttribute } from './attribute.ts'
import { levelCondition } from './level.ts'
import type { QueryParams } from './params.ts'
import { regexParam } from './regex.ts'
import { containing, fitting, messageCondition } from './text.ts'

const NEVER = '0'
const ALWAYS = '1'

export function termCondition(term: Term, params: QueryParams): string {
  switch (term.kind) {
    case 'text':
      return messageCondition(term.match, term.span, params)
    case 'has':
      return term.field.kind === 'attribute' ? hasAttribute(term.field.name, params) : hasCore(term.field.name)
    case 'field':
      if (term.field.kind === 'attribute') return attributeCondition(term.field.name, term.match, term.span, params)
      return coreCondition(term.field.name, term, params)
  }
}

/** The word of a term that the word index alone can answer, in lower case. */
export function plainWordOf(term: Expression): string | undefined {
  const isMessage = term.kind === 'text' || (term.kind === 'field' && isMessageField(term))
  if (!isMessage || term.match.kind !== 'literal') return undefined
  return /^[A-Za-z]+$/.test(term.match.value) ? term.match.value.toLowerCase() : undefined
}

/** One look-up for all of them, where the parts ask nothing but values of one hash. */
export function anyHash(parts: readonly Expression[], params: QueryParams): string | undefined {
  const [first] = parts
  if (first?.kind !== 'field' || !isHashField(first.field)) return undefined
  const hashes = parts.flatMap((part) => (part.kind === 'field' && sameField(part.field, first.field) ? [part] : []))
  if (hashes.length < parts.length) return undefined
  const values = hashes.map(({ match }) => BigInt(`0x${wholeValue(match)}`))
  return `${COLUMN_OF[first.field.name as Exclude<CoreField, 'id'>]} IN ${params.add('Array(UInt64)', values)}`
}

function isMessageField({ field }: FieldTerm): boolean {
  return field.kind === 'core' && field.name === 'message'
}

function hasCore(name: CoreField): string {
  const { kind } = CORE_FIELDS[name]
  if (kind === 'level' || name === 'id') return ALWAYS
  return kind === 'hash' ? `${COLUMN_OF[name]} != 0` : `${COLUMN_OF[name]} != ''`
}

function coreCondition(name: CoreField, { match, span }: FieldTerm, params: QueryParams): string {
  if (name === 'id') return isRecord(wholeValue(match), params)
  const column = COLUMN_OF[name]
  switch (CORE_FIELDS[name].kind) {
    case 'level':
      return levelCondition(match, span, params)
    case 'prose':
      if (name === 'message') return messageCondition(textMatch(match), span, params)
      return containing(column, textMatch(match), span, params)
    case 'hash':
      return `${column} = ${params.add('UInt64', BigInt(`0x${wholeValue(match)}`).toString())}`
    case 'trace':
      if (match.kind === 'literal') return isTrace(column, match.value, params)
      return nameCondition(column, match, span, params)
    default:
      return nameCondition(column, match, span, params)
  }
}

/** Compared exactly: an environment `Prod` is not `prod`. */
function nameCondition(column: string, match: Match, span: Span, params: QueryParams): string {
  const text = textMatch(match)
  if (text.kind === 'literal') return `${column} = ${params.add('String', text.value)}`
  if (text.kind === 'wildcard') {
    return fitting((isPattern) => (isPattern ? params.scanned(column) : column), text, params)
  }
  return `match(${params.scanned(column)}, ${regexParam(text.source, span, params)})`
}

/** Tracing systems write the same id in capitals and with dashes; the first form is the one most senders store. */
function isTrace(column: string, value: string, params: QueryParams): string {
  const small = value.toLowerCase()
  const forms = [...new Set([small, small.replaceAll('-', ''), value])]
  return `${column} IN ${params.add('Array(String)', /^[0-9a-f-]+$/.test(small) ? forms : [value])}`
}

function isRecord(id: string, params: QueryParams): string {
  const key = parseLogId(id)
  if (key === null) return NEVER
  const time = `time = fromUnixTimestamp64Micro(${params.add('Int64', key.timeUs)}, 'UTC')`
  return `(${time} AND seq = ${params.add('UInt64', sequenceToBigInt(key.sequence).toString())})`
}

function textMatch(match: Match): TextMatch {
  if (match.kind === 'compare' || match.kind === 'range') throw unexpected(match)
  return match
}

function wholeValue(match: Match): string {
  if (match.kind !== 'literal') throw unexpected(match)
  return match.value
}

function unexpected({ kind }: Match): AppError {
  return new AppError('internal', `A ${kind} cannot be asked of this field. The parser should have refused it.`)
}
