/** The canonical text of a query: what `parseQuery` makes of it is the same tree again. */
import { printAmount } from './amount.ts'
import type { Bound, Expression, FieldTerm, Match, Query, Term } from './ast.ts'
import { type Field, isHashField, nameOfField, sameField } from './fields.ts'
import { MAX_GROUP_VALUES, MAX_HASH_VALUES } from './limits.ts'

export function printQuery({ root }: Query): string {
  return root === null ? '' : printExpression(root)
}

export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case 'or':
      return groupOf(expression.parts) ?? expression.parts.map(printExpression).join(' OR ')
    case 'and':
      return expression.parts.map(printPart).join(' ')
    case 'not':
      return `-${printPart(expression.part)}`
    default:
      return printTerm(expression)
  }
}

/** Inside an `and` or after a minus, where an `or` needs brackets unless it is a group of values. */
function printPart(part: Expression): string {
  const needsBrackets = part.kind === 'and' || (part.kind === 'or' && groupOf(part.parts) === undefined)
  return needsBrackets ? `(${printExpression(part)})` : printExpression(part)
}

/** `service:(api OR web)`, where all parts ask the same field. */
function groupOf(parts: readonly Expression[]): string | undefined {
  const [first] = parts
  if (first?.kind !== 'field') return undefined
  const terms = parts.filter((part): part is FieldTerm => part.kind === 'field' && sameField(part.field, first.field))
  const most = isHashField(first.field) ? MAX_HASH_VALUES : MAX_GROUP_VALUES
  if (terms.length < parts.length || terms.length > most) return undefined
  return `${printField(first.field)}:(${terms.map(({ match }) => printMatch(match)).join(' OR ')})`
}

function printTerm(term: Term): string {
  if (term.kind === 'text') return printMatch(term.match, true)
  if (term.kind === 'has') return `has:${printField(term.field)}`
  return `${printField(term.field)}:${printMatch(term.match)}`
}

const BARE_NAME = /^[\p{L}_$][\p{L}\p{N}_.$/-]*$/u
const AT_NAME = /^[\p{L}\p{N}_$][\p{L}\p{N}_.$/-]*$/u

/** Without the colon. */
export function printField(field: Field): string {
  const { kind, name } = field
  if (kind === 'core' || (BARE_NAME.test(name) && name.toLowerCase() !== 'has')) return nameOfField(field)
  return AT_NAME.test(name) ? `@${name}` : quote(name)
}

function printMatch(match: Match, isFree = false): string {
  switch (match.kind) {
    case 'literal':
      return match.quoted ? quote(match.value) : escapeWord(match.value, isFree)
    case 'wildcard':
      return match.pieces.map((piece, index) => escapeWord(piece, isFree, index > 0)).join('*')
    case 'regex':
      return `/${escapeSlashes(match.source)}/`
    case 'compare':
      return `${match.comparison}${printBound(match.bound)}`
    case 'range': {
      const [open, close] = [match.includesLow ? '[' : '{', match.includesHigh ? ']' : '}']
      return `${open}${printBound(match.low)} TO ${printBound(match.high)}${close}`
    }
  }
}

function printBound(bound: Bound): string {
  return bound.kind === 'level' ? bound.level : printAmount(bound.amount)
}

export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

/** A value, unquoted where that is the same. */
export function printValue(value: string): string {
  const isPlain = value !== '' && escapeWord(value, true) === value
  return isPlain ? value : quote(value)
}

/** Only a free word can be read as a field; only the beginning of a word as an operator. */
function escapeWord(word: string, isFree: boolean, isInside = false): string {
  const escaped = word.replace(isFree ? /[\s()\\*:]/g : /[\s()\\*]/g, '\\$&')
  if (isInside || escaped.startsWith('\\')) return escaped
  const isSpecial = /^[-!"/<>[{:]/.test(escaped) || /^(?:AND|OR|NOT)$/.test(escaped)
  return isSpecial ? `\\${escaped}` : escaped
}

/** A source keeps its own escapes; only a bare slash would end it. */
function escapeSlashes(source: string): string {
  return source.replace(/\\[\s\S]|\//g, (part) => (part === '/' ? '\\/' : part))
}
