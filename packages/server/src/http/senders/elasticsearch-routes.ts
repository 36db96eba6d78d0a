/**
 * The part of Elasticsearch's interface that shippers use to write: `_bulk`, and what they ask before. Nothing is kept of
 * templates and policies: requests that read or write them are answered as if all were well.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Accept } from '../../ingest/door/accept.ts'
import { MAX_SENT_BYTES } from '../../ingest/limits.ts'
import { wantsPage } from '../request/wants-page.ts'
import { ABOUT, bulkAnswer, elasticsearchError, PRODUCT, SERVER_INFO, SET_UP } from './elasticsearch-answers.ts'
import { inForm, senderRoute } from './sender-route.ts'

export function elasticsearchRoutes(routes: FastifyInstance, { accept }: { accept: Accept }): void {
  const form = { answer: bulkAnswer, refuse: elasticsearchError }
  const errorHandler = inForm(form)
  for (const path of ['/_bulk', '/:index/_bulk']) {
    senderRoute(routes, {
      ...form,
      accept,
      method: ['POST', 'PUT'],
      path,
      sender: ({ params }) => ({ protocol: 'elasticsearch', index: (params as { index?: string }).index ?? '' }),
    })
  }

  const say = (body: object | string) => async (_: FastifyRequest, reply: FastifyReply) =>
    reply.headers(PRODUCT).header('Cache-Control', 'no-store').send(body)
  const onRequest = async (request: FastifyRequest) => void (await accept.requireKey(request.headers))
  routes.register(async (scope) => {
    // What a template says is not looked at, and no larger than a bulk.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_SENT_BYTES }, (_request, _body, done) =>
      done(null),
    )
    const options = { onRequest, errorHandler }
    for (const [path, body] of Object.entries(ABOUT)) scope.get(path, options, say(body))
    scope.get('/_cat/health', options, say('green\n'))
    for (const path of ['/_refresh', '/:index/_refresh']) {
      scope.route({ ...options, method: ['GET', 'POST'], url: path, handler: say({ _shards: { failed: 0 } }) })
    }
    for (const [path, found] of Object.entries(SET_UP)) {
      scope.get(path, options, async (request, reply) =>
        say(found((request.params as { name: string }).name))(request, reply),
      )
      scope.put(path, options, say({ acknowledged: true }))
    }
  })

  // The dashboard lives at the same address: only a program that shows a key is answered here.
  routes.addHook('onRequest', async (request, reply) => {
    if (!isAskedByProgram(request)) return
    try {
      await accept.requireKey(request.headers)
    } catch (error) {
      return errorHandler(error as Error, request, reply)
    }
    return say(SERVER_INFO)(request, reply)
  })
}

function isAskedByProgram(request: FastifyRequest): boolean {
  const { method, url, headers } = request
  if (url !== '/' && !url.startsWith('/?')) return false
  if (method !== 'GET' && method !== 'HEAD') return false
  return (headers.authorization ?? headers['x-api-key']) !== undefined && !wantsPage(request)
}
