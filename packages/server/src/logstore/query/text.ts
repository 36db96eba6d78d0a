/**
 * How prose is searched. A plain word is a whole word of the message: the word index answers it. Words with digits,
 * symbols or letters beyond ASCII are not in the index and are found anywhere. A phrase is found as it is written, and
 * its plain words are whole words. With a star, the text is found anywhere, and the star matches any text. Case never
 * counts, except in a regular expression.
 *
 * To the index a run of letters, digits and `_` with a digit in it is one word without parts: `user` does not find
 * `user_42`, `user*` does.
 */
import type { Span, TextMatch, Wildcard } from '@tidemark/wire/query/ast'
import type { QueryParams } from './params.ts'
import { isPlainSearch } from './pattern-work.ts'
import { regexParam } from './regex.ts'

/** More would not narrow the search further; the engine accepts 64. */
const MAX_PHRASE_WORDS = 16

export function messageCondition(match: TextMatch, span: Span, params: QueryParams): string {
  if (match.kind !== 'literal' || match.value === '') return containing('message', match, span, params)
  const words = match.quoted || isPlainWord(match.value) ? plainWords(match.value) : []
  const conditions = words.length === 0 ? [] : [`hasAllTokens(words, ${params.add('Array(String)', words)})`]
  if (!isPlainWord(match.value)) conditions.push(containing('message', match, span, params))
  return conditions.length === 1 ? conditions[0]! : `(${conditions.join(' AND ')})`
}

/** `column` is one of our own. An empty value asks for records without one. */
export function containing(column: string, match: TextMatch, span: Span, params: QueryParams): string {
  if (match.kind === 'regex') return `match(${params.scanned(column)}, ${regexParam(match.source, span, params)})`
  if (match.kind === 'wildcard') {
    const searched = isPlainSearch(match) ? column : params.scanned(column)
    return `${searched} ILIKE ${params.add('String', `%${likePattern(match)}%`)}`
  }
  if (match.value === '') return `${column} = ''`
  return `positionCaseInsensitiveUTF8(${column}, ${params.add('String', match.value)}) > 0`
}

/** A whole text, exactly. `text` gives it, for a pattern as it is to be searched. */
export function fitting(text: (isPattern: boolean) => string, wildcard: Wildcard, params: QueryParams): string {
  const [first = '', second = '', ...others] = wildcard.pieces
  if (others.length === 0 && second === '') return `startsWith(${text(false)}, ${params.add('String', first)})`
  if (others.length === 0 && first === '') return `endsWith(${text(false)}, ${params.add('String', second)})`
  return `${text(!isPlainSearch(wildcard))} LIKE ${params.add('String', likePattern(wildcard))}`
}

function likePattern({ pieces }: Wildcard): string {
  return pieces.map((piece) => piece.replace(/[\\%_]/g, '\\$&')).join('%')
}

/** The words that the index has of a text, by the rule its column is made with (schema.ts). */
function plainWords(text: string): string[] {
  const words = text
    .replace(/[A-Za-z0-9_]*[0-9][A-Za-z0-9_]*/g, ' ')
    .toLowerCase()
    .split(/[\x00-\x60\x7b-\x7f]+/)
    .filter(isPlainWord)
  return [...new Set(words)].slice(0, MAX_PHRASE_WORDS)
}

function isPlainWord(text: string): boolean {
  return /^[A-Za-z]+$/.test(text)
}
