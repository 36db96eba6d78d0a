/** What a product and its agent send while a person looks at the dashboard. */
import { MINUTE_MS } from '../../../packages/wire/src/time/units.ts'

export type FirstKeys = { ingestKey: string; readKey: string }

export function recordAt(timeMs: number, message: string, more: Record<string, unknown> = {}) {
  const timestamp = new Date(timeMs).toISOString()
  return { timestamp, message, level: 'info', service: 'shop', environment: 'production', host: 'a', ...more }
}

export async function send(origin: string, { ingestKey }: FirstKeys, logs: readonly unknown[]): Promise<void> {
  await posted(`${origin}/v1/logs`, { projectApiKey: ingestKey, logs })
}

export async function deployAt(
  origin: string,
  { ingestKey }: FirstKeys,
  timeMs: number,
  more: Record<string, unknown>,
): Promise<void> {
  const deployedAt = new Date(timeMs).toISOString().replace(/\.\d+/, '')
  const deploy = { environment: 'production', deployedAt, ref: 'main', author: 'ada', ...more }
  await posted(`${origin}/v1/deploys`, { projectApiKey: ingestKey, ...deploy })
}

/** A quiet shop: records of the last half hour and a deploy among them. */
export async function deployBetweenRecords(origin: string, keys: FirstKeys): Promise<void> {
  const nowMs = Date.now()
  await send(origin, keys, [
    recordAt(nowMs - 30 * MINUTE_MS, 'before the deploy'),
    recordAt(nowMs - 10 * MINUTE_MS, 'after the deploy', { level: 'error' }),
    recordAt(nowMs - 5 * MINUTE_MS, 'something else'),
  ])
  await deployAt(origin, keys, nowMs - 20 * MINUTE_MS, { sha: 'a1b2c3d4e5f60718293a4b5c6d7e8f9012345678' })
}

export function initializeMcp(origin: string, readKey: string): Promise<Response> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'e2e', version: '1' } }
  return fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${readKey}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  })
}

async function posted(url: string, body: unknown): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
}
