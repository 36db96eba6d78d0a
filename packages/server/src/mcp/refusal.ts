/** Answers that are given before the protocol is reached, in the error shape of every other path or in that of the protocol. */
import { SERVER_ERROR } from '@tidemark/wire/json-rpc'
import { createKeyCommand } from '@tidemark/wire/shell-commands'
import { AppError, CHALLENGE, errorBody, internalError } from '../errors.ts'

const KEY_CHALLENGE = `${CHALLENGE}, error_description="Send a read key (tidemark_read_...). Make one in Settings, API and MCP keys, or with: ${createKeyCommand('read')}"`

/**
 * Points at keys alone where there is no OAuth: clients that learn of its metadata start a sign-in, and leave the key they
 * were configured with unused.
 */
function challenge(resourceMetadataUrl: string | undefined): string {
  return resourceMetadataUrl === undefined
    ? KEY_CHALLENGE
    : `${KEY_CHALLENGE}, resource_metadata="${resourceMetadataUrl}"`
}

export function refusal(error: unknown, requestId: string, resourceMetadataUrl?: string): Response {
  const known = error instanceof AppError ? error : internalError(error)
  const headers = new Headers({ 'Cache-Control': 'no-store' })
  if (known.code === 'unauthorized') headers.set('WWW-Authenticate', challenge(resourceMetadataUrl))
  if (known.code === 'method_not_allowed') headers.set('Allow', 'POST')
  if (known.retryAfter !== undefined) headers.set('Retry-After', known.retryAfter)
  return Response.json(errorBody(known, requestId), { status: known.status, headers })
}

/** Without an id where none is known: in a body that is no message of the protocol. */
export function protocolRefusal(
  status: number,
  code: number,
  message: string,
  id: string | number | null = null,
  data?: Record<string, unknown>,
): Response {
  const headers = { 'Cache-Control': 'no-store' }
  return Response.json({ jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } }, { status, headers })
}

/**
 * For messages that were understood and are refused for now: each that wants an answer gets an error of the protocol, which says
 * how long to wait, because an agent does not see the header.
 */
export function refusedForNow(error: AppError, ids: (string | number | null)[], isBatch: boolean, requestId: string) {
  const { code, message, retryAfter = '1' } = error
  const data = { code, retryAfterSeconds: Number(retryAfter), requestId }
  const told = { code: SERVER_ERROR, message: `${message} Retry after ${retryAfter} s.`, data }
  const asked = ids.filter((id) => id !== null)
  const answers = (asked.length === 0 ? [null] : asked).map((id) => ({ jsonrpc: '2.0', id, error: told }))
  const headers = { 'Cache-Control': 'no-store', 'Retry-After': retryAfter }
  return Response.json(isBatch ? answers : answers[0], { status: error.status, headers })
}
