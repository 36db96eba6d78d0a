/** The reading API as a program with a read key uses it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { RETRYABLE_STATUSES, retryAfterMs } from '../../../packages/wire/src/retryable.ts'
import type { TestProject } from '../service/ingest-project.ts'
import type { Service } from '../service/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asks for
export type Answer = { status: number; body: any; headers: Headers; text: string }

export type Parameters = Record<string, string | number | readonly string[] | undefined>

/** A busy engine may ask to come back, or fail to answer in time; emulated ones do now and then. */
const COME_BACK_MS = 2_000
const PATIENCE_MS = 90_000

export async function get(service: Service, key: string, path: string, parameters: Parameters = {}): Promise<Answer> {
  const address = new URL(path, service.url)
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue
    for (const one of typeof value === 'object' ? value : [value]) address.searchParams.append(name, String(one))
  }
  for (const giveUpAt = Date.now() + PATIENCE_MS; ; ) {
    const response = await fetch(address, { headers: { authorization: `Bearer ${key}` } })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('application/json')
    const answer = { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : text }
    if (!RETRYABLE_STATUSES.includes(response.status) || Date.now() > giveUpAt) return answer
    await sleep(retryAfterMs(response.headers.get('retry-after')) ?? COME_BACK_MS)
  }
}

export async function sendLogs(service: Service, { ingestKey }: TestProject, logs: unknown[]): Promise<void> {
  const response = await post(service, '/v1/logs', { projectApiKey: ingestKey, logs })
  const answer = (await response.json()) as { accepted: number }
  if (answer.accepted !== logs.length) throw new Error(JSON.stringify(answer).slice(0, 1_000))
}

export async function sendDeploy(service: Service, { ingestKey }: TestProject, deploy: unknown): Promise<string> {
  const response = await post(service, '/v1/deploys', { projectApiKey: ingestKey, ...(deploy as object) })
  const answer = (await response.json()) as { deploy?: { id: string } }
  if (!answer.deploy) throw new Error(JSON.stringify(answer))
  return answer.deploy.id
}

function post(service: Service, path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(new URL(path, service.url), { method: 'POST', headers, body: JSON.stringify(body) })
}

/** Every page of a search, one after the other; `between` runs before each further page. */
export async function walk(
  service: Service,
  key: string,
  parameters: Parameters,
  between: () => Promise<void> = async () => {},
): Promise<{ kind: string; id: string; timestamp: string; message: string }[]> {
  const rows = []
  for (let cursor: string | undefined; ; await between()) {
    const { status, body, text } = await get(service, key, '/api/logs', { ...parameters, cursor })
    if (status !== 200) throw new Error(text)
    rows.push(...body.rows)
    if (body.nextCursor === null) return rows
    cursor = body.nextCursor
  }
}
