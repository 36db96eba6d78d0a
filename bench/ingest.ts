/**
 * How fast records become durable and searchable over HTTP, compared with the bare engine loading the same records
 * from binary segments of 50,000 into the same table with the same durability, in the same run on the same machine.
 * `--records N` sets how many (default a million); the other formats and connection counts run with a fifth of them. Then how
 * long an acknowledgement takes at a steady rate, for `--seconds N`; with `--records 0` only that.
 */
import { mkdtempSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withCommas } from '../packages/wire/src/text/counted.ts'
import { ndjsonBodies } from './benchmark-records.ts'
import { bareEngineRate } from './load-records.ts'
import { otlpBodies } from './otlp-bodies.ts'
import { settledBytes } from './query/filled.ts'
import { type BenchResult, figure, numberAfter, percentile, reached } from './result.ts'
import { NDJSON, post, sendAll } from './send.ts'
import { ServiceProcess, threadFigures } from './service-process.ts'

const RECORDS = 1_000_000
const RECORDS_PER_REQUEST = 1_000
const RATIO_BAR = 0.35
const DISK_BAR = 0.22
const STEADY_RECORDS_PER_SECOND = 20_000
const STEADY_SECONDS = 60
const STEADY_P99_BAR_MS = 50

export async function ingest(args: string[]): Promise<BenchResult[]> {
  const records = numberAfter(args, '--records') ?? RECORDS
  const throughput = records === 0 ? [] : await throughputs(records)
  return [...throughput, ...(await steady(numberAfter(args, '--seconds') ?? STEADY_SECONDS))]
}

async function throughputs(records: number): Promise<BenchResult[]> {
  const bodies = ndjsonBodies(records, RECORDS_PER_REQUEST)
  const results: BenchResult[] = []
  const bare = await bareEngineRate(bodies, mkdtempSync(join(tmpdir(), 'tidemark-bare-')))
  results.push(figure('bare engine, segments of 50,000', bare, 'records/s'))

  const main = await throughService('ndjson', bodies, 8, records)
  results.push(
    ...main.results,
    reached('ingest over HTTP against the bare engine', main.recordsPerSecond / bare, 'ratio', RATIO_BAR),
    figure('disk once merged, indexes included, against raw JSON', main.diskRatio, 'ratio', DISK_BAR),
  )

  const some = bodies.slice(0, Math.max(8, Math.floor(bodies.length / 5)))
  const someRecords = some.length * RECORDS_PER_REQUEST
  for (const connections of [1, 64])
    results.push(...(await throughService('ndjson', some, connections, someRecords)).results)
  const json = some.map((body) => Buffer.from(`[${body.toString().replaceAll('\n', ',')}]`))
  results.push(...(await throughService('json', json, 8, someRecords)).results)
  results.push(
    ...(await throughService('otlp protobuf', otlpBodies(someRecords, RECORDS_PER_REQUEST), 8, someRecords)).results,
  )
  return results
}

type Format = 'ndjson' | 'json' | 'otlp protobuf'
const CONTENT_TYPES: Record<Format, string> = {
  ndjson: NDJSON,
  json: 'application/json',
  'otlp protobuf': 'application/x-protobuf',
}

async function throughService(format: Format, bodies: Buffer[], connections: number, records: number) {
  const service = await ServiceProcess.start()
  try {
    const keys = service.createProject()
    const door = { url: service.url, key: keys.ingestKey, contentType: CONTENT_TYPES[format] }
    const before = service.usage()
    const rawBytes = bodies.reduce((sum, body) => sum + body.length, 0)
    const startedAt = performance.now()
    const latencies = await sendAll(door, bodies, connections)
    const acknowledgedSeconds = (performance.now() - startedAt) / 1_000
    await service.loaded(records, 20)
    const seconds = (performance.now() - startedAt) / 1_000
    const after = service.usage()
    const label = `${format}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`
    const diskRatio = (await settledBytes({ process: service, ...keys })) / rawBytes
    const perMillion = (cpuSeconds: number) => (cpuSeconds / records) * 1e6
    const results = [
      figure(`${label}: until searchable`, records / seconds, 'records/s'),
      figure(`${label}: raw`, rawBytes / seconds / 1e6, 'MB/s'),
      figure(`${label}: acknowledged`, records / acknowledgedSeconds, 'records/s'),
      figure(`${label}: acknowledgement p50`, percentile(latencies, 0.5), 'ms'),
      figure(`${label}: acknowledgement p99`, percentile(latencies, 0.99), 'ms'),
      figure(
        `${label}: service CPU of a million records`,
        perMillion(after.service.cpuSeconds - before.service.cpuSeconds),
        's',
      ),
      ...threadFigures(label, before.service, after.service, perMillion),
      figure(
        `${label}: engine CPU of a million records`,
        perMillion(after.engine.cpuSeconds - before.engine.cpuSeconds),
        's',
      ),
      figure(`${label}: service memory`, after.service.rssBytes / 1e6, 'MB'),
      figure(`${label}: engine memory`, after.engine.rssBytes / 1e6, 'MB'),
    ]
    return { recordsPerSecond: records / seconds, diskRatio, results }
  } finally {
    await service.stop()
  }
}

/** Open loop: a request is due at its time whether the ones before it were answered or not, and is timed from then. */
async function steady(seconds: number): Promise<BenchResult[]> {
  const perRequest = 200
  const everyMs = (perRequest / STEADY_RECORDS_PER_SECOND) * 1_000
  const bodies = ndjsonBodies(perRequest * 100, perRequest)
  const service = await ServiceProcess.start()
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  try {
    const door = { url: service.url, key: service.createProject().ingestKey, contentType: NDJSON }
    const latencies: number[] = []
    const count = Math.floor((seconds * 1_000) / everyMs)
    const startedAt = performance.now()
    const sent: Promise<void>[] = []
    for (let at = 0; at < count; at++) {
      const dueAt = startedAt + at * everyMs
      if (dueAt > performance.now()) await sleep(dueAt - performance.now())
      const body = bodies[at % bodies.length] ?? Buffer.alloc(0)
      sent.push(
        post(agent, door, body).then(() => {
          latencies.push(performance.now() - dueAt)
        }),
      )
    }
    await Promise.all(sent)
    const label = `at ${withCommas(STEADY_RECORDS_PER_SECOND)} records/s for ${seconds} s`
    return [
      figure(`acknowledgement p50 ${label}`, percentile(latencies, 0.5), 'ms'),
      figure(`acknowledgement p99 ${label}`, percentile(latencies, 0.99), 'ms', STEADY_P99_BAR_MS),
    ]
  } finally {
    agent.destroy()
    await service.stop()
  }
}
