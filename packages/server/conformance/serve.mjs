// The service's own door for agents with another inside, and a proxy that adds the key: the suite cannot send one.
import { createServer, request } from 'node:http'
import { AppError } from '../dist/errors.js'
import { mcpRoute } from '../dist/http/mcp-route.js'
import { createHttpServer } from '../dist/http/server.js'
import { createLog } from '../dist/log.js'
import { createMcpEndpoint } from '../dist/mcp/endpoint.js'
import { CallLimits } from '../dist/verbs/reading/call-limits.js'

export const KEY = 'tidemark_read_conformance'
const HOST = '127.0.0.1'
/** Sooner than in earnest, or each run would take seconds longer. */
const PROGRESS_EVERY_MS = 50
/** The reading verbs are never asked: what has no fixture is only listed. */
const reading = new Proxy(
  {},
  { get: (_, name) => () => Promise.reject(new AppError('not_found', `No ${String(name)} here.`)) },
)
const caller = {
  kind: 'key',
  keyId: 'key_1',
  keyKind: 'read',
  project: { id: 'prj_1', name: 'conformance', retentionDays: 30 },
}

/** `serverFor` is undefined for the service as it is. Resolves with the address to test and how to end it. */
export async function serve(serverFor) {
  const publicUrl = 'http://localhost'
  const log = createLog('silent')
  const http = createHttpServer({ log, publicUrl, urls: [], allowedHosts: [] })
  const authenticate = async (authorization) => {
    if (authorization === `Bearer ${KEY}`) return caller
    throw new AppError('unauthorized', 'no such key')
  }
  const limits = new CallLimits({ callsPerMinute: 100_000, atOnce: 1_000 })
  const options = {
    reading,
    authenticate,
    progressEveryMs: PROGRESS_EVERY_MS,
    publicUrl,
    version: '0.0.0',
    log,
    limits,
    ...(serverFor && { serverFor }),
  }
  mcpRoute(http.routes, { handle: createMcpEndpoint(options) })
  const port = await http.listen(HOST, 0)
  const proxy = createServer((from, to) => forward(from, to, port))
  await new Promise((resolve) => proxy.listen(0, HOST, resolve))
  return {
    url: `http://localhost:${proxy.address().port}/mcp`,
    direct: `http://localhost:${port}/mcp`,
    async stop() {
      proxy.closeAllConnections()
      proxy.close()
      await http.stop()
    },
  }
}

/** Host and Origin as the suite sends them, which is what it tests. */
function forward(from, to, port) {
  const headers = { ...from.headers, authorization: `Bearer ${KEY}` }
  const asked = request({ host: HOST, port, path: from.url, method: from.method, headers }, (answer) => {
    to.writeHead(answer.statusCode, answer.headers)
    answer.pipe(to)
  })
  to.on('close', () => asked.destroy())
  asked.on('error', () => to.destroy())
  from.pipe(asked)
}
