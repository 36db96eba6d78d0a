/** `POST /v1/logs`, and the other signals of OpenTelemetry: translates between HTTP and `accept`, and decides nothing. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, errorBody } from '../errors.ts'
import type { Accept, AcceptedBatch } from '../ingest/door/accept.ts'
import { MAX_SENT_BYTES } from '../ingest/limits.ts'
import { allowAnyOrigin } from './request/cors.ts'
import { isProtobuf, otlpErrorReply, otlpReply } from './request/otlp-reply.ts'
import { bytesOf, countBytes, takeBytes } from './request/raw-body.ts'

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
        errorHandler: otlpErrors,
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
  for (const path of ['/v1/traces', '/v1/metrics']) discardRoute(routes, path, accept)
}

/**
 * Answers that all was taken, and stores nothing. OpenTelemetry SDKs export every signal unless configured otherwise, and
 * an SDK without an exporter for traces puts no trace ids into its logs.
 */
function discardRoute(routes: FastifyInstance, path: string, accept: Accept): void {
  allowAnyOrigin(routes, path, ['POST'])
  routes.register(async (scope) => {
    countBytes(scope, MAX_SENT_BYTES)
    scope.decorateRequest('caller', undefined)
    scope.post(
      path,
      {
        onRequest: async (request) => request.setDecorator('caller', await accept.requireKey(request.headers)),
        errorHandler: otlpErrors,
      },
      async (request, reply) => {
        accept.discard(request.getDecorator('caller'), Number(request.body ?? 0))
        reply.header('Cache-Control', 'no-store')
        const protocol = isProtobuf(request.headers['content-type']) ? 'otlp-protobuf' : 'otlp-json'
        return otlpReply(reply, { protocol, rejected: [] })
      },
    )
  })
}

function otlpErrors(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(error instanceof AppError) || !isProtobuf(request.headers['content-type'])) throw error
  return otlpErrorReply(reply, error)
}

function isRefusedWhole({ accepted, rejected }: AcceptedBatch): boolean {
  return accepted === 0 && rejected.length > 0
}
