/**
 * The engine's HTTP door on a port of this machine, as a ClickHouse server would listen. The door takes no data in a body;
 * what a server does with it is done here: the rows of an insert are put into a file and read from there.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

export type EnginePort = { url: string; close(): void }

/** Hears every statement as it was sent, and says what the engine is asked instead. */
export type Interpreter = {
  hear(sql: string, settings: URLSearchParams): void
  reword(sql: string): string
  /** The engine carries the statement out, and the connection ends before its answer. */
  isAnswerLost?(sql: string): boolean
}

/** `port`: the one it had before, when a server that was away comes back. */
export async function openEnginePort(socketPath: string, port = 0, interpreter?: Interpreter): Promise<EnginePort> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-port-'))
  let files = 0
  const server = createServer({ maxHeaderSize: 1024 * 1024 }, async (asked, reply) => {
    const address = new URL(asked.url ?? '/', 'http://engine')
    const insert = address.searchParams.get('query')
    // A client that is killed, or cut off with this port, leaves its request half sent.
    const bytes = await bodyOf(asked).catch(() => undefined)
    if (bytes === undefined) return
    const path = join(folder, String(files++))
    let body = bytes
    if (insert !== null && bytes.length > 0) {
      writeFileSync(path, bytes)
      address.searchParams.delete('query')
      const [ending = '', format] = / FORMAT (\w+)$/.exec(insert) ?? []
      const fromFile = insert.replace(/ FROM input\(/, ` FROM file('${path}', '${format}', `)
      body = Buffer.from(fromFile.slice(0, fromFile.length - ending.length))
    }
    // The engine's door finds what it must stop by a comment of its own.
    if (interpreter === undefined) address.searchParams.delete('log_comment')
    else if (address.pathname !== '/ping') {
      interpreter.hear(insert ?? bytes.toString(), address.searchParams)
      body = Buffer.from(interpreter.reword(body.toString()))
    }
    const { method, headers } = asked
    const { 'transfer-encoding': _, ...kept } = headers
    const sent = { socketPath, method, path: address.pathname + address.search, agent: false as const }
    const engine = request({ ...sent, headers: { ...kept, 'content-length': body.length } }, (answer) => {
      if (interpreter?.isAnswerLost?.(insert ?? bytes.toString())) {
        answer.resume().on('end', () => reply.destroy())
        return
      }
      reply.writeHead(answer.statusCode ?? 500, answer.headers)
      pipeline(answer, reply, () => rmSync(path, { force: true }))
    })
    engine.on('error', () => reply.destroy())
    reply.on('close', () => engine.destroy())
    engine.end(body)
  })
  await listen(server, port)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A port that was free for a while may be somebody's outgoing one just now. */
async function listen(server: Server, port: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      return
    } catch (error) {
      if (tries === 100) throw error
      await sleep(100)
    }
  }
}

async function bodyOf(asked: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of asked) chunks.push(chunk)
  return Buffer.concat(chunks)
}
