import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** The port on which it listens from now on, for this machine alone. */
export async function listening(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

/** One that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  const port = await listening(probe)
  await new Promise((resolve) => probe.close(resolve))
  return port
}
