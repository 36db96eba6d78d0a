/**
 * Answers that are given before the request has arrived whole: a wrong key, a body that is too large. The answer goes out
 * at once, and then the connection is closed in the one way that lets a sender who is still sending read it: our half
 * first, while the rest is read and discarded. Closing with bytes unread resets a connection, often before the answer
 * was read, and the sender would see a broken connection and send the same again.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** A rest that is declared to be no more than this is read to its end by Node, and the connection stays open. */
const MAX_REST_BYTES = 256 * 1024
/** At any of these limits the connection ends although the sender may then not see the answer. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024
const MAX_SILENCE_MS = 5_000
const MAX_DISCARD_MS = 30_000

/**
 * For `Expect: 100-continue`: the sender is told to continue only when somebody begins to read its body, so a sender
 * that is refused by the headers alone gets that answer and sends nothing.
 */
export function continueWhenRead(handler: RequestListener): RequestListener {
  return (request, response) => {
    unasked.set(request, () => {
      if (!response.headersSent) response.writeContinue()
    })
    request.once('resume', () => {
      if (!response.headersSent) askForBody(request)
    })
    handler(request, response)
  }
}

/** For code that reads a body in a way that Node does not report, as an iterator does. */
export function askForBody(request: IncomingMessage): void {
  const goOn = unasked.get(request)
  unasked.delete(request)
  goOn?.()
}

/** Requests whose body nobody has asked for yet. The sender may now send it or not: what follows cannot be told apart. */
const unasked = new WeakMap<IncomingMessage, () => void>()

type EarlyAnswers = {
  /** Ends the connections that are only kept for a sender to finish. */
  endLingering(): void
}

export function useEarlyAnswers(routes: FastifyInstance): EarlyAnswers {
  const lingering = new Set<Socket>()
  routes.addHook('onSend', async ({ raw }, reply) => {
    if (raw.complete || !(raw.socket instanceof Socket)) return
    const declaredBytes = Number(raw.headers['content-length'] ?? Number.POSITIVE_INFINITY)
    // What somebody has begun to read is not read to its end by Node.
    const isShort = declaredBytes <= MAX_REST_BYTES && !unasked.has(raw) && !raw.readableDidRead
    if (isShort && reply.getHeader('connection') !== 'close') return
    reply.header('Connection', 'close')
    lingerBeforeClose(raw.socket, reply.raw, lingering)
  })
  return {
    endLingering() {
      for (const socket of lingering) socket.destroy()
    },
  }
}

function lingerBeforeClose(socket: Socket, response: ServerResponse, lingering: Set<Socket>): void {
  // What Node calls when the last answer of a connection is written.
  socket.destroySoon = () => {
    if (lingering.has(socket) || socket.destroyed) return
    lingering.add(socket)
    let discardedBytes = 0
    const end = () => socket.destroy()
    const latest = setTimeout(end, MAX_DISCARD_MS)
    socket.setTimeout(MAX_SILENCE_MS, end)
    // The parser must not find another request in what is discarded.
    socket.removeAllListeners('data')
    socket.on('data', (bytes: Buffer) => {
      discardedBytes += bytes.length
      if (discardedBytes > MAX_DISCARDED_BYTES) end()
    })
    socket.once('end', end)
    socket.once('close', () => {
      clearTimeout(latest)
      lingering.delete(socket)
    })
    socket.end()
    // Node's parser reads past the stream, which is left waiting for a read that never ends: an empty piece ends it.
    socket.push('')
    socket.resume()
  }
  // A sender that is gone before the answer is written needs no patience.
  response.once('close', () => {
    if (!response.writableFinished) socket.destroy()
  })
}
