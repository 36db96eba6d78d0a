/**
 * Sends while the main thread waits: in the `exit` event nothing asynchronous happens anymore, but another thread can
 * still use the network. What was already on its way is sent again under the same batch id.
 */
import { Worker } from 'node:worker_threads'
import type { EndOfProgram } from '../platform.ts'

export function sendAtExit(end: EndOfProgram): void {
  const { batches, request } = end.takeOut()
  // First whether all is done; then for each batch 0, or one more than the records that the service rejected.
  const state = new Int32Array(new SharedArrayBuffer(4 * (batches.length + 1)))
  try {
    const worker = new Worker(PROGRAM, {
      eval: true,
      // Without the application's preloads and flags.
      execArgv: [],
      env: {},
      workerData: { state, requests: batches.map(request), timeoutMs: end.timeoutMs },
    })
    worker.unref()
    Atomics.wait(state, 0, 0, end.timeoutMs)
  } catch {
    // No thread can be started; the caller counts and reports what is lost.
  }
  for (const [at, batch] of batches.entries()) {
    const told = Atomics.load(state, at + 1)
    if (told > 0) end.acknowledge(batch, told - 1)
  }
}

/** A text, so that it needs no separate file that a bundler would have to know about. */
const PROGRAM = `
const { workerData: { state, requests, timeoutMs } } = require('node:worker_threads')
const { gzipSync } = require('node:zlib')
const { randomUUID } = require('node:crypto')
const rejectedIn = (text) => {
  try {
    const { accepted, rejected } = JSON.parse(text)
    return typeof accepted === 'number' ? rejected.length : undefined
  } catch {}
}
const send = ({ url, headers, body }, isRenamed = false) => new Promise((resolve) => {
  const { request } = require(url.startsWith('https:') ? 'node:https' : 'node:http')
  const packed = gzipSync(body, { level: 1 })
  const all = { ...headers, 'content-encoding': 'gzip', 'content-length': packed.length }
  const sent = request(url, { method: 'POST', headers: all, timeout: timeoutMs }, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (chunk) => { text += chunk })
    response.on('end', () => {
      // The id stands for other records: see Outbox.rename.
      const isTaken = response.statusCode === 409 && text.includes('"batch_changed"')
      if (isTaken && !isRenamed) resolve(send({ url, headers: { ...headers, 'x-batch-id': randomUUID() }, body }, true))
      else resolve(response.statusCode === 200 ? rejectedIn(text) : undefined)
    })
  })
  sent.on('timeout', () => sent.destroy())
  sent.on('error', () => resolve(undefined))
  sent.end(packed)
})
let next = 0
const work = async () => {
  while (next < requests.length) {
    const at = next++
    const rejected = await send(requests[at]).catch(() => undefined)
    if (rejected !== undefined) Atomics.store(state, at + 1, rejected + 1)
  }
}
Promise.all([work(), work(), work()]).then(() => {
  Atomics.store(state, 0, 1)
  Atomics.notify(state, 0)
})
`
