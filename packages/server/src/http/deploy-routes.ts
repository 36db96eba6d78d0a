import type { DeployAnswer } from '@tidemark/wire/deploys/deploy'
import type { FastifyInstance } from 'fastify'
import { AppError, type FieldError } from '../errors.ts'
import { keysOfHeaders } from '../ingest/door/key-of-headers.ts'
import { allowAnyOrigin } from './request/cors.ts'
import { type JsonBody, takeJsonBodiesWithProblems } from './request/json-body.ts'

/**
 * The key is in the body, never in a cookie, so any origin may send. A key in a header is not needed; it is only compared, to
 * find the mistake of two projects in one request.
 */
export function deployRoutes(
  routes: FastifyInstance,
  {
    recordDeploy,
  }: { recordDeploy: (body: unknown, problems: FieldError[], headerKeys: readonly string[]) => Promise<DeployAnswer> },
): void {
  allowAnyOrigin(routes, '/v1/deploys', ['POST'])
  routes.register(async (scope) => {
    takeJsonBodiesWithProblems(scope)
    scope.post('/v1/deploys', async (request, reply) => {
      if (request.body === undefined)
        throw new AppError(
          'invalid_request',
          'The body is empty: send a JSON object with Content-Type: application/json.',
        )
      const { body, problems } = request.body as JsonBody
      const result = await recordDeploy(body, problems, keysOfHeaders(request.headers))
      return reply
        .code(result.created ? 201 : 200)
        .header('Cache-Control', 'no-store')
        .send(result)
    })
  })
}
