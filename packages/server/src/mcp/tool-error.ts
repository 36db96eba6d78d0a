/**
 * Errors as an agent reads them: a code, the argument at fault, what is accepted there, and a call that would work.
 * They are made from our own words and the agent's own arguments; no ingested text and no driver's text gets here.
 */

import { harmlessText } from '@tidemark/wire/text/stranger-text'
import { type AppError, ERROR_CODES, type ErrorCode } from '../errors.ts'
import { shortenText } from './text/shorten.ts'

export type Arguments = Record<string, unknown>
export type ArgumentProblem = { argument: string; message: string }
export type ToolResult = {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
  /** For us: it does not leave the service. */
  errorCode?: ErrorCode
}

const MAX_PROBLEMS = 5
const MAX_MESSAGE_CHARACTERS = 1_000
/** A corrected call is for reading; one with a huge argument is shown without it. */
const MAX_CALL_CHARACTERS = 1_500

export function argumentError(
  tool: string,
  problems: readonly ArgumentProblem[],
  accepted: readonly string[],
  corrected: Arguments,
): ToolResult {
  const lines = problems.slice(0, MAX_PROBLEMS).map(({ argument, message }) => `Argument ${argument}: ${message}`)
  const names = accepted.length === 0 ? `${tool} takes no arguments.` : `${tool} takes: ${accepted.join(', ')}.`
  return errorResult('invalid_request', [names, ...lines, callLine(tool, corrected)])
}

/** `example` is a call of the tool that works. */
export function failure(tool: string, error: AppError, args: Arguments, example: Arguments): ToolResult {
  const { code, fields } = error
  const message = clean(error.message)
  const lines = fields
    .slice(0, MAX_PROBLEMS)
    .filter((field) => clean(field.message) !== message)
    .map((field) => `Argument ${clean(field.path)}: ${clean(field.message)}`)
  const named = fields.map((field) => field.path)
  const field = named.length > 0 && lines.length === 0 ? [`Argument: ${clean(named.join(', '))}`] : lines
  const head = [message, ...field]
  if (ERROR_CODES[code].retryable) {
    return errorResult(code, [
      ...head,
      `Retry after ${Math.ceil(error.retryAfterSeconds ?? 1)} s.`,
      callLine(tool, args),
    ])
  }
  const kept = Object.fromEntries(Object.entries(args).filter(([name]) => !named.includes(name)))
  const missing = named.filter((name) => Object.hasOwn(example, name)).map((name) => [name, example[name]])
  // Without a field we cannot say what to correct, so the call that is known to work is offered.
  const corrected = named.length === 0 ? example : { ...kept, ...Object.fromEntries(missing) }
  return errorResult(code, [...head, callLine(tool, corrected)])
}

function callLine(tool: string, args: Arguments): string {
  const text = JSON.stringify(args)
  const shown = text.length <= MAX_CALL_CHARACTERS ? text : JSON.stringify(withoutLongest(args))
  return `Try: ${tool} ${harmlessText(shown)}`
}

function withoutLongest(args: Arguments): Arguments {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => JSON.stringify(value).length <= 200))
}

function clean(text: string): string {
  return shortenText(harmlessText(text), MAX_MESSAGE_CHARACTERS)
}

function errorResult(errorCode: ErrorCode, lines: string[]): ToolResult {
  return { isError: true, errorCode, content: [{ type: 'text', text: `Error ${errorCode}: ${lines.join('\n')}` }] }
}
