import { createHttpServer, type HttpServer } from '../http/server.ts'
import { createLog } from '../log.ts'

/** Without routes, and without a word. */
export function silentServer(publicUrl = 'http://localhost:4700'): HttpServer {
  return createHttpServer({ log: createLog('silent'), publicUrl, urls: [], allowedHosts: [] })
}
