/** How long a request may take to arrive. SECURITY: a client that sends byte by byte loses the connection. */
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/** From the end of the headers to that of the body. */
const REQUEST_TIME_MS = 30_000

const deadlines = new WeakMap<IncomingMessage, { begin(): void; clear(): void }>()

/** `late` is reported as Node reports a request that took too long. */
export function withinTime(
  handler: RequestListener,
  late: (error: NodeJS.ErrnoException, socket: Socket) => void,
): RequestListener {
  return (request, response) => {
    if (mayHaveBody(request)) {
      let timer: NodeJS.Timeout | undefined
      const clear = () => clearTimeout(timer)
      const begin = () => {
        clear()
        timer = setTimeout(() => {
          if (!request.complete) late(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), request.socket)
        }, REQUEST_TIME_MS)
        timer.unref()
      }
      deadlines.set(request, { begin, clear })
      begin()
      // Also when it was answered before: what is left of a body is read to its end.
      request.once('end', clear)
    }
    handler(request, response)
  }
}

/**
 * For a body that lasts as long as there is something to send: its reader makes sure that something comes, and calls the
 * returned function when it stops reading. From then on the rest of the body has the usual time.
 */
export function withoutEnd(request: IncomingMessage): () => void {
  const deadline = deadlines.get(request)
  deadline?.clear()
  return () => {
    if (!request.complete) deadline?.begin()
  }
}

function mayHaveBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}
