/**
 * One request passed on to a service, for what stands before it in tests. Nothing is held back: what the service sends is sent
 * on at once, and a client that leaves is gone for the service too. There are no answers of its own: where a service dies, or
 * none is left, the connection breaks, as it would without it.
 */
import { type IncomingMessage, request, type ServerResponse } from 'node:http'

/** Never closes a connection by itself: a client might just be sending on it, and a browser gives a page up after a few such. */
export const STAYS_OPEN = {
  requestTimeout: 0,
  headersTimeout: 0,
  keepAliveTimeout: 3_600_000,
  maxHeaderSize: 1024 * 1024,
} as const

/** To the first of the ports that takes the connection, each time over a connection of its own. */
export function passOn(incoming: IncomingMessage, outgoing: ServerResponse, [port, ...others]: number[]): void {
  if (port === undefined) {
    outgoing.destroy()
    return
  }
  const { method, url: path } = incoming
  // As they came, spelling and repetition included; the connection to the node is another one.
  const headers = [...withoutConnection(incoming.rawHeaders), 'Connection', 'keep-alive']
  const onward = request({ host: '127.0.0.1', port, method, path, headers, agent: false, setHost: false })
  let isConnected = false
  onward.on('socket', (socket) =>
    socket.once('connect', () => {
      isConnected = true
      if (incoming.headers.expect === undefined) incoming.pipe(onward)
      else onward.flushHeaders()
    }),
  )
  onward.on('continue', () => {
    outgoing.writeContinue()
    incoming.pipe(onward)
  })
  onward.on('response', (answer) => {
    // A node that wants no more of this client says so.
    const last = answer.headers.connection === 'close' ? ['Connection', 'close'] : []
    const headers = [...withoutConnection(answer.rawHeaders), ...last]
    outgoing.writeHead(answer.statusCode ?? 0, answer.statusMessage, headers)
    outgoing.flushHeaders()
    answer.pipe(outgoing)
    answer.once('error', () => outgoing.destroy())
  })
  onward.on('error', () => {
    // Of a request that a node had in hand, nobody knows what became of it. And a client may have left by now.
    if (isConnected || outgoing.destroyed) outgoing.destroy()
    else passOn(incoming, outgoing, others)
  })
  outgoing.once('close', () => onward.destroy())
}

const OF_THE_CONNECTION = new Set(['connection', 'keep-alive'])

function withoutConnection(raw: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2)
    if (!OF_THE_CONNECTION.has(name.toLowerCase())) kept.push(name, value)
  }
  return kept
}
