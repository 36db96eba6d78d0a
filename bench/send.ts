/** Sends bodies to the service as a patient sender does. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { RETRYABLE_STATUSES, retryAfterMs } from '../packages/wire/src/retryable.ts'

export const NDJSON = 'application/x-ndjson'

export type Door = { url: string; key: string; contentType: string; path?: string }

/** All bodies over some connections, each as soon as one is free. How long each took. */
export async function sendAll(door: Door, bodies: readonly Buffer[], connections: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const latencies: number[] = []
  let next = 0
  const client = async () => {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
      const startedAt = performance.now()
      await post(agent, door, body)
      latencies.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  agent.destroy()
  return latencies
}

/** Sent again after Retry-After when the service says so: the benchmark may be faster than the disk. */
export async function post(
  agent: Agent,
  { url, key, contentType, path = '/v1/logs' }: Door,
  body: Buffer,
): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': contentType, 'content-length': body.length }
  for (;;) {
    const { status, waitMs } = await new Promise<{ status: number; waitMs: number }>((resolve, reject) => {
      const sending = request(url + path, { agent, method: 'POST', headers }, (response) => {
        const answer = {
          status: response.statusCode ?? 0,
          waitMs: retryAfterMs(response.headers['retry-after']) ?? 1_000,
        }
        response.resume().on('end', () => resolve(answer))
      })
      sending.on('error', reject)
      sending.end(body)
    })
    if (status >= 200 && status < 300) return
    if (!RETRYABLE_STATUSES.includes(status)) throw new Error(`the service answered ${status}`)
    await sleep(waitMs)
  }
}
