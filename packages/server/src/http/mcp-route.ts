/** Hands `POST /mcp` to a handler that speaks web requests. Other methods get 405 as everywhere. */

import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { MAX_JSON_BODY_BYTES } from '@tidemark/wire/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientGone } from '../client-gone.ts'
import { bytesOf, takeBytes } from './request/raw-body.ts'

export function mcpRoute(
  routes: FastifyInstance,
  { handle }: { handle: (request: Request) => Promise<Response> },
): void {
  routes.register(async (scope) => {
    takeBytes(scope, MAX_JSON_BODY_BYTES)
    scope.post(
      '/mcp',
      {
        // A client that asks before it sends its body learns at once when its key is not accepted.
        onRequest: async (request, reply) => {
          if (request.headers.expect === undefined) return
          const response = await handle(toWebRequest(request, reply))
          if (response.status === 401) return send(reply, response)
        },
      },
      async (request, reply) => send(reply, await handle(toWebRequest(request, reply))),
    )
  })
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  for (const [name, value] of response.headers) reply.header(name, value)
  reply.code(response.status).header('Cache-Control', 'no-store')
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  if (isStream && response.body) return reply.send(Readable.fromWeb(response.body as WebStream))
  return reply.send(Buffer.from(await response.arrayBuffer()))
}

function toWebRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, one)
  }
  headers.set('x-request-id', request.id)
  return new Request(`http://${request.headers.host ?? 'localhost'}/mcp`, {
    method: 'POST',
    headers,
    body: new Uint8Array(bytesOf(request)),
    signal: clientGone(reply.raw),
  })
}
