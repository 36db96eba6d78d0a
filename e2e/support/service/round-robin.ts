/**
 * What stands before several nodes: each request goes to the next one, whatever connection it came on, so two questions in a
 * row are never answered by the same node. A node that takes no connections is passed over.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listening } from '../listening.ts'
import { passOn, STAYS_OPEN } from './pass-on.ts'

export type RoundRobin = {
  readonly port: number
  /** From then on everything goes to these ports. */
  leadTo(ports: readonly number[]): void
  close(): void
}

export async function openRoundRobin(): Promise<RoundRobin> {
  let ports: readonly number[] = []
  let next = 0
  const server = createServer(STAYS_OPEN)
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
  const port = await listening(server)
  return {
    port,
    leadTo(others) {
      ports = others
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
