/**
 * Text to tokens. Two things surprise: what a character means depends on whether a value is expected (after `field:` or
 * inside `field:( … )`), so the tokenizer keeps track of that; and much is let through as plain words, because people
 * paste pieces of logs (`12:30`, `http://…`, `/api/users`, `a::b`) and mean them as text.
 */
import type { Comparison, Span } from './ast.ts'
import { place, QueryProblem } from './query-error.ts'

export type Token = Span &
  (
    | { kind: 'open' | 'close' | 'and' | 'or' | 'not' }
    | { kind: 'minus' }
    /** A name with its colon. `form` is how it was written: bare, `@name` or `"name"`. */
    | { kind: 'field'; name: string; form: FieldForm }
    | { kind: 'compare'; comparison: Comparison; operand: string }
    | { kind: 'range'; low: string; high: string; includesLow: boolean; includesHigh: boolean }
    | { kind: 'string'; value: string; closed: boolean }
    | { kind: 'regex'; source: string }
    /** `pieces` are the texts between unescaped stars; a word without stars has one. */
    | { kind: 'word'; pieces: string[] }
  )

type FieldForm = 'bare' | 'at' | 'quoted'

const SPACE = /\s+/y
/** Not before `::` or `://`, which are code and addresses. */
const BARE_FIELD = /([\p{L}_$][\p{L}\p{N}_.$/-]*):(?!:|\/\/)/uy
const AT_FIELD = /@([\p{L}\p{N}_$][\p{L}\p{N}_.$/-]*):(?!:|\/\/)/uy
const KEYWORD = /(AND|OR|NOT)(?=[\s()]|$)/y
const STRING = /"((?:[^"\\]|\\[\s\S])*)(?:"|\\?$)/y
/** The closing slash must end the value, or it is a path. */
const REGEX = /\/((?:[^/\\]|\\[\s\S])+)\/(?=[\s)]|$)/y
const COMPARE = /(>=|<=|>|<)([^\s()]*)/y
const RANGE = /([[{])\s*([^\s\]}[{]+)\s+TO\s+([^\s\]}[{]+)\s*([\]}])/y
const WORD = /(?:[^\s()\\]|\\[\s\S]|\\$)+/y

/**
 * Throws a `QueryProblem`. When `isLenient`, for text that is still being typed, an open quote ends with the text and an
 * open range is a word.
 */
export function tokenize(text: string, isLenient = false): Token[] {
  const tokens: Token[] = []
  /** For each open bracket, whether it contains values. */
  const brackets: boolean[] = []
  let at = 0
  while (at < text.length) {
    const space = matchAt(SPACE, text, at)
    if (space) {
      at += space[0].length
      continue
    }
    const last = tokens.at(-1)
    const isAfterField = last?.kind === 'field' && last.to === at
    const token = next(text, at, isAfterField, isAfterField || (brackets.at(-1) ?? false), isLenient)
    if (token.kind === 'open') brackets.push(isAfterField || (brackets.at(-1) ?? false))
    if (token.kind === 'close') brackets.pop()
    tokens.push(token)
    at = token.to
  }
  return tokens
}

/** In small letters it is a word like any other. */
export function isKeywordInSmallLetters(text: string): boolean {
  return /^(?:and|or|not)$/.test(text)
}

function next(text: string, from: number, isAfterField: boolean, isValue: boolean, isLenient: boolean): Token {
  const first = text[from]
  if (first === '(') return { kind: 'open', from, to: from + 1 }
  if (first === ')') return { kind: 'close', from, to: from + 1 }
  if (first === '"') return string(text, from, isValue, isLenient)
  if (!isAfterField) {
    if (first === '-' || first === '!') return { kind: 'minus', from, to: from + 1 }
    const keyword = matchAt(KEYWORD, text, from)
    if (keyword) {
      return { kind: keyword[1]?.toLowerCase() as 'and' | 'or' | 'not', from, to: from + keyword[0].length }
    }
  }
  return (isValue ? value(text, from, isLenient) : field(text, from)) ?? regex(text, from) ?? word(text, from)
}

function field(text: string, from: number): Token | undefined {
  const bare = matchAt(BARE_FIELD, text, from)
  const match = bare ?? matchAt(AT_FIELD, text, from)
  if (!match) return undefined
  return { kind: 'field', name: match[1] ?? '', form: bare ? 'bare' : 'at', from, to: from + match[0].length }
}

function value(text: string, from: number, isLenient: boolean): Token | undefined {
  const compare = matchAt(COMPARE, text, from)
  if (compare) {
    const [whole, comparison, operand = ''] = compare
    return { kind: 'compare', comparison: comparison as Comparison, operand, from, to: from + whole.length }
  }
  if (text[from] !== '[' && text[from] !== '{') return undefined
  const range = matchAt(RANGE, text, from)
  if (!range && isLenient) return undefined
  if (!range) {
    const word = matchAt(WORD, text, from)
    throw new QueryProblem(
      { from, to: from + (word?.[0].length ?? 1) },
      `The range at ${place(from)} is not complete.`,
      'Write a range as [100 TO 500], with * for an open end, or put the value in quotes.',
    )
  }
  const [whole, open, low = '', high = '', close] = range
  const to = from + whole.length
  return { kind: 'range', low, high, includesLow: open === '[', includesHigh: close === ']', from, to }
}

function string(text: string, from: number, isValue: boolean, isLenient: boolean): Token {
  const [whole, inner = ''] = matchAt(STRING, text, from) ?? [text.slice(from), text.slice(from + 1)]
  const closed = whole.length > inner.length + 1 && whole.endsWith('"')
  const to = from + whole.length
  if (!closed && !isLenient) {
    throw new QueryProblem(
      { from, to },
      `The quote that opens at ${place(from)} is not closed.`,
      'Add a quote where the phrase ends. A quote inside it is written \\".',
    )
  }
  const value = inner.replace(/\\(["\\])/g, '$1')
  const isField = closed && !isValue && text[to] === ':' && value !== ''
  if (isField) return { kind: 'field', name: value, form: 'quoted', from, to: to + 1 }
  return { kind: 'string', value, closed, from, to }
}

function regex(text: string, from: number): Token | undefined {
  const match = matchAt(REGEX, text, from)
  if (!match) return undefined
  return { kind: 'regex', source: (match[1] ?? '').replaceAll('\\/', '/'), from, to: from + match[0].length }
}

function word(text: string, from: number): Token {
  const raw = matchAt(WORD, text, from)?.[0] ?? text[from] ?? ''
  const pieces: string[] = []
  let piece = ''
  for (let index = 0; index < raw.length; index++) {
    const isEscape = raw[index] === '\\' && index + 1 < raw.length
    if (raw[index] !== '*') piece += isEscape ? raw[++index] : raw[index]
    // Stars beside each other mean no more than one.
    else if (piece !== '' || pieces.length === 0) {
      pieces.push(piece)
      piece = ''
    }
  }
  return { kind: 'word', pieces: [...pieces, piece], from, to: from + raw.length }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
