import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Bodies as the bytes that came, whatever type their sender calls them. Larger ones get 413. */
export function takeBytes(scope: FastifyInstance, bodyLimit: number): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body))
}

/** No bytes where there was no body, or it is not read yet. */
export function bytesOf({ body }: FastifyRequest): Buffer {
  return (body as Buffer | undefined) ?? Buffer.alloc(0)
}
