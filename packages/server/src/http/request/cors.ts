import type { FastifyInstance } from 'fastify'

/** For paths whose key never comes from a cookie: a page of any site may send, and the browser adds no credentials. */
export function allowAnyOrigin(routes: FastifyInstance, path: string, methods: string[]): void {
  routes.options(path, async (_, reply) =>
    reply
      .code(204)
      .header('Access-Control-Allow-Origin', '*')
      .header('Access-Control-Allow-Methods', methods.join(', '))
      .header(
        'Access-Control-Allow-Headers',
        'Content-Type, Content-Encoding, Authorization, X-Api-Key, X-Batch-Id, Idempotency-Key',
      )
      .header('Access-Control-Max-Age', '86400')
      .send(),
  )
  routes.addHook('onSend', async (request, reply, payload) => {
    if (request.routeOptions.url === path) reply.header('Access-Control-Allow-Origin', '*')
    return payload
  })
}
