/** The door for OAuth clients, in the shapes that the specifications give to bodies, answers and errors. */
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import type { AppError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { OAuthRefusal } from '../../verbs/oauth/oauth-refusal.ts'
import type { OAuth } from '../../verbs/open-oauth.ts'
import { setErrorHeaders, toReplyError } from '../request/error-reply.ts'
import { takeJsonBodies } from '../request/json-body.ts'
import { OAUTH_PATHS } from './metadata-routes.ts'

const MAX_BODY_BYTES = 32 * 1024

type Parts = { oauth: Pick<OAuth, 'registerClient' | 'exchangeCode' | 'revokeToken'>; log: Log }

export function oauthRoutes(routes: FastifyInstance, { oauth, log }: Parts): void {
  routes.register(async (scope) => {
    takeJsonBodies(scope)
    answerErrors(scope, log)
    scope.post(OAUTH_PATHS.register, { bodyLimit: MAX_BODY_BYTES }, async ({ body, ip }, reply) =>
      unkept(reply)
        .code(201)
        .send(await oauth.registerClient(body, ip)),
    )
  })
  routes.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: unknown, body: string) => new URLSearchParams(body),
    )
    answerErrors(scope, log)
    scope.post(OAUTH_PATHS.token, { bodyLimit: MAX_BODY_BYTES }, async ({ body, ip }, reply) =>
      unkept(reply).send(await oauth.exchangeCode(formOf(body), ip)),
    )
    scope.post(OAUTH_PATHS.revoke, { bodyLimit: MAX_BODY_BYTES }, async ({ body, ip }, reply) => {
      await oauth.revokeToken(formOf(body), ip)
      return unkept(reply).send({})
    })
  })
}

function unkept(reply: FastifyReply): FastifyReply {
  return reply.header('Cache-Control', 'no-store').header('Pragma', 'no-cache')
}

function formOf(body: unknown): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}

/** `{ error, error_description }` with the words of RFC 6749. */
function answerErrors(scope: FastifyInstance, log: Log): void {
  scope.setErrorHandler(async (error: FastifyError | AppError, request, reply) => {
    const known = toReplyError(error)
    if (known.status >= 500) {
      log.error(
        { err: error, cause: known.cause, requestId: request.id, path: request.routeOptions.url },
        known.message,
      )
    }
    setErrorHeaders(reply, known)
    return unkept(reply)
      .code(known.status)
      .send({ error: nameOf(known), error_description: described(known) })
  })
}

function nameOf(error: AppError): string {
  if (error instanceof OAuthRefusal) return error.error
  if (error.code === 'rate_limited' || error.status === 503) return 'temporarily_unavailable'
  return error.status >= 500 ? 'server_error' : 'invalid_request'
}

/** Form bodies have their own type, which the general words do not know. */
function described(error: AppError): string {
  return error.code === 'unsupported_media_type'
    ? 'Send a registration as application/json, everything else as application/x-www-form-urlencoded.'
    : error.message
}
