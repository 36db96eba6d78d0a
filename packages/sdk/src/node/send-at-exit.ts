/**
 * Sends while the main thread waits: in the `exit` event nothing asynchronous happens anymore, but another thread can
 * still use the network. It only carries: what an answer means is decided here, as while the program runs. What was
 * already on its way is sent again under the same batch id.
 */
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { Answer } from '../delivery/answer.ts'
import type { Batch } from '../delivery/batch.ts'
import { MAX_IN_FLIGHT } from '../delivery/delivery.ts'
import type { EndOfProgram } from '../platform.ts'

/** `answer` is null when there was none. */
type Carried = { id: string; answer: Answer | null }

export function sendAtExit(end: EndOfProgram): void {
  const { batches, request } = end.takeOut()
  const untilMs = Date.now() + end.timeoutMs
  const waiting = [...batches]
  const underWay = new Map<string, Batch>()
  const { port1: port, port2: portOfThread } = new MessageChannel()
  /** How many answers have come. */
  const count = new Int32Array(new SharedArrayBuffer(4))
  try {
    const worker = new Worker(PROGRAM, {
      eval: true,
      // Without the application's preloads and flags.
      execArgv: [],
      env: {},
      workerData: { port: portOfThread, count, timeoutMs: end.timeoutMs },
      transferList: [portOfThread],
    })
    worker.unref()
  } catch {
    // No thread can be started; the caller counts and reports what is lost.
    return
  }
  for (let seen = 0; waiting.length + underWay.size > 0; seen++) {
    for (const batch of waiting.splice(0, MAX_IN_FLIGHT - underWay.size)) {
      underWay.set(batch.id, batch)
      port.postMessage({ id: batch.id, request: request(batch) })
    }
    // Returns at once when there is one that we have not seen.
    if (Atomics.wait(count, 0, seen, Math.max(untilMs - Date.now(), 0)) === 'timed-out') break
    const carried: Carried | undefined = receiveMessageOnPort(port)?.message
    if (carried === undefined) break
    const batch = underWay.get(carried.id)
    underWay.delete(carried.id)
    if (batch !== undefined && carried.answer !== null) waiting.unshift(...end.answered(batch, carried.answer))
  }
  port.close()
}

/** A text, so that it needs no separate file that a bundler would have to know about. */
const PROGRAM = `
const { workerData: { port, count, timeoutMs } } = require('node:worker_threads')
const { gzipSync } = require('node:zlib')
const carry = ({ url, headers, body }) => new Promise((resolve, reject) => {
  const { request } = require(url.startsWith('https:') ? 'node:https' : 'node:http')
  const packed = gzipSync(body, { level: 1 })
  const all = { ...headers, 'content-encoding': 'gzip', 'content-length': packed.length }
  const sent = request(url, { method: 'POST', headers: all, timeout: timeoutMs }, (response) => {
    let body = ''
    response.setEncoding('utf8').on('data', (chunk) => { body += chunk })
    response.on('error', reject)
    response.on('end', () => resolve({
      status: response.statusCode,
      retryAfter: response.headers['retry-after'] ?? null,
      location: response.headers.location ?? null,
      body,
    }))
  })
  sent.on('timeout', () => sent.destroy())
  sent.on('error', reject)
  sent.end(packed)
})
port.on('message', async ({ id, request }) => {
  const answer = await carry(request).catch(() => null)
  port.postMessage({ id, answer })
  Atomics.add(count, 0, 1)
  Atomics.notify(count, 0)
})
`
