/** The way from a socket to the log store: a client that closes its connection stops its query there. */
import { connect } from 'node:net'
import fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import type { Control } from '../control/open.ts'
import { createLog } from '../log.ts'
import type { LogStore, ProjectLogs } from '../logstore/log-store.ts'
import { createMcpEndpoint } from '../mcp/endpoint.ts'
import { readCaller } from '../testing/reading-rows.ts'
import { openReading } from '../verbs/open-reading.ts'
import { mcpRoute } from './mcp-route.ts'

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const MODERN = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'list_logs' }
const STREAM = { Accept: 'application/json, text/event-stream' }

it.each([
  ['an initialize-based client', {}, {}],
  ['a client of the newest revision', { _meta: ENVELOPE }, MODERN],
  ['a client that is told of progress', { _meta: { progressToken: 1 } }, STREAM],
  [
    'a client of the newest revision that is told of progress',
    { _meta: { ...ENVELOPE, progressToken: 1 } },
    { ...MODERN, ...STREAM },
  ],
])('%s that closes its connection stops its query in the log store', async (_, params, headers) => {
  const store = waitingStore()
  const port = await listen(store.logStore)
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'list_logs', arguments: {}, ...params },
  })
  const head = {
    Host: 'localhost',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  }
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(
    `POST /mcp HTTP/1.1\r\n${Object.entries(head)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n${body}`,
  )
  const signal = await store.asked
  expect(signal.aborted).toBe(false)
  if ('Accept' in headers) await new Promise((resolve) => socket.once('data', resolve))
  socket.destroy()
  await store.stopped
  expect(signal.aborted).toBe(true)
})

/** Answers nothing until the question is stopped. */
function waitingStore() {
  let ask = (_: AbortSignal) => {}
  let stop = () => {}
  const asked = new Promise<AbortSignal>((resolve) => {
    ask = resolve
  })
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  const search: ProjectLogs['search'] = ({ signal }) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => {
        stop()
        reject(signal.reason)
      })
      ask(signal!)
    })
  const logStore = { project: () => ({ search }) } as unknown as Pick<LogStore, 'project'>
  return { logStore, asked, stopped }
}

async function listen(logStore: Pick<LogStore, 'project'>): Promise<number> {
  const control = { deploys: { list: async () => [] } } as unknown as Control
  const reading = openReading({ control, logStore, secretKey: 's', publicUrl: 'http://localhost', now: () => 1e12 })
  const log = createLog('silent')
  const options = { reading, authenticate: async () => readCaller(), publicUrl: 'http://localhost', version: '1', log }
  const server = fastify()
  mcpRoute(server, { handle: createMcpEndpoint({ ...options, progressEveryMs: 5 }) })
  await server.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => server.close())
  return (server.server.address() as { port: number }).port
}
