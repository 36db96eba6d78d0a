/** The three ways to ask: over HTTP, over MCP, and the engine itself. A failed answer ends the benchmark. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import type { ServiceProcess } from '../service-process.ts'

export type Filled = { process: ServiceProcess; projectId: string; ingestKey: string; readKey: string }

export async function askApi({ process, readKey }: Filled, path: string): Promise<unknown> {
  const response = await fetch(`${process.url}${path}`, { headers: { authorization: `Bearer ${readKey}` } })
  const body = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${body}`)
  return JSON.parse(body)
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
  const body = await response.text()
  if (!response.ok || body.includes('"isError":true')) throw new Error(`${name} answered ${response.status}: ${body}`)
}

/** One after the other. */
export async function askEngine(service: Filled, queries: readonly string[]): Promise<void> {
  for (const sql of queries) await finished((await answered(service, sql)).resume())
}

export async function rowsOf<Row>(service: Filled, sql: string): Promise<Row[]> {
  const lines = (await text(await answered(service, sql))).trim()
  return lines === '' ? [] : lines.split('\n').map((line) => JSON.parse(line) as Row)
}

async function answered({ process }: Filled, sql: string): Promise<IncomingMessage> {
  const socketPath = join(process.dataDir, 'engine/engine.sock')
  const asked = request({ socketPath, path: '/', method: 'POST' }).end(`${sql} FORMAT JSONEachRow`)
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`the engine refused: ${sql}`)
  return response
}
