/**
 * What the SDK costs the application that logs through it: 100,000 records a second for some seconds, in bursts of a tight
 * loop, with a peer that takes everything and with none at all. Event-loop delay is compared with the same loop that makes
 * the same records and discards them; memory is compared with the bound that the options set.
 */
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { createTidemark, type Tidemark } from '../packages/sdk/src/index.ts'
import { type BenchResult, figure } from './result.ts'

const RECORDS_PER_SECOND = 100_000
const SECONDS = 5
const BURST_EVERY_MS = 10
const MAX_BUFFER_BYTES = 16 * 1024 * 1024
/** Of one call, in processor time, sending included. */
const CALL_BAR_US = 10
const DELAY_BAR_MS = 25
/** Held bytes against the bound: the bytes themselves, what compression takes, and what was not collected yet. */
const MEMORY_BAR = 3
/** With all garbage collected and the buffer full: what is kept, and the room of the batch being written. */
const KEPT_MEMORY_BAR = 1.25

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

export async function sdk(): Promise<BenchResult[]> {
  const peer = await startPeer()
  const without = await measure(() => {})
  const sending = await measureClient('with the service', peer.url)
  const away = await measureClient('with the service away', 'http://127.0.0.1:9')
  await peer.stop()
  const perCallUs = ((sending.cpuMs - without.cpuMs) * 1_000) / (RECORDS_PER_SECOND * SECONDS)
  return [
    figure('event-loop delay without logging: p99', without.p99Ms, 'ms'),
    figure('event-loop delay without logging: max', without.maxMs, 'ms'),
    figure('event-loop delay with the service: p99', sending.p99Ms, 'ms', DELAY_BAR_MS),
    figure('event-loop delay with the service: max', sending.maxMs, 'ms'),
    figure('processor time of a call, sending included', perCallUs, 'µs', CALL_BAR_US),
    figure('records a second reached', sending.perSecond, 'records/s'),
    figure(
      'with the service: memory held against the bound',
      sending.heldBytes / MAX_BUFFER_BYTES,
      'times',
      MEMORY_BAR,
    ),
    figure('with the service: records dropped', sending.dropped, 'records'),
    figure('event-loop delay with the service away: p99', away.p99Ms, 'ms', DELAY_BAR_MS),
    figure(
      'with the service away: memory held against the bound',
      away.heldBytes / MAX_BUFFER_BYTES,
      'times',
      MEMORY_BAR,
    ),
    figure(
      'with the service away: memory kept against the bound',
      away.keptBytes / MAX_BUFFER_BYTES,
      'times',
      KEPT_MEMORY_BAR,
    ),
    figure('with the service away: records dropped', away.dropped, 'records'),
    figure('with the service away: records unaccounted for', away.unaccounted, 'records', 0),
    figure('with the service: records unaccounted for', sending.unaccounted, 'records', 0),
  ]
}

async function measureClient(name: string, url: string) {
  const client = createTidemark({
    ingestKey: 'tidemark_ingest_bench',
    url,
    service: 'bench',
    maxBufferBytes: MAX_BUFFER_BYTES,
    exitTimeoutMs: 0,
    onError: ({ code }) => console.log(`  ${name}: ${code}`),
  })
  const measured = await measure((at) => log(client, at))
  await client.flush({ timeoutMs: 10_000 })
  const { sent, queued, dropped } = client.stats()
  await client.close({ timeoutMs: 0 })
  // The SDK's own records of what it lost may make it more, never less.
  return { ...measured, dropped, unaccounted: Math.max(measured.records - sent - queued - dropped, 0) }
}

function log(client: Tidemark, at: number): void {
  client.info(`Order ${at} was paid`, { orderId: at, total: at * 1.5, currency: 'EUR', user: { id: `u${at % 1_000}` } })
}

async function measure(write: (at: number) => void) {
  collect()
  const before = heldNow()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  const burst = (RECORDS_PER_SECOND * BURST_EVERY_MS) / 1_000
  const records = RECORDS_PER_SECOND * SECONDS
  let heldBytes = 0
  for (let written = 0; written < records; ) {
    for (const end = written + burst; written < end; written++) write(written)
    heldBytes = Math.max(heldBytes, heldNow() - before)
    const dueMs = (written / RECORDS_PER_SECOND) * 1_000 - (performance.now() - startedAt)
    await sleep(Math.max(dueMs, 0))
  }
  const seconds = (performance.now() - startedAt) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  delay.disable()
  collect()
  return {
    records,
    p99Ms: delay.percentile(99) / 1e6,
    maxMs: delay.max / 1e6,
    cpuMs: (user + system) / 1_000,
    perSecond: records / seconds,
    heldBytes,
    keptBytes: heldNow() - before,
  }
}

/** Bytes outside the heap count at once, those in it when they are collected. */
function heldNow(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** In a separate thread, so that its work is not measured as delay. */
async function startPeer() {
  const worker = new Worker(
    `const { createServer } = require('node:http')
     const { parentPort } = require('node:worker_threads')
     const server = createServer((request, response) => {
       request.resume()
       request.on('end', () => response.end('{"accepted":1,"rejected":[]}'))
     })
     server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`,
    { eval: true },
  )
  const [port] = await once(worker, 'message')
  return { url: `http://127.0.0.1:${port}`, stop: () => worker.terminate() }
}
