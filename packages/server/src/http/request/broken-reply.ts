/** Answers to requests too broken for the router, or for the parser: the same headers and the same error shape. */

import type { Duplex } from 'node:stream'
import { sizeWords } from '@tidemark/wire/text/size-words'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, errorBody } from '../../errors.ts'
import { newRequestId } from '../../model/id.ts'
import { sendError, toReplyError } from './error-reply.ts'
import { safetyHeaders } from './guard.ts'

/** What the parser takes of headers. It gives up on more, which are answered with 431. */
export const MAX_HEADER_BYTES = 16 * 1024
/** For the other end to read the answer and to close its half. */
const MAX_PARTING_MS = 5_000

export function brokenReplies({ publicUrl }: { publicUrl: string }) {
  return {
    /** The router gave up on the path, so no hook and no error handler has run. */
    path(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
      reply.headers(safetyHeaders(request.id, publicUrl))
      sendError(reply, toReplyError(error))
    },

    /** The parser gave up before there was a request, so the answer is written by hand and the connection ends. */
    request(error: NodeJS.ErrnoException, socket: Duplex): void {
      if (error.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy()
        return
      }
      const { status, head, body } = answerTo(error, publicUrl)
      const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
      const parting = setTimeout(() => socket.destroy(), MAX_PARTING_MS)
      socket.once('close', () => clearTimeout(parting))
      socket.end(`HTTP/1.1 ${status} ${STATUS_TEXT[status] ?? 'Error'}\r\n${lines.join('')}\r\n${body}`)
    },
  }
}

function answerTo(error: NodeJS.ErrnoException, publicUrl: string) {
  const appError =
    BROKEN_REQUESTS[error.code ?? ''] ??
    new AppError('invalid_request', 'The request is not valid HTTP/1.1: check its first line and its headers.')
  const requestId = newRequestId()
  const body = JSON.stringify(errorBody(appError, requestId))
  const head = {
    ...safetyHeaders(requestId, publicUrl),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    ...(appError.retryAfter === undefined ? {} : { 'Retry-After': appError.retryAfter }),
    Date: new Date().toUTCString(),
    Connection: 'close',
  }
  return { status: appError.status, head, body }
}

const BROKEN_REQUESTS: Record<string, AppError> = {
  TOO_MANY_CONNECTIONS: new AppError(
    'unavailable',
    'There is no room for another connection from this address: use fewer connections, or try again in a moment.',
  ),
  HPE_HEADER_OVERFLOW: new AppError(
    'headers_too_large',
    `The headers are larger than ${sizeWords(MAX_HEADER_BYTES)}: send fewer or shorter ones.`,
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new AppError(
    'request_timeout',
    'The request took too long to arrive: send it again in smaller parts, or over a faster connection.',
  ),
}

const STATUS_TEXT: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
  503: 'Service Unavailable',
}
