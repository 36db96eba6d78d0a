/**
 * The part of ClickHouse's HTTP interface that our client uses, over the embedded engine, so that a real server takes
 * the same path. An answer is complete before its first byte is sent (the engine's result limit bounds it): a status
 * code that says 200 is never followed by an error.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { clientGone } from '../../client-gone.ts'
import type { EngineConnections, EngineQuery } from './connections.ts'
import { ENGINE_CODE, EngineError, toEngineError } from './error.ts'

/** Parameters travel in the address. The same limit as a real server's. */
const MAX_ADDRESS_BYTES = 1024 * 1024
const MAX_SQL_BYTES = 256 * 1024
const KEEP_ALIVE_MS = 60_000
const READS = /^\s*(select|with|show|exists|describe|explain)\b/i
const SETTING_NAME = /^[a-z][a-z0-9_]{0,99}$/
const PARAMETER_NAME = /^[A-Za-z_]\w{0,99}$/

/** In the address, but about the HTTP exchange itself. */
const NOT_SETTINGS = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'session_id',
  'role',
  'enable_http_compression',
  'wait_end_of_query',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
])

export function createEngineServer(connections: Pick<EngineConnections, 'run' | 'ping'>): Server {
  const server = createServer(
    { maxHeaderSize: MAX_ADDRESS_BYTES, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, reply) => {
      answer(connections, request, reply).catch((error) => sendError(reply, toEngineError(error)))
    },
  )
  return server
}

async function answer(
  connections: Pick<EngineConnections, 'run' | 'ping'>,
  request: IncomingMessage,
  reply: ServerResponse,
): Promise<void> {
  const address = new URL(request.url ?? '/', 'http://engine')
  if (address.pathname === '/ping') {
    await connections.ping()
    reply.end('Ok.\n')
    return
  }
  const query = parseCall(address.searchParams, await readBody(request))
  const result = await connections.run({ ...query, signal: clientGone(reply) })
  const body = result.bytes()
  reply.writeHead(200, {
    'Content-Type': 'text/plain; charset=UTF-8',
    'Content-Length': body.length,
    'X-ClickHouse-Query-Id': address.searchParams.get('query_id') ?? '',
    'X-ClickHouse-Summary': JSON.stringify({
      read_rows: String(result.rowsRead),
      read_bytes: String(result.bytesRead),
      elapsed_ns: String(Math.round(result.elapsed * 1e9)),
    }),
  })
  reply.end(body)
}

/** A query in the address with data in the body is refused: the engine would read data as SQL after an empty line. */
export function parseCall(address: URLSearchParams, body: string): Omit<EngineQuery, 'signal'> {
  const inAddress = address.get('query') ?? ''
  if (inAddress !== '' && body !== '') {
    throw new EngineError(ENGINE_CODE.notImplemented, 'Code: 48. DB::Exception: Data in the body is not taken here.')
  }
  const sql = inAddress + body
  const params = new Map<string, string>()
  const settings = new Map<string, string>()
  for (const [name, value] of address) {
    if (NOT_SETTINGS.has(name)) continue
    const parameter = name.startsWith('param_') ? name.slice('param_'.length) : null
    if (!(parameter === null ? SETTING_NAME.test(name) : PARAMETER_NAME.test(parameter))) {
      throw new EngineError(ENGINE_CODE.badArguments, 'Code: 36. DB::Exception: A name in the address is not one.')
    }
    if (parameter === null) settings.set(name, value)
    else params.set(parameter, value)
  }
  return { sql, params, settings, isRead: READS.test(sql), project: params.get('project') }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_SQL_BYTES) {
      throw new EngineError(ENGINE_CODE.badArguments, 'Code: 36. DB::Exception: The query text is too long.')
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function sendError(reply: ServerResponse, { code, message }: EngineError): void {
  if (reply.headersSent || reply.destroyed) {
    reply.destroy()
    return
  }
  reply.writeHead(code === ENGINE_CODE.tooManyQueries ? 503 : 500, {
    'Content-Type': 'text/plain; charset=UTF-8',
    'X-ClickHouse-Exception-Code': code,
  })
  // The client reads number and name from the text; the name is only there for its pattern to match.
  reply.end(`Code: ${code}. DB::Exception: ${message.replace(/\s+/g, ' ')} (ENGINE_ERROR)`)
}
