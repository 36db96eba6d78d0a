/** What a value asks of its field, and whether the field can be asked that. */

import { isGroupHash, recordIdIn } from '../id-form.ts'
import { LEVELS } from '../level.ts'
import { withCommas } from '../text/counted.ts'
import { amountFor, parseAmount } from './amount.ts'
import type { Bound, Match, Span, TextMatch } from './ast.ts'
import { checkRegex } from './check-regex.ts'
import { CORE_FIELDS, type Field, type FieldKind, levelNamed } from './fields.ts'
import { MAX_REGEX_CHARACTERS, MAX_WILDCARD_STARS } from './limits.ts'
import { nearestNames } from './nearest-names.ts'
import { place, QueryProblem } from './query-error.ts'
import type { Token } from './tokenize.ts'

const LEVEL_LIST = LEVELS.join(', ')

/** `any`: a lone star, or a range that is open at both ends. */
export function matchOf(token: Token, field: null): TextMatch
export function matchOf(token: Token, field: Field): Match | { kind: 'any' }
export function matchOf(token: Token, field: Field | null): Match | { kind: 'any' } {
  const kind = field === null ? 'prose' : kindOf(field)
  switch (token.kind) {
    case 'word': {
      const [value = ''] = token.pieces
      if (token.pieces.length === 1) return literal(value, false, kind, field, token)
      if (field !== null && token.pieces.every((piece) => piece === '')) return { kind: 'any' }
      refuseFor(kind, ['hash', 'id'], field, token, 'cannot be searched with wildcards')
      if (token.pieces.length - 1 > MAX_WILDCARD_STARS) throw tooManyStars(token, token.pieces.length - 1)
      return { kind: 'wildcard', pieces: token.pieces }
    }
    case 'string':
      if (field === null && token.value === '') {
        throw new QueryProblem(token, `The quotes at ${place(token.from)} are empty.`, 'Write what to search for.')
      }
      return literal(token.value, true, kind, field, token)
    case 'regex':
      refuseFor(kind, ['hash', 'id'], field, token, 'cannot be searched with a regular expression')
      if (token.source.length > MAX_REGEX_CHARACTERS) {
        const message = `A regular expression has at most ${withCommas(MAX_REGEX_CHARACTERS)} characters.`
        throw new QueryProblem(token, message, 'Shorten it, or combine several terms.')
      }
      checkRegex(token.source, (at) => placeInRegex(token, at))
      return { kind: 'regex', source: token.source }
    case 'compare':
      return { kind: 'compare', comparison: token.comparison, bound: boundOf(token.operand, token, field) }
    case 'range':
      return rangeOf(token, field)
    default:
      throw new QueryProblem(token, `A value is missing at ${place(token.from)}.`, 'Write one, or put it in quotes.')
  }
}

/** A slash in a regular expression is written with a backslash before it. */
function placeInRegex({ source, from }: Token & { kind: 'regex' }, at: number): number {
  return from + 1 + at + source.slice(0, at).split('/').length - 1
}

function tooManyStars(token: Token, stars: number): QueryProblem {
  return new QueryProblem(
    token,
    `The value at ${place(token.from)} has ${withCommas(stars)} stars; at most ${MAX_WILDCARD_STARS} are allowed.`,
    'Use fewer stars, search for several words instead, or put the value in quotes if the stars are meant as they are.',
  )
}

function kindOf(field: Field): FieldKind | 'attribute' {
  return field.kind === 'core' ? CORE_FIELDS[field.name].kind : 'attribute'
}

function literal(
  value: string,
  quoted: boolean,
  kind: FieldKind | 'attribute',
  field: Field | null,
  span: Span,
): TextMatch {
  if (kind === 'level') return { kind: 'literal', value: levelAt(value, span), quoted: false }
  if (kind === 'hash') {
    if (isGroupHash(value)) return { kind: 'literal', value: value.toLowerCase(), quoted: false }
    throw new QueryProblem(
      span,
      `${field?.name} is 16 hexadecimal digits.`,
      `For example ${field?.name}:00c0ffee00c0ffee`,
    )
  }
  if (kind === 'id') {
    const id = recordIdIn(value)
    if (id !== null) return { kind: 'literal', value: id, quoted: false }
    throw new QueryProblem(span, 'id is the id of a record, which begins with log_.', 'Copy it from a record.')
  }
  return { kind: 'literal', value, quoted }
}

function rangeOf(token: Token & { kind: 'range' }, field: Field | null): Match | { kind: 'any' } {
  const low = token.low === '*' ? null : boundOf(token.low, token, field)
  const high = token.high === '*' ? null : boundOf(token.high, token, field)
  const { includesLow, includesHigh } = token
  if (low === null && high === null) return { kind: 'any' }
  if (low === null) return { kind: 'compare', comparison: includesHigh ? '<=' : '<', bound: high! }
  if (high === null) return { kind: 'compare', comparison: includesLow ? '>=' : '>', bound: low }
  if (rank(low, field) > rank(high, field)) {
    throw new QueryProblem(
      token,
      `The range at ${place(token.from)} begins above its end.`,
      `Swap the ends: [${token.high} TO ${token.low}]`,
    )
  }
  return { kind: 'range', low, includesLow, high, includesHigh }
}

function rank(bound: Bound, field: Field | null): number {
  return bound.kind === 'level' ? LEVELS.indexOf(bound.level) : amountFor(field?.name ?? '', bound.amount)
}

function boundOf(text: string, span: Span, field: Field | null): Bound {
  const kind = field === null ? 'prose' : kindOf(field)
  if (kind === 'level') return { kind: 'level', level: levelAt(text, span) }
  if (kind !== 'attribute') {
    throw new QueryProblem(
      span,
      `${field?.name ?? 'Text'} cannot be compared; only level and numeric attributes can.`,
      `Write a value, or @${field?.name ?? 'name'} for an attribute of that name.`,
    )
  }
  const amount = parseAmount(text)
  if (amount && Number.isFinite(amountFor(field?.name ?? '', amount))) return { kind: 'number', amount }
  throw new QueryProblem(
    span,
    text === '' ? `A number is missing at ${place(span.to)}.` : `"${text}" is not a number.`,
    'Write a number directly after the sign, with a unit if it has one: 500, 1.5s, 10kb. Put text in quotes.',
  )
}

function levelAt(text: string, span: Span) {
  const level = levelNamed(text)
  if (level) return level
  const [nearest] = nearestNames(text, LEVELS, 1)
  throw new QueryProblem(
    span,
    `"${text}" is not a level.`,
    nearest ? `Did you mean "${nearest}"? Levels are ${LEVEL_LIST}.` : `Levels are ${LEVEL_LIST}.`,
  )
}

function refuseFor(
  kind: FieldKind | 'attribute',
  kinds: readonly string[],
  field: Field | null,
  span: Span,
  why: string,
): void {
  if (!kinds.includes(kind)) return
  throw new QueryProblem(span, `${field?.name} ${why}.`, `Write its whole value, or has:${field?.name}.`)
}
