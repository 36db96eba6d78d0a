/** A real HTTP server in place of the service: it keeps what it was sent and answers as a test says. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

// biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asks for
export type SentRecord = any
export type Received = {
  batchId: string
  headers: Record<string, string | string[] | undefined>
  records: SentRecord[]
  bodyBytes: number
  atMs: number
}
export type Reply = { status?: number; headers?: Record<string, string>; body?: unknown; delayMs?: number } | 'hang up'

export type Peer = {
  readonly url: string
  readonly received: Received[]
  /** Of the batches that were answered with 200, each batch id once, as the service stores them. */
  stored(): SentRecord[]
  /** Closes its port; `start` opens the same one again. */
  stop(): Promise<void>
  start(): Promise<void>
}

export async function startPeer(
  answer: (received: Received, count: number) => Reply | Promise<Reply> = () => ({}),
  now: () => number = () => performance.now(),
): Promise<Peer> {
  const received: Received[] = []
  const batches = new Map<string, SentRecord[]>()
  let port = 0
  let server: Server

  async function start(): Promise<void> {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const body = Buffer.concat(chunks)
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
      const one: Received = {
        batchId: String(request.headers['x-batch-id']),
        headers: request.headers,
        records: text
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line)),
        bodyBytes: text.length,
        atMs: now(),
      }
      const reply = await answer(one, received.push(one))
      if (reply === 'hang up') {
        request.socket.destroy()
        return
      }
      const { status = 200, headers = {}, delayMs = 0 } = reply
      const standard = status === 200 ? { accepted: one.records.length, rejected: [] } : {}
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      if (status === 200) batches.set(one.batchId, one.records)
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify(reply.body ?? standard))
    })
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  }

  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    stored: () => [...batches.values()].flat(),
    start,
    stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      return closed
    },
  }
}
