/**
 * The one error shape, `{ error: { code, message, fields? } }`, on every path: thrown errors, unknown paths (404) and
 * wrong methods (405 with Allow). Only a browser at an unknown path gets a page.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, CHALLENGE, errorBody, internalError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { wantsPage } from './wants-page.ts'

/** Sends what a browser gets for an unknown path. Without it browsers get JSON, like programs. */
export type MissingPage = (reply: FastifyReply) => Promise<FastifyReply>

export function useErrorReplies(routes: FastifyInstance, log: Log, missingPage?: MissingPage): void {
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
    reply.header('Vary', 'Accept')
    if (missingPage && wantsPage(request)) return missingPage(reply)
    return sendError(reply, nothingHere())
  })

  routes.setErrorHandler(async (error: FastifyError | AppError, request: FastifyRequest, reply) => {
    const appError = toReplyError(error)
    if (appError.status >= 500)
      log.error(
        { err: error, cause: appError.cause, requestId: request.id, path: request.routeOptions.url },
        appError.message,
      )
    return sendError(reply, appError)
  })
}

function methodNotAllowed(method: string, allowed: string[]): AppError {
  return new AppError('method_not_allowed', `${method} is not possible here: use ${allowed.join(' or ')}.`)
}

export function sendError(reply: FastifyReply, error: AppError): FastifyReply {
  setErrorHeaders(reply, error)
  return reply
    .code(error.status)
    .header('Cache-Control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(errorBody(error, reply.request.id))
}

/** What accompanies an error in every format. */
export function setErrorHeaders(reply: FastifyReply, error: AppError): void {
  if (error.status === 401 && !reply.hasHeader('WWW-Authenticate')) reply.header('WWW-Authenticate', CHALLENGE)
  if (error.retryAfter !== undefined) reply.header('Retry-After', error.retryAfter)
}

/** Fastify's own errors by code; anything unknown is our bug and reveals no internals. */
export function toReplyError(error: FastifyError | AppError): AppError {
  if (error instanceof AppError) return error
  const make = FRAMEWORK_ERRORS[error.code ?? '']
  if (make) return make()
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError('invalid_request', 'The request could not be understood: check its headers and body.', {
      cause: error,
    })
  }
  return internalError(error, 'Try again; if it keeps happening, give the requestId to the operator of this service.')
}

/** By codes that are the framework's and Node's own, never a stranger's text. */
const FRAMEWORK_ERRORS: Record<string, () => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new AppError('body_too_large', 'The body is larger than this path accepts: send less at a time.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new AppError('unsupported_media_type', 'This path does not accept that Content-Type: send application/json.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new AppError(
      'invalid_request',
      'The body is not as long as its Content-Length says: send it whole, with its length in bytes.',
    ),
  FST_ERR_BAD_URL: () =>
    new AppError('invalid_request', 'The path is not a valid URL path: percent-encode special characters.'),
  FST_ERR_MAX_PARAM_LENGTH: nothingHere,
}

function nothingHere(): AppError {
  return new AppError('not_found', 'There is nothing at this path. The paths are listed at /openapi.json.')
}

function pathPattern(url: string): RegExp {
  const source = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('/')
  return new RegExp(`^${source}$`)
}
