import type { DeployAnswer } from '@tidemark/wire/deploys/deploy'
import type { FastifyInstance } from 'fastify'
import { AppError, type FieldError } from '../errors.ts'
import { allowAnyOrigin } from './request/cors.ts'
import { type JsonBody, takeJsonBodiesWithProblems } from './request/json-body.ts'

/** The key travels in the body: no header, no cookie, so any origin may ask. */
export function deployRoutes(
  routes: FastifyInstance,
  { recordDeploy }: { recordDeploy: (body: unknown, problems: FieldError[]) => Promise<DeployAnswer> },
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
      const result = await recordDeploy(body, problems)
      return reply
        .code(result.created ? 201 : 200)
        .header('Cache-Control', 'no-store')
        .send(result)
    })
  })
}
