/** The three ways to ask: over HTTP, over MCP, and the engine itself. An answer that is no answer ends the benchmark. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { ServiceProcess } from './service-process.ts'

export type Filled = { process: ServiceProcess; projectId: string; ingestKey: string; readKey: string }

export async function askApi({ process, readKey }: Filled, path: string): Promise<unknown> {
  const response = await fetch(`${process.url}${path}`, { headers: { authorization: `Bearer ${readKey}` } })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

export async function askMcp({ process, readKey }: Filled, name: string, args: object): Promise<void> {
  const response = await fetch(`${process.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${readKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  const text = await response.text()
  if (!response.ok || text.includes('"isError":true')) throw new Error(`${name} answered ${response.status}: ${text}`)
}

/** One after the other. */
export async function askEngine({ process }: Filled, queries: readonly string[]): Promise<void> {
  const socketPath = join(process.dataDir, 'engine/engine.sock')
  for (const sql of queries) {
    const asked = request({ socketPath, path: '/', method: 'POST' }).end(`${sql} FORMAT JSONEachRow`)
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    await finished(response.resume())
    if (response.statusCode !== 200) throw new Error(`the engine refused: ${sql}`)
  }
}
