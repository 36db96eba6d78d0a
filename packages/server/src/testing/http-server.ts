import type { ConnectionLimits } from '../connection-places.ts'
import { createHttpServer, type HttpServer } from '../http/server.ts'
import { createLog } from '../log.ts'

/** Without routes, and without a word. */
export function silentServer(publicUrl = 'http://localhost:4700', connectionLimits?: ConnectionLimits): HttpServer {
  const limits = connectionLimits && { connectionLimits }
  return createHttpServer({ log: createLog('silent'), publicUrl, urls: [], allowedHosts: [], ...limits })
}
