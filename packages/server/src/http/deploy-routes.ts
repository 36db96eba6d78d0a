import { isUtf8 } from 'node:buffer'
import type { DeployAnswer } from '@tidemark/wire/deploy'
import { AppError } from '../errors.ts'
import { allowAnyOrigin } from './cors.ts'
import type { Http } from './server.ts'

const MAX_BODY_BYTES = 256 * 1024

/** The key travels in the body: no header, no cookie, so any origin may ask. */
export function deployRoutes(
  routes: Http,
  { recordDeploy }: { recordDeploy: (body: unknown) => Promise<DeployAnswer> },
): void {
  allowAnyOrigin(routes, '/v1/deploys', ['POST'])
  routes.register(async (scope) => {
    const parseJson = scope.getDefaultJsonParser('error', 'error')
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
      (request, bytes, done) => {
        const body = bytes as Buffer
        const problem = bodyProblem(body, request.headers['content-encoding'])
        if (problem) done(problem)
        else parseJson(request, body.toString('utf8'), done)
      },
    )
    scope.post('/v1/deploys', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
      if (request.body === undefined)
        throw new AppError(
          'invalid_request',
          'The body is empty: send a JSON object with Content-Type: application/json.',
        )
      const result = await recordDeploy(request.body)
      return reply
        .code(result.created ? 201 : 200)
        .header('Cache-Control', 'no-store')
        .send(result)
    })
  })
}

/** An environment that was decoded wrongly would never match its logs, so doubtful bytes are refused. */
function bodyProblem(body: Buffer, encoding = 'identity'): AppError | undefined {
  if (encoding.trim().toLowerCase() !== 'identity')
    return new AppError('unsupported_media_type', 'Deploys are taken without a Content-Encoding: send plain JSON.')
  return isUtf8(body)
    ? undefined
    : new AppError('invalid_request', 'The body is not valid UTF-8. Send JSON encoded as UTF-8.')
}
