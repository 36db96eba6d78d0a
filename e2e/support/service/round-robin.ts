/**
 * What stands before several nodes: each request goes to the next one, whatever connection it came on, so two questions in a
 * row are never answered by the same node. A node that takes no connections is passed over. Nothing is held back: what a node
 * sends is sent on at once, and a client that leaves is gone for the node too. It has no answers of its own: where a node dies,
 * or none is left, the connection breaks, as it would without it.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type RoundRobin = {
  readonly port: number
  /** From then on everything goes to these ports. */
  leadTo(ports: readonly number[]): void
  close(): void
}

export async function openRoundRobin(): Promise<RoundRobin> {
  let ports: readonly number[] = []
  let next = 0
  // It never closes a connection by itself: a client might just be sending on it.
  const patience = { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 3_600_000 }
  const server = createServer({ maxHeaderSize: 1024 * 1024, ...patience })
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const turn = next++
    passOn(
      incoming,
      outgoing,
      ports.map((_, index) => ports[(turn + index) % ports.length] ?? 0),
    )
  }
  server.on('request', handle)
  // The node decides whether it wants the body.
  server.on('checkContinue', handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(others) {
      ports = others
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function passOn(incoming: IncomingMessage, outgoing: ServerResponse, [port, ...others]: number[]): void {
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
