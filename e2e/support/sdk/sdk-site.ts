/** A web site of somebody who installed the SDK: one document at every path, and the files of node_modules. */

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, normalize } from 'node:path'
import { listening } from '../listening.ts'
import { STAYS_OPEN } from '../service/pass-on.ts'

export async function startSite(folder: string, html: string): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(STAYS_OPEN, (request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname)
    if (!path.startsWith('/node_modules/')) {
      response.setHeader('content-type', 'text/html').end(`<!doctype html><title>shop</title>${html}`)
      return
    }
    try {
      response.setHeader('content-type', 'text/javascript').end(readFileSync(join(folder, path)))
    } catch {
      response.writeHead(404).end()
    }
  })
  const port = await listening(server)
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      return closed
    },
  }
}
