/** One request. Rejects when there is no answer; its socket keeps no process alive. */
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Answer } from '../delivery/answer.ts'
import type { PostRequest } from '../platform.ts'

/** More of an answer is not read: it says how many records were accepted, and why others were not. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024
const KEEP_ALIVE = { keepAlive: true, keepAliveMsecs: 10_000, maxFreeSockets: 4 }

let agents: { http: HttpAgent; https: HttpsAgent } | undefined

export function post({ url, headers, body, timeoutMs }: PostRequest): Promise<Answer> {
  agents ??= { http: new HttpAgent(KEEP_ALIVE), https: new HttpsAgent(KEEP_ALIVE) }
  const { http, https } = agents
  return new Promise((resolve, reject) => {
    const all = { method: 'POST', headers: { ...headers, 'content-length': body.length } }
    const request = url.startsWith('https:')
      ? httpsRequest(url, { ...all, agent: https })
      : httpRequest(url, { ...all, agent: http })
    const timer = setTimeout(
      () => request.destroy(new Error(`no answer within ${timeoutMs / 1_000} s`)),
      timeoutMs,
    ).unref()
    const fail = (error: Error) => {
      clearTimeout(timer)
      reject(error)
    }
    request.on('socket', (socket) => socket.unref())
    request.on('error', fail)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= MAX_ANSWER_BYTES) chunks.push(chunk)
      })
      response.on('error', fail)
      response.on('end', () => {
        clearTimeout(timer)
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'] ?? null,
          location: response.headers.location ?? null,
          body: Buffer.concat(chunks).toString('utf8'),
        })
      })
    })
    request.end(body)
  })
}
