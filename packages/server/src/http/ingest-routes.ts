/** `POST /v1/logs`: translates between HTTP and `accept`, and decides nothing. */

import type { FastifyInstance } from 'fastify'
import { AppError, errorBody } from '../errors.ts'
import type { Accept, AcceptedBatch } from '../ingest/door/accept.ts'
import { MAX_SENT_BYTES } from '../ingest/limits.ts'
import { allowAnyOrigin } from './request/cors.ts'
import { isProtobuf, otlpErrorReply, otlpReply } from './request/otlp-reply.ts'
import { bytesOf, takeBytes } from './request/raw-body.ts'

export function ingestRoutes(routes: FastifyInstance, { accept }: { accept: Accept }): void {
  allowAnyOrigin(routes, '/v1/logs', ['POST'])
  routes.register(async (scope) => {
    // The raw bytes: the parser finds out which format they are.
    takeBytes(scope, MAX_SENT_BYTES, (request) => accept.noteTooLarge(request.getDecorator('caller')))
    scope.decorateRequest('caller', undefined)
    scope.post(
      '/v1/logs',
      {
        // Before the body is read: a stranger's 20 MiB are not worth receiving.
        onRequest: async (request) => {
          request.setDecorator('caller', await accept.authenticate(request.headers))
        },
        errorHandler: (error, request, reply) => {
          if (!(error instanceof AppError) || !isProtobuf(request.headers['content-type'])) throw error
          return otlpErrorReply(reply, error)
        },
      },
      async (request, reply) => {
        const body = bytesOf(request)
        const batch = await accept.batch(request.getDecorator('caller'), request.headers, body)
        reply.header('Cache-Control', 'no-store')
        if (batch.protocol === 'otlp-json' || batch.protocol === 'otlp-protobuf') return otlpReply(reply, batch)
        const { accepted, rejected } = batch
        if (isRefusedWhole(batch)) {
          const error = new AppError(
            'invalid_request',
            'None of the records could be accepted: the reasons are in `rejected`.',
          )
          return reply.code(400).send({ ...errorBody(error, request.id), accepted, rejected })
        }
        return reply.send({ accepted, rejected })
      },
    )
  })
  for (const signal of ['traces', 'metrics']) {
    const refuse = async () => {
      throw new AppError(
        'not_found',
        `Tidemark accepts only logs. Set OTEL_${signal.toUpperCase()}_EXPORTER=none so that the exporter stops sending ${signal}.`,
      )
    }
    // Before the body is examined: whatever its type and size, this is what its sender needs to know.
    routes.post(`/v1/${signal}`, { onRequest: refuse }, refuse)
  }
}

function isRefusedWhole({ accepted, rejected }: AcceptedBatch): boolean {
  return accepted === 0 && rejected.length > 0
}
