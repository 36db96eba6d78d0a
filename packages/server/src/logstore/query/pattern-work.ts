/**
 * What the patterns of a query (regular expressions, and stars between texts) may cost. The engine's RE2 runs a pattern in
 * one step per byte while its table of states fits into memory, and in as many steps as the pattern has instructions when
 * it does not; strangers choose both the pattern and the text. A statement can be stopped only between two blocks, and a
 * block is up to ten megabytes of records. So the patterns of one query are bounded together, and where they could take
 * long, the texts they search come in slices of a few rows, between which the statement can end.
 */
import { type Expression, type Match, type Span, type Term, termsOf, type Wildcard } from '@tidemark/wire/query/ast'
import { AppError } from '../../errors.ts'
import { compileRegex } from './regex.ts'

/** Instructions of all patterns of a query together. A single regular expression may have as many. */
const MAX_PATTERN_WORK = 1_000
/** Up to here even a block of the longest texts takes seconds. Nearly all patterns that people write are smaller. */
const LIGHT_WORK = 64
/** Rows of a slice times instructions: a few seconds for the longest records there are. */
const WORK_A_SLICE = 1_024

/** Throws at the first pattern that exceeds the limit. */
export function patternWork(root: Expression | null): number {
  let work = 0
  for (const term of termsOf(root)) {
    work += workOf(term)
    if (work > MAX_PATTERN_WORK) throw tooMuch(term.span)
  }
  return work
}

/** How many rows are searched at a time; null for as many as the engine likes. */
export function rowsOfSlice(work: number): number | null {
  return work <= LIGHT_WORK ? null : Math.max(1, Math.floor(WORK_A_SLICE / work))
}

/** With a single text, a wildcard is a search for that text and not a pattern. */
export function isPlainSearch({ pieces }: Wildcard): boolean {
  return pieces.filter((piece) => piece !== '').length <= 1
}

function workOf(term: Term): number {
  if (term.kind === 'has') return 0
  // Levels are matched against their six names, outside the engine.
  if (term.kind === 'field' && term.field.kind === 'core' && term.field.name === 'level') return 0
  return workOfMatch(term.match, term.span)
}

function workOfMatch(match: Match, span: Span): number {
  if (match.kind === 'regex') return compileRegex(match.source, span).programSize()
  if (match.kind !== 'wildcard' || isPlainSearch(match)) return 0
  const bytes = match.pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
  return bytes + 2 * (match.pieces.length - 1)
}

function tooMuch({ from, to }: Span): AppError {
  const message = `With the pattern at characters ${from + 1} to ${to}, the wildcards and regular expressions of the query are too large together. Use fewer or shorter ones, or search for words.`
  return new AppError('invalid_request', message, { fields: [{ path: 'query', message }] })
}
