/** Loki's push: 204 when all of it was taken, else a line of text. */
import { withCommas } from '@tidemark/wire/text/counted'
import type { FastifyInstance } from 'fastify'
import type { Accept } from '../../ingest/door/accept.ts'
import { reasonsIn, senderRoute } from './sender-route.ts'

export function lokiRoutes(routes: FastifyInstance, { accept }: { accept: Accept }): void {
  senderRoute(routes, {
    accept,
    method: 'POST',
    path: '/loki/api/v1/push',
    sender: () => ({ protocol: 'loki' }),
    answer(reply, batch) {
      if (batch.rejected.length === 0) return reply.code(204).send()
      // As Loki: the good entries are stored, and the sender is told of the others with 400, which none sends again.
      const stored = batch.accepted === 0 ? 'None of the entries was stored.' : 'All other entries are stored.'
      const text = `${withCommas(batch.rejected.length)} of ${withCommas(batch.total)} entries were not taken. ${stored} ${reasonsIn(batch, 'Entry')}`
      return reply.code(400).type('text/plain; charset=utf-8').send(`${text}\n`)
    },
    refuse: (reply, { message }) => reply.type('text/plain; charset=utf-8').send(`${message}\n`),
  })
}
