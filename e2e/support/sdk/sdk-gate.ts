/** A door to the service that can be shut: while it is, connections are refused, and those that were open are cut. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

type Gate = { readonly url: string; shut(): Promise<void>; open(): Promise<void> }

export async function createGate(targetPort: number): Promise<Gate> {
  const sockets = new Set<Socket>()
  let server: Server | undefined
  let port = 0

  async function open(): Promise<void> {
    server = createServer((client) => {
      const target = connect(targetPort, '127.0.0.1')
      for (const socket of [client, target]) {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => {
          sockets.delete(socket)
          client.destroy()
          target.destroy()
        })
      }
      client.pipe(target)
      target.pipe(client)
    })
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  }

  await open()
  return {
    url: `http://127.0.0.1:${port}`,
    open,
    shut: () =>
      new Promise<void>((resolve) => {
        server?.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
