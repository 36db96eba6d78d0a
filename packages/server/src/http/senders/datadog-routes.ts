/** Datadog's intake: 202 when at least one entry was taken, else a list of `errors`. */
import { STATUS_CODES } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Accept } from '../../ingest/door/accept.ts'
import { reasonsIn, senderRoute } from './sender-route.ts'

export function datadogRoutes(routes: FastifyInstance, { accept }: { accept: Accept }): void {
  for (const path of ['/api/v2/logs', '/v1/input']) {
    senderRoute(routes, {
      accept,
      method: 'POST',
      path,
      sender: () => ({ protocol: 'datadog' }),
      answer(reply, batch) {
        if (batch.rejected.length === 0) return reply.code(202).send({})
        const status = batch.accepted === 0 ? 400 : 202
        return reply.code(status).send(errorsOf(status, reasonsIn(batch, 'Entry')))
      },
      refuse: (reply, { status, message }) => reply.send(errorsOf(status, message)),
    })
  }
}

function errorsOf(status: number, detail: string) {
  const title = status === 202 ? 'Some entries were not taken' : STATUS_CODES[status]
  return { errors: [{ status: String(status), title, detail }] }
}
