/**
 * What a thread that encodes pays for a record, without the network, the disk and the engine: processor time, memory on
 * the heap and the share of garbage collection, for each format. The plain path encodes the same bodies in turns with the
 * one that the service takes; the ratio of both is what a noisy machine cannot change. `--rounds N` sets how often, and
 * `--format NAME` which. Microseconds of a record are seconds of a million; `bench -- ingest` tells those of the whole
 * service. Three of a hundred sample records are errors with a stack, which cost as much as ten others; OTLP has none.
 */
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { encodeBatch } from '../packages/server/src/ingest/encode/encode-batch.ts'
import { SequenceSource } from '../packages/server/src/logstore/schema/log-id.ts'
import { NO_REDACTION_CHANGES } from '../packages/server/src/redaction/settings.ts'
import { BenchmarkRecords } from './benchmark-records.ts'
import { otlpBodies, otlpJsonBodies } from './otlp-bodies.ts'
import { type BenchResult, figure, numberAfter, percentile, textAfter } from './result.ts'

const RECORDS_PER_BODY = 1_000
const BODIES = 20
const WARM_UP_ROUNDS = 5
const ROUNDS = 15
const REPORTED_AFTER_MS = 50

type Format = { name: string; contentType: string; bodies: Buffer[] }
type Way = 'plain' | 'fast'

export async function encode(args: string[]): Promise<BenchResult[]> {
  const rounds = numberAfter(args, '--rounds') ?? ROUNDS
  const results: BenchResult[] = []
  const only = textAfter(args, '--format')
  for (const format of formats())
    if (only === undefined || only === format.name) results.push(...(await measure(format, rounds)))
  return results
}

function formats(): Format[] {
  const records = new BenchmarkRecords()
  const count = BODIES * RECORDS_PER_BODY
  const all = Array.from({ length: 2 * count }, () => records.next())
  const texts = bodiesOf(all.slice(0, count))
  const withoutErrors = bodiesOf(all.filter(({ level }) => level !== 'error').slice(0, count))
  return [
    {
      name: 'ndjson',
      contentType: 'application/x-ndjson',
      bodies: texts.map((lines) => Buffer.from(lines.join('\n'))),
    },
    {
      name: 'ndjson without errors',
      contentType: 'application/x-ndjson',
      bodies: withoutErrors.map((lines) => Buffer.from(lines.join('\n'))),
    },
    { name: 'json', contentType: 'application/json', bodies: texts.map((items) => Buffer.from(`[${items.join()}]`)) },
    {
      name: 'json in logs',
      contentType: 'application/json',
      bodies: texts.map((items) => Buffer.from(`{"logs":[${items.join()}]}`)),
    },
    { name: 'otlp json', contentType: 'application/json', bodies: otlpJsonBodies(count, RECORDS_PER_BODY) },
    { name: 'otlp protobuf', contentType: 'application/x-protobuf', bodies: otlpBodies(count, RECORDS_PER_BODY) },
  ]
}

function bodiesOf(records: readonly object[]): string[][] {
  return Array.from({ length: BODIES }, (_, body) =>
    records.slice(body * RECORDS_PER_BODY, (body + 1) * RECORDS_PER_BODY).map((record) => JSON.stringify(record)),
  )
}

async function measure(format: Format, rounds: number): Promise<BenchResult[]> {
  const ways: Way[] = ['plain', 'fast']
  const costs = { plain: [] as number[], fast: [] as number[] }
  const spans: { way: Way; start: number; end: number }[] = []
  const collections: PerformanceEntry[] = []
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()))
  observer.observe({ entryTypes: ['gc'] })
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    for (const way of ways) {
      const start = performance.now()
      const started = process.cpuUsage()
      encodeAll(format, way)
      const { user, system } = process.cpuUsage(started)
      if (round < 0) continue
      costs[way].push((user + system) / (BODIES * RECORDS_PER_BODY))
      spans.push({ way, start, end: performance.now() })
    }
    // Collections are reported later than they happen, also after the other way has begun: their time says whose they are.
    await nextTurn()
  }
  await sleep(REPORTED_AFTER_MS)
  observer.disconnect()
  const collecting = (way: Way) =>
    spans
      .filter((span) => span.way === way)
      .flatMap(({ start, end }) => collections.filter(({ startTime }) => startTime >= start && startTime < end))
      .reduce((sum, { duration }) => sum + duration, 0)
  const [plain, fast] = ways.map((way) => percentile(costs[way], 0.5)) as [number, number]
  const totalMs = (way: Way) => (costs[way].reduce((sum, cost) => sum + cost, 0) * BODIES * RECORDS_PER_BODY) / 1_000
  return [
    ...ways.flatMap((way) => [
      figure(`${format.name}, ${way}: processor time of a record`, percentile(costs[way], 0.5), 'µs'),
      figure(`${format.name}, ${way}: heap of a record`, heapOfRecord(format, way), 'bytes'),
      figure(`${format.name}, ${way}: garbage collection`, (collecting(way) / totalMs(way)) * 100, '%'),
    ]),
    figure(`${format.name}: fast against plain`, fast / plain, 'ratio'),
  ]
}

const sequence = new SequenceSource()

function encodeAll({ contentType, bodies }: Pick<Format, 'contentType' | 'bodies'>, way: Way): void {
  for (const body of bodies) {
    const { accepted } = encodeBatch(
      {
        body,
        contentType,
        contentEncoding: '',
        receivedUs: Date.now() * 1_000,
        projectId: 'prj_bench',
        project: { defaultEnvironment: 'production', retentionDays: 30 },
        redaction: NO_REDACTION_CHANGES,
      },
      sequence,
      { fast: way === 'fast' },
    )
    if (accepted !== RECORDS_PER_BODY) throw new Error(`only ${accepted} records were accepted`)
  }
}

/**
 * From one body to the next, both after one collection: the young generation holds that much. The first body after a
 * collection counts for more than it allocates, so it is left out.
 */
function heapOfRecord(format: Format, way: Way): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const [first, ...others] = format.bodies.slice(0, 8)
  const samples = others.map((body) => {
    collect()
    encodeAll({ ...format, bodies: [first!] }, way)
    const before = process.memoryUsage().heapUsed
    encodeAll({ ...format, bodies: [body] }, way)
    return (process.memoryUsage().heapUsed - before) / RECORDS_PER_BODY
  })
  return percentile(samples, 0.5)
}
