/**
 * The one error shape, `{ error: { code, message, fields? } }`, on every path: thrown errors, unknown paths (404),
 * wrong methods (405 with Allow), and requests too broken for the router.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorAnswer } from '@tidemark/wire/error'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { setSafetyHeaders } from './guard.ts'
import { newRequestId } from './request-id.ts'
import type { Http } from './server.ts'

export function useErrorReplies(routes: Http, log: Log): void {
  const known: { method: string; matches: RegExp }[] = []
  routes.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) known.push({ method: one, matches: pathPattern(url) })
  })

  routes.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const allowed = [...new Set(known.filter((route) => route.matches.test(path)).map((route) => route.method))].sort()
    // A file that is missing below a path that does take this method is not found, like any other.
    if (allowed.length > 0 && !allowed.includes(request.method)) {
      reply.header('Allow', allowed.join(', '))
      return sendError(reply, methodNotAllowed(request.method, allowed))
    }
    return sendError(
      reply,
      new AppError('not_found', 'There is nothing at this path. The paths are listed at /openapi.json.'),
    )
  })

  routes.setErrorHandler(async (error: FastifyError | AppError, request: FastifyRequest, reply) => {
    const appError = toAppError(error)
    if (appError.status >= 500)
      log.error(
        { err: error, cause: appError.cause, requestId: request.id, path: request.routeOptions.url },
        appError.message,
      )
    // The framework ends the connection when it refuses a body.
    if (reply.getHeader('connection') === 'close') await discardRest(request.raw)
    return sendError(reply, appError)
  })
}

/** At either limit the connection is closed although the sender may then not see the answer. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024
const MAX_DISCARD_MS = 5_000

/**
 * Closing a connection with bytes unread resets it, often before the sender has read the answer: it would see a broken
 * connection instead of the 413 and send the same again. So the rest of the body is read and thrown away first.
 */
function discardRest(body: IncomingMessage): Promise<void> {
  if (body.complete || body.readableEnded || body.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    let discardedBytes = 0
    const timer = setTimeout(resolve, MAX_DISCARD_MS)
    const finish = () => {
      clearTimeout(timer)
      resolve()
    }
    body.once('end', finish).once('close', finish)
    body.on('data', (chunk: Buffer) => {
      discardedBytes += chunk.length
      if (discardedBytes > MAX_DISCARDED_BYTES) finish()
    })
    body.resume()
  })
}

/** The router gave up on the path, so no hook and no error handler has run. */
export function brokenPathReply(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  setSafetyHeaders(request, reply)
  sendError(reply, toAppError(error))
}

export function methodNotAllowed(method: string, allowed: string[]): AppError {
  return new AppError('method_not_allowed', `${method} is not possible here: use ${allowed.join(' or ')}.`)
}

export function sendError(reply: FastifyReply, error: AppError): FastifyReply {
  if (error.retryAfterSeconds !== undefined)
    reply.header('Retry-After', String(Math.max(1, Math.ceil(error.retryAfterSeconds))))
  return reply
    .code(error.status)
    .header('Cache-Control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(errorBody(error, reply.request.id))
}

export function errorBody(error: AppError, requestId: string): ErrorAnswer {
  const fields = error.fields.length > 0 ? { fields: error.fields } : {}
  return { error: { code: error.code, message: error.message, ...fields, requestId } }
}

/** Fastify's own errors by code; anything unknown is our bug and says nothing about its inside. */
function toAppError(error: FastifyError | AppError): AppError {
  if (error instanceof AppError) return error
  const make = FRAMEWORK_ERRORS[error.code ?? '']
  if (make) return make()
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError('invalid_request', 'The request could not be understood: check its headers and body.', {
      cause: error,
    })
  }
  return new AppError(
    'internal',
    'Something went wrong on our side. Try again; if it stays, give the requestId to whoever runs this service.',
    { cause: error },
  )
}

/** By codes that are the framework's and Node's own, never a stranger's text. */
const FRAMEWORK_ERRORS: Record<string, () => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new AppError('body_too_large', 'The body is larger than this path takes: send less at a time.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new AppError('unsupported_media_type', 'This path does not take that Content-Type: send application/json.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new AppError('invalid_request', 'The body is not as long as its Content-Length says.'),
  FST_ERR_BAD_URL: () =>
    new AppError('invalid_request', 'The path is not a valid URL path: percent-encode special characters.'),
  FST_ERR_MAX_PARAM_LENGTH: () => new AppError('not_found', 'There is nothing at this path.'),
}

/** The parser gave up before there was a request, so the answer is written by hand and the connection ends. */
export function brokenRequestReply(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const appError =
    BROKEN_REQUESTS[error.code ?? ''] ?? new AppError('invalid_request', 'The request is not valid HTTP/1.1.')
  const body = JSON.stringify(errorBody(appError, newRequestId()))
  const head = [
    `HTTP/1.1 ${appError.status} ${STATUS_TEXT[appError.status] ?? 'Error'}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

const BROKEN_REQUESTS: Record<string, AppError> = {
  HPE_HEADER_OVERFLOW: new AppError(
    'headers_too_large',
    'The headers are larger than 16 KiB: send fewer or shorter ones.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new AppError(
    'request_timeout',
    'The request took too long to arrive: send it again, faster.',
  ),
}

const STATUS_TEXT: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

function pathPattern(url: string): RegExp {
  const source = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('/')
  return new RegExp(`^${source}$`)
}
