/** `PUT /v1/sourcemaps`: one map in one request, raw. The key and the declared length are looked at before the body is. */

import { MAX_SOURCE_MAP_BYTES } from '@tidemark/wire/limits'
import { sourceMapInput } from '@tidemark/wire/source-maps'
import { sizeWords } from '@tidemark/wire/text/size-words'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import type { Accept } from '../ingest/door/accept.ts'
import type { KeyCaller } from '../model/caller.ts'
import type { SourceMapUploads } from '../verbs/source-maps.ts'
import { parseInput } from './request/parameters.ts'
import { bytesOf, takeBytes } from './request/raw-body.ts'

type Slot = { release: () => void; isReading: boolean }
type Parts = { accept: Pick<Accept, 'requireKey'>; uploads: SourceMapUploads }

export function sourceMapRoutes(routes: FastifyInstance, { accept, uploads }: Parts): void {
  routes.register(async (scope) => {
    // Whatever its type is called: a map is JSON, and build tools name it in many ways.
    takeBytes(scope, MAX_SOURCE_MAP_BYTES)
    scope.decorateRequest('caller', undefined)
    scope.decorateRequest('slot', undefined)
    scope.put(
      '/v1/sourcemaps',
      {
        onRequest: async (request, reply) => {
          const caller = await accept.requireKey(request.headers)
          request.setDecorator('caller', caller)
          parseInput(sourceMapInput, request.query)
          if (Number(request.headers['content-length'] ?? 0) > MAX_SOURCE_MAP_BYTES) throw tooLarge()
          const slot: Slot = { release: uploads.begin(caller), isReading: false }
          request.setDecorator('slot', slot)
          // Refused, or with the sender gone before all of it came. A sender that goes later leaves a body that is still read.
          const end = () => {
            if (!slot.isReading) slot.release()
          }
          if (reply.raw.destroyed) end()
          else reply.raw.once('close', end)
        },
      },
      async (request, reply) => {
        const slot = request.getDecorator<Slot>('slot')
        const body = bytesOf(request)
        if (body.length === 0) {
          throw new AppError('invalid_request', 'The body is empty: send the content of the .map file.')
        }
        const contentEncoding = String(request.headers['content-encoding'] ?? '')
        const input = { ...parseInput(sourceMapInput, request.query), body, contentEncoding }
        slot.isReading = true
        const answer = await uploads.upload(request.getDecorator<KeyCaller>('caller'), input).finally(slot.release)
        return reply
          .code(answer.result === 'created' ? 201 : 200)
          .header('Cache-Control', 'no-store')
          .send(answer)
      },
    )
  })
}

function tooLarge(): AppError {
  return new AppError(
    'body_too_large',
    `A source map has at most ${sizeWords(MAX_SOURCE_MAP_BYTES)}. Send it with Content-Encoding: gzip, build it without \`sourcesContent\`, or split the bundle.`,
  )
}
