/**
 * Regular expressions run in the engine, whose RE2 is linear in time. They are compiled here first, by the same rules, so
 * that a mistake is reported in our words and with its place, and no large one reaches the engine.
 */
import type { Span } from '@tidemark/wire/query/ast'
import { RE2JS, RE2JSException } from 're2js'
import { compileBounded, RegexTooLarge } from '../../bounded-regex.ts'
import { AppError } from '../../errors.ts'
import type { QueryParams } from './params.ts'

/** Instructions. `\w{500}` has some five hundred. */
const MAX_PROGRAM_SIZE = 1_000

export function regexParam(source: string, span: Span, params: QueryParams): string {
  compileRegex(source, span)
  return params.add('String', source)
}

/** As in the engine, a dot also matches the end of a line. */
export function compileRegex(source: string, span: Span): RE2JS {
  try {
    return compileBounded(source, MAX_PROGRAM_SIZE, RE2JS.DOTALL)
  } catch (error) {
    if (error instanceof RegexTooLarge) throw invalid(span, 'is too large. Use smaller repetitions.')
    if (!(error instanceof RE2JSException)) throw error
    const what = 'getDescription' in error ? `: ${(error as { getDescription(): string }).getDescription()}` : ''
    throw invalid(span, `is not valid RE2${what}. Correct it, or put the text in quotes.`)
  }
}

function invalid({ from, to }: Span, what: string): AppError {
  const message = `The regular expression at characters ${from + 1} to ${to} ${what}`
  return new AppError('invalid_request', message, { fields: [{ path: 'query', message, from, to }] })
}
