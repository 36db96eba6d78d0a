/** The doors of the running service, as any sender uses them: what is refused for now is sent again later. */
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { RETRYABLE_STATUSES, retryAfterMs } from '@tidemark/wire/retryable'
import { SECOND_MS } from '@tidemark/wire/time/units'
import type { Batch } from './shop/batches.ts'
import type { ShopDeploy } from './shop/deploys.ts'

const compress = promisify(gzip)
/** After this many failed connections the service is gone. */
const MAX_FAILED_CONNECTIONS = 20
const ASK_EVERY_MS = 100

export type Doors = { origin: string; ingestKey: string; readKey: string; signal: AbortSignal }

export async function sendBatch({ origin, ingestKey, signal }: Doors, { id, body, records }: Batch): Promise<void> {
  const headers = {
    Authorization: `Bearer ${ingestKey}`,
    'Content-Type': 'application/x-ndjson',
    'Content-Encoding': 'gzip',
    'X-Batch-Id': id,
  }
  const answer = await ask(`${origin}/v1/logs`, { method: 'POST', headers, body: await compress(body), signal })
  const { accepted, rejected } = answer as { accepted: number; rejected: { reason: string }[] }
  if (accepted !== records) throw new Error(`${records - accepted} records were refused: ${rejected[0]?.reason}`)
}

/** Resolves with the id it has in the service. */
export async function sendDeploy({ origin, ingestKey, signal }: Doors, { body }: ShopDeploy): Promise<string> {
  const headers = { 'Content-Type': 'application/json' }
  const deploy = JSON.stringify({ projectApiKey: ingestKey, ...body })
  const answer = await ask(`${origin}/v1/deploys`, { method: 'POST', headers, body: deploy, signal })
  return (answer as { deploy: { id: string } }).deploy.id
}

/** The log engine starts after the service: until then records are taken in, but nothing can be found. */
export async function untilReady({ origin, signal }: Pick<Doors, 'origin' | 'signal'>): Promise<void> {
  while (!(await fetch(`${origin}/readyz`, { signal })).ok) await sleep(ASK_EVERY_MS, undefined, { signal })
}

/** How much is acknowledged and cannot be found yet. 0 where the metrics need a token. */
export async function waitingBytes({ origin, signal }: Pick<Doors, 'origin' | 'signal'>): Promise<number> {
  const response = await fetch(`${origin}/metrics`, { signal })
  return Number(/^tidemark_spool_bytes (\S+)$/m.exec(await response.text())?.[1] ?? 0)
}

/** How many records can be found between two times. */
export async function countRecords(
  { origin, readKey, signal }: Doors,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<number> {
  const url = new URL('/api/logs/count', origin)
  url.searchParams.set('from', new Date(fromMs).toISOString())
  url.searchParams.set('to', new Date(toMs).toISOString())
  const answer = await ask(url.href, { headers: { Authorization: `Bearer ${readKey}` }, signal })
  return (answer as { total: number }).total
}

async function ask(url: string, init: RequestInit & { signal: AbortSignal }): Promise<unknown> {
  for (let failedConnections = 0; ; ) {
    const response = await fetch(url, init).catch((error) => {
      if (init.signal.aborted || ++failedConnections > MAX_FAILED_CONNECTIONS) throw error
      return undefined
    })
    if (response?.ok) return response.json()
    const text = await response?.text()
    if (response && !RETRYABLE_STATUSES.includes(response.status))
      throw new Error(`${new URL(url).pathname} answered ${response.status}: ${text}`)
    await sleep(retryAfterMs(response?.headers.get('retry-after')) ?? SECOND_MS, undefined, { signal: init.signal })
  }
}
