/**
 * One query language for the dashboard, the API, the command line and agents:
 *
 *   timeout "connection refused"            words and phrases of the message, all of them, in any case
 *   service:api -level:debug                field and value; `-`, `!` or NOT excludes
 *   service:(api OR web) AND (a OR b)       AND is understood and binds closer than OR
 *   http.status:>=500 duration:[100 TO 2s]  numbers, with units; `{ }` leaves the ends out, `*` leaves them open
 *   level:>=warn release:1.* has:user.id    levels in order, stars for any text, has it at all
 *   /time(d )?out/ @level:7 "odd name":x    RE2; an attribute with a name of ours; any name at all
 */
import { withCommas } from '../text/counted.ts'
import { allOf, anyOf, type Expression, noneOf, type Query, type Span } from './ast.ts'
import { type Field, fieldNamed, isHashField } from './fields.ts'
import { MAX_GROUP_VALUES, MAX_HASH_VALUES, MAX_QUERY_CHARACTERS, MAX_QUERY_DEPTH, MAX_QUERY_TERMS } from './limits.ts'
import { matchOf } from './match-of.ts'
import { printField } from './print.ts'
import { place, type QueryError, QueryProblem } from './query-error.ts'
import { type Token, tokenize } from './tokenize.ts'
import { type Warning, warningsOf } from './warnings.ts'

type ParsedQuery = { ok: true; query: Query; warnings: Warning[] } | { ok: false; error: QueryError }

export function parseQuery(text: string): ParsedQuery {
  try {
    if (text.length > MAX_QUERY_CHARACTERS) throw tooLong(text)
    const query = new Parser(text, tokenize(text)).query()
    return { ok: true, query, warnings: warningsOf(query) }
  } catch (problem) {
    if (problem instanceof QueryProblem) return { ok: false, error: problem.error }
    throw problem
  }
}

/** A field whose values are being read, or `has`, whose values are fields. `values` counts them. */
type Scope = (({ kind: 'field'; field: Field } | { kind: 'has' }) & { span: Span; values: number }) | null

class Parser {
  readonly #text: string
  readonly #tokens: readonly Token[]
  #next = 0
  /** The brackets around the term that is being read, the innermost last. */
  readonly #open: Token[] = []
  #depth = 0
  #terms = 0

  constructor(text: string, tokens: readonly Token[]) {
    this.#text = text
    this.#tokens = tokens
  }

  query(): Query {
    if (this.#tokens.length === 0) return { root: null }
    const root = this.#alternatives(null)
    const rest = this.#peek()
    if (rest) {
      throw new QueryProblem(
        rest,
        `The closing parenthesis at ${place(rest.from)} has no opening one.`,
        'Remove it, or put the text in quotes.',
      )
    }
    return { root }
  }

  #alternatives(scope: Scope): Expression {
    const parts = [this.#sequence(scope)]
    while (this.#take('or')) parts.push(this.#sequence(scope))
    return anyOf(parts)!
  }

  #sequence(scope: Scope): Expression {
    const parts = [this.#negation(scope)]
    for (;;) {
      const isJoined = this.#take('and') !== undefined
      const next = this.#peek()
      if (!isJoined && (next === undefined || next.kind === 'or' || next.kind === 'close')) break
      parts.push(this.#negation(scope))
    }
    return allOf(parts)!
  }

  #negation(scope: Scope): Expression {
    const sign = this.#take('minus')
    if (sign && this.#peek()?.from !== sign.to) {
      throw new QueryProblem(
        sign,
        `There is nothing to exclude directly after ${place(sign.from)}.`,
        `Write what to exclude without a space, as in -service:web, or quote the sign: "${this.#text[sign.from]}"`,
      )
    }
    const not = sign ?? this.#take('not')
    if (not) return this.#deeper(not, () => noneOf(this.#negation(scope)))
    return this.#operand(scope)
  }

  #operand(scope: Scope): Expression {
    const token = this.#peek()
    if (token === undefined) throw this.#missing(scope)
    this.#next++
    if (token.kind === 'open') return this.#brackets(token, scope)
    if (token.kind === 'field') return this.#field(token)
    if (token.kind === 'and' || token.kind === 'or' || token.kind === 'close') throw this.#missing(scope, token)
    return this.#term(token, scope)
  }

  #brackets(open: Token, scope: Scope): Expression {
    return this.#deeper(open, () => {
      this.#open.push(open)
      const inner = this.#alternatives(scope)
      if (!this.#take('close')) throw notClosed(open, 'Add ) where the group ends, or put the text in quotes.')
      this.#open.pop()
      return inner
    })
  }

  #field(token: Token & { kind: 'field' }): Expression {
    const value = this.#peek()
    const scope: Scope = isHas(token)
      ? { kind: 'has', span: token, values: 0 }
      : { kind: 'field', field: fieldOf(token), span: token, values: 0 }
    if (value === undefined || value.from !== token.to || value.kind === 'close') {
      const name = this.#text.slice(token.from, token.to)
      throw new QueryProblem(
        { from: token.from, to: token.to },
        `There is no value directly after ${name}`,
        isHas(token) ? 'Name a field, as in has:user.id' : `Write ${name}value, or quote it to search for text.`,
      )
    }
    this.#next++
    return value.kind === 'open' ? this.#brackets(value, scope) : this.#term(value, scope)
  }

  #term(token: Token, scope: Scope): Expression {
    const isOfHash = scope?.kind === 'field' && isHashField(scope.field)
    if (!(isOfHash && scope.values > 0) && ++this.#terms > MAX_QUERY_TERMS) {
      throw new QueryProblem(
        token,
        `A query has at most ${MAX_QUERY_TERMS} terms; this is one more.`,
        'Use a wildcard or a regular expression in place of many alternatives.',
      )
    }
    if (scope === null) return { kind: 'text', match: matchOf(token, null), span: spanOf(token) }
    const most = isOfHash ? MAX_HASH_VALUES : MAX_GROUP_VALUES
    if (++scope.values > most) {
      throw new QueryProblem(
        token,
        `A group has at most ${most} values; this is one more.`,
        isOfHash ? 'Leave some out.' : 'Use a wildcard or a regular expression, or a second group.',
      )
    }
    // The first value directly after the name belongs to it; later ones in a group stand alone.
    const span = { from: scope.span.to === token.from ? scope.span.from : token.from, to: token.to }
    if (scope.kind === 'has') return { kind: 'has', field: namedField(token), span }
    const match = matchOf(token, scope.field)
    if (match.kind === 'any') return { kind: 'has', field: scope.field, span }
    return { kind: 'field', field: scope.field, match, span }
  }

  #deeper(token: Token, parse: () => Expression): Expression {
    if (++this.#depth > MAX_QUERY_DEPTH) {
      throw new QueryProblem(
        token,
        `Brackets and negations are nested more than ${MAX_QUERY_DEPTH} deep.`,
        'Write the query with fewer brackets.',
      )
    }
    const inner = parse()
    this.#depth--
    return inner
  }

  #missing(scope: Scope, token?: Token): QueryProblem {
    const what = scope === null ? 'term' : scope.kind === 'has' ? 'field' : `value of ${printField(scope.field)}`
    const hint = 'Add one, or put AND, OR or NOT in quotes to search for the word.'
    const end = this.#text.length
    const open = this.#open.at(-1)
    const last = this.#tokens.at(-1)
    if (token === undefined && open !== undefined && open === last) {
      return notClosed(open, `Add a ${what} and a closing parenthesis, or put the text in quotes.`)
    }
    if (token?.kind === 'close' && open !== undefined && open.to === token.from) {
      return new QueryProblem(
        { from: open.from, to: token.to },
        `The parentheses at ${place(open.from)} are empty.`,
        `Add a ${what} between them, or put the text in quotes.`,
      )
    }
    if (token === undefined) {
      const from = last?.from ?? end
      return new QueryProblem({ from, to: last?.to ?? end }, `A ${what} is missing at the end.`, hint)
    }
    return new QueryProblem(token, `A ${what} is missing before ${place(token.from)}.`, hint)
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#next]
  }

  #take(kind: Token['kind']): Token | undefined {
    const token = this.#peek()
    if (token?.kind !== kind) return undefined
    this.#next++
    return token
  }
}

function notClosed(open: Token, hint: string): QueryProblem {
  return new QueryProblem(open, `The opening parenthesis at ${place(open.from)} is not closed.`, hint)
}

function isHas({ name, form }: Token & { kind: 'field' }): boolean {
  return form === 'bare' && name.toLowerCase() === 'has'
}

function fieldOf({ name, form }: Token & { kind: 'field' }): Field {
  return form === 'bare' ? fieldNamed(name) : { kind: 'attribute', name }
}

/** The value of `has:`. */
function namedField(token: Token): Field {
  if (token.kind === 'string' && token.value !== '') return { kind: 'attribute', name: token.value }
  const [name = ''] = token.kind === 'word' && token.pieces.length === 1 ? token.pieces : []
  if (name !== '') return fieldNamed(name)
  throw new QueryProblem(token, `has: needs the name of a field (${place(token.from)}).`, 'Write it as in has:user.id')
}

function spanOf({ from, to }: Span): Span {
  return { from, to }
}

function tooLong(text: string): QueryProblem {
  return new QueryProblem(
    { from: MAX_QUERY_CHARACTERS, to: text.length },
    `A query has at most ${withCommas(MAX_QUERY_CHARACTERS)} characters; this one has ${withCommas(text.length)}.`,
    'Shorten it. Wildcards and regular expressions replace long lists.',
  )
}
