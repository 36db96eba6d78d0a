/** Datadog's intake: 202 when at least one entry was taken, else a list of `errors`. */
import { STATUS_CODES } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Accept } from '../../ingest/door/accept.ts'
import { DATADOG_PARAMETERS, type DatadogDefaults } from '../../ingest/senders/sender.ts'
import { reasonsIn, senderRoute } from './sender-route.ts'

export function datadogRoutes(routes: FastifyInstance, { accept }: { accept: Accept }): void {
  for (const path of ['/api/v2/logs', '/v1/input']) {
    senderRoute(routes, {
      accept,
      method: 'POST',
      path,
      sender: ({ query }) => ({ protocol: 'datadog', ...defaultsIn(query as Parameters) }),
      answer(reply, batch) {
        if (batch.rejected.length === 0) return reply.code(202).send({})
        const status = batch.accepted === 0 ? 400 : 202
        return reply.code(status).send(errorsOf(status, reasonsIn(batch, 'Entry')))
      },
      refuse: (reply, { status, message }) => reply.send(errorsOf(status, message)),
    })
  }
}

type Parameters = Record<string, string | string[] | undefined>

/** Other parameters are ignored, as Datadog does. A parameter that comes several times counts as a list of tags. */
function defaultsIn(parameters: Parameters): { defaults?: DatadogDefaults } {
  const given = DATADOG_PARAMETERS.map((name) => [name, [parameters[name] ?? []].flat().join(',')] as const)
  const defaults = Object.fromEntries(given.filter(([, value]) => value !== ''))
  return Object.keys(defaults).length === 0 ? {} : { defaults }
}

function errorsOf(status: number, detail: string) {
  const title = status === 202 ? 'Some entries were not taken' : STATUS_CODES[status]
  return { errors: [{ status: String(status), title, detail }] }
}
