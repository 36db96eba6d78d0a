/** What a product and its agent send while a person looks at the dashboard. */
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
