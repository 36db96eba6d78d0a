/**
 * What a thread that encodes pays for a record, without the network, the disk and the engine: processor time, memory on
 * the heap and the share of garbage collection, for each format. The plain path encodes the same bodies in turns with the
 * one that the service takes; the ratio of both is what a noisy machine cannot change. `--rounds N` sets how often.
 */
import { PerformanceObserver } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { BenchmarkRecords } from '../packages/demo/src/shop/benchmark-records.ts'
import { encodeBatch } from '../packages/server/src/ingest/encode/encode-batch.ts'
import { SequenceSource } from '../packages/server/src/logstore/schema/log-id.ts'
import { NO_REDACTION_CHANGES } from '../packages/server/src/redaction/settings.ts'
import { otlpBodies, otlpJsonBodies } from './otlp-bodies.ts'
import { type BenchResult, figure, numberAfter, percentile } from './result.ts'

const RECORDS_PER_BODY = 1_000
const BODIES = 20
const WARM_UP_ROUNDS = 5
const ROUNDS = 15

type Format = { name: string; contentType: string; bodies: Buffer[] }
type Way = 'plain' | 'fast'

export async function encode(args: string[]): Promise<BenchResult[]> {
  const rounds = numberAfter(args, '--rounds') ?? ROUNDS
  const results: BenchResult[] = []
  for (const format of formats()) results.push(...(await measure(format, rounds)))
  return results
}

function formats(): Format[] {
  const records = new BenchmarkRecords()
  const texts = Array.from({ length: BODIES }, () =>
    Array.from({ length: RECORDS_PER_BODY }, () => JSON.stringify(records.next())),
  )
  const count = BODIES * RECORDS_PER_BODY
  return [
    {
      name: 'ndjson',
      contentType: 'application/x-ndjson',
      bodies: texts.map((lines) => Buffer.from(lines.join('\n'))),
    },
    { name: 'json', contentType: 'application/json', bodies: texts.map((items) => Buffer.from(`[${items.join()}]`)) },
    { name: 'otlp json', contentType: 'application/json', bodies: otlpJsonBodies(count, RECORDS_PER_BODY) },
    { name: 'otlp protobuf', contentType: 'application/x-protobuf', bodies: otlpBodies(count, RECORDS_PER_BODY) },
  ]
}

async function measure(format: Format, rounds: number): Promise<BenchResult[]> {
  const ways: Way[] = ['plain', 'fast']
  const costs = { plain: [] as number[], fast: [] as number[] }
  const collecting = { plain: 0, fast: 0 }
  const collections = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collecting[current] += duration
  })
  let current: Way = 'plain'
  collections.observe({ entryTypes: ['gc'] })
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    for (const way of ways) {
      current = way
      const started = process.cpuUsage()
      encodeAll(format, way)
      const { user, system } = process.cpuUsage(started)
      // Collections are reported a turn later.
      await nextTurn()
      if (round >= 0) costs[way].push((user + system) / (BODIES * RECORDS_PER_BODY))
      else collecting[way] = 0
    }
  }
  collections.disconnect()
  const [plain, fast] = ways.map((way) => percentile(costs[way], 0.5)) as [number, number]
  const totalMs = (way: Way) => (costs[way].reduce((sum, cost) => sum + cost, 0) * BODIES * RECORDS_PER_BODY) / 1_000
  return [
    ...ways.flatMap((way) => [
      figure(`${format.name}, ${way}: processor time of a record`, percentile(costs[way], 0.5), 'µs'),
      figure(`${format.name}, ${way}: heap of a record`, heapOfRecord(format, way), 'bytes'),
      figure(`${format.name}, ${way}: garbage collection`, (collecting[way] / totalMs(way)) * 100, '%'),
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

/** Of one body, from one collection to the next: the young generation holds that much. */
function heapOfRecord(format: Format, way: Way): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const samples = format.bodies.slice(0, 5).map((body) => {
    collect()
    const before = process.memoryUsage().heapUsed
    encodeAll({ ...format, bodies: [body] }, way)
    return (process.memoryUsage().heapUsed - before) / RECORDS_PER_BODY
  })
  return percentile(samples, 0.5)
}
