/** `PUT /v1/sourcemaps`: one map in one request, raw. The key and the declared length are looked at before the body is. */
import { MAX_SOURCE_MAP_BYTES } from '@tidemark/wire/limits'
import { sourceMapInput } from '@tidemark/wire/source-maps'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import type { Accept } from '../ingest/door/accept.ts'
import type { KeyCaller } from '../model/caller.ts'
import type { SourceMapUploads } from '../verbs/source-maps.ts'
import { parseInput } from './reading/input.ts'

type Parts = { accept: Pick<Accept, 'requireKey'>; uploads: SourceMapUploads }

export function sourceMapRoutes(routes: FastifyInstance, { accept, uploads }: Parts): void {
  routes.register(async (scope) => {
    // Whatever its type is called: a map is JSON, and build tools name it in many ways.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_SOURCE_MAP_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    scope.decorateRequest('caller', undefined)
    scope.put(
      '/v1/sourcemaps',
      {
        bodyLimit: MAX_SOURCE_MAP_BYTES,
        onRequest: async (request, reply) => {
          const caller = await accept.requireKey(request.headers)
          request.setDecorator('caller', caller)
          parseInput(sourceMapInput, request.query)
          if (Number(request.headers['content-length'] ?? 0) > MAX_SOURCE_MAP_BYTES) throw tooLarge()
          const release = uploads.begin(caller)
          // However it ends: answered, refused, or with the sender gone.
          if (reply.raw.destroyed) release()
          else reply.raw.once('close', release)
        },
      },
      async (request, reply) => {
        const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0)
        if (body.length === 0) {
          throw new AppError('invalid_request', 'The body is empty: send the content of the .map file.')
        }
        const contentEncoding = String(request.headers['content-encoding'] ?? '')
        const input = { ...parseInput(sourceMapInput, request.query), body, contentEncoding }
        const answer = await uploads.upload(request.getDecorator<KeyCaller>('caller'), input)
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
    `A source map has at most ${MAX_SOURCE_MAP_BYTES / 1024 ** 2} MiB. Send it with Content-Encoding: gzip, build it without \`sourcesContent\`, or split the bundle.`,
  )
}
