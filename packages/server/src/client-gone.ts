import type { ServerResponse } from 'node:http'
import { AppError } from './errors.ts'

/** Aborts when the client has gone before its answer was written. */
export function clientGone(reply: ServerResponse): AbortSignal {
  const gone = new AbortController()
  reply.once('close', () => {
    if (!reply.writableFinished) gone.abort(new AppError('request_timeout', 'The client did not wait for the answer.'))
  })
  return gone.signal
}
