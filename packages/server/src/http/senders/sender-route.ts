/** A path that takes bodies in another sender's protocol: translates between HTTP and `accept`, and decides nothing. */
import { withCommas } from '@tidemark/wire/text/counted'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { AppError } from '../../errors.ts'
import type { Accept, AcceptedBatch } from '../../ingest/door/accept.ts'
import { MAX_SENT_BYTES } from '../../ingest/limits.ts'
import type { Sender } from '../../ingest/senders/sender.ts'
import { setErrorHeaders, toReplyError } from '../request/error-reply.ts'
import { firstReasons } from '../request/first-reasons.ts'
import { bytesOf, takeBytes } from '../request/raw-body.ts'

type SenderForm = {
  /** What the protocol says when a request was read. */
  answer(reply: FastifyReply, batch: AcceptedBatch, request: FastifyRequest): FastifyReply
  /** How it tells an error. The status and the headers that go with it are set. */
  refuse(reply: FastifyReply, error: AppError): FastifyReply
}

type SenderRoute = SenderForm & {
  accept: Accept
  method: HTTPMethods | HTTPMethods[]
  path: string
  sender: (request: FastifyRequest) => Sender
}

export function senderRoute(routes: FastifyInstance, route: SenderRoute): void {
  const { accept, method, path, sender } = route
  routes.register(async (scope) => {
    takeBytes(scope, MAX_SENT_BYTES, (request) => accept.noteTooLarge(request.getDecorator('caller')))
    scope.decorateRequest('caller', undefined)
    scope.route({
      method,
      url: path,
      // Before the body is read: a stranger's 20 MiB are not worth receiving.
      onRequest: async (request) => {
        request.setDecorator('caller', await accept.requireKey(request.headers))
      },
      errorHandler: inForm(route),
      handler: async (request, reply) => {
        const body = bytesOf(request)
        const batch = await accept.batch(request.getDecorator('caller'), request.headers, body, sender(request))
        reply.header('Cache-Control', 'no-store')
        return route.answer(reply, batch, request)
      },
    })
  })
}

/** Errors in the protocol's own form. Our own bugs go on to be logged. */
export function inForm({ refuse }: Pick<SenderForm, 'refuse'>) {
  return (error: Error, _request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const appError = toReplyError(error as AppError)
    if (appError.code === 'internal') throw error
    setErrorHeaders(reply, appError)
    return refuse(reply.code(appError.status).header('Cache-Control', 'no-store'), appError)
  }
}

/** The first few reasons in a sentence. */
export function reasonsIn(
  { rejected, accepted, total }: Pick<AcceptedBatch, 'rejected' | 'accepted' | 'total'>,
  entry: string,
): string {
  const reasons = firstReasons(rejected, entry)
  const others = total - accepted - reasons.length
  if (others > 0) reasons.push(`${withCommas(others)} more like these.`)
  return reasons.join(' ')
}
