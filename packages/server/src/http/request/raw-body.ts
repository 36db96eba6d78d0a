import type { FastifyInstance } from 'fastify'

/** Bodies as the bytes that came, whatever type their sender calls them. Larger ones get 413. */
export function takeBytes(scope: FastifyInstance, bodyLimit: number): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body))
}
