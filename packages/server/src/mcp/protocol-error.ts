/** Errors of the protocol, which has few codes: each carries our own code too, for the note about the call. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { nearestNames } from '@tidemark/wire/query/nearest-names'
import { harmlessText } from '@tidemark/wire/text/stranger-text'
import { type AppError, ERROR_CODES, type ErrorCode } from '../errors.ts'
import { shortenText } from './text/shorten.ts'

/** How much of an unknown name the error about it repeats. */
const MAX_NAME_SHOWN = 64

export class CallError extends ProtocolError {
  readonly errorCode: ErrorCode

  constructor(errorCode: ErrorCode, message: string, data?: unknown) {
    const isOurs = ERROR_CODES[errorCode].status >= 500
    super(isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams, message, data)
    this.errorCode = errorCode
  }
}

export function toCallError({ code, message }: AppError): CallError {
  return new CallError(code, message)
}

export function invalidParams(message: string, data?: unknown): CallError {
  return new CallError('invalid_request', message, data)
}

export function unknownName(what: 'tool' | 'prompt', name: string, names: readonly string[]): CallError {
  const [nearest] = nearestNames(name.slice(0, MAX_NAME_SHOWN), names, 1)
  const hint = nearest === undefined ? `There are: ${names.join(', ')}` : `Did you mean ${nearest}?`
  return invalidParams(`There is no ${what} ${shownUnknownName(name)}. ${hint}`)
}

export function shownUnknownName(name: string): string {
  return shortenText(harmlessText(name), MAX_NAME_SHOWN)
}
