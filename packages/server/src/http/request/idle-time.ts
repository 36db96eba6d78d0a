/**
 * How long a connection may wait between two requests. Node's own limit begins anew with every byte, also with the line
 * ends that may precede a request. SECURITY: a client that sends nothing else would keep a connection forever.
 */
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'

type Connection = { underWay: number; timer: NodeJS.Timeout | undefined }

export function withinIdleTime(
  handler: RequestListener,
  maxIdleMs: number,
  setBusy: (socket: Socket, isBusy: boolean) => void,
): RequestListener {
  const connections = new WeakMap<Socket, Connection>()

  function connectionOf(socket: Socket): Connection {
    const known = connections.get(socket)
    if (known) return known
    const connection: Connection = { underWay: 0, timer: undefined }
    connections.set(socket, connection)
    socket.once('close', () => clearTimeout(connection.timer))
    return connection
  }

  return (request, response) => {
    const { socket } = request
    const connection = connectionOf(socket)
    connection.underWay++
    clearTimeout(connection.timer)
    // Only a complete request keeps its place: without a key, anyone can start one and never finish it.
    const occupy = () => setBusy(socket, true)
    if (hasBody(request)) request.once('end', occupy)
    else occupy()
    response.once('close', () => {
      request.removeListener('end', occupy)
      if (--connection.underWay > 0 || socket.destroyed) return
      setBusy(socket, false)
      connection.timer = setTimeout(() => socket.destroy(), maxIdleMs)
      connection.timer.unref()
    })
    handler(request, response)
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
