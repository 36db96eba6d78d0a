/**
 * What it holds for minutes on end: records of the moment as fast as eight connections can send them, with questions beside
 * them. `--minutes N` (default 30). Each minute prints a line; at the end every record that was acknowledged is counted.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { keepSending } from './keep-sending.ts'
import { askApi, type Filled, rowsOf } from './query/ask.ts'
import { type BenchResult, figure, numberAfter, percentile, share } from './result.ts'
import { NDJSON } from './send.ts'
import { folderBytes, ServiceProcess, threadFigures, type Usage } from './service-process.ts'
import { timed } from './side-by-side.ts'

const MINUTES = 30
const ASK_EVERY_MS = 1_000
const QUESTION = '/api/logs?limit=100'

type Minute = {
  recordsPerSecond: number
  p99: number
  read: number
  parts: number
  merges: number
  waitingBytes: number
}

export async function sustained(args: string[]): Promise<BenchResult[]> {
  const minutes = numberAfter(args, '--minutes') ?? MINUTES
  const process = await ServiceProcess.start()
  try {
    const service: Filled = { process, ...process.createProject() }
    return await underLoad(service, minutes)
  } finally {
    await process.stop()
  }
}

async function underLoad(service: Filled, minutes: number): Promise<BenchResult[]> {
  const { process } = service
  const load = keepSending({ url: process.url, key: service.ingestKey, contentType: NDJSON })
  const reads: number[] = []
  const before = process.usage()
  const lines: Minute[] = []
  const startedAt = performance.now()
  let loaded = await process.metric('tidemark_flusher_loaded_records_total')
  for (let minute = 1; minute <= minutes; minute++) {
    const read: number[] = []
    const minuteAt = performance.now()
    while (performance.now() < startedAt + minute * 60_000) {
      const [took = 0] = await timed(1, () => askApi(service, QUESTION))
      read.push(took)
      await sleep(ASK_EVERY_MS)
    }
    const loadedNow = await process.metric('tidemark_flusher_loaded_records_total')
    const seconds = (performance.now() - minuteAt) / 1_000
    const line = {
      recordsPerSecond: (loadedNow - loaded) / seconds,
      p99: percentile(load.takeLatencies(), 0.99),
      read: percentile(read, 0.5),
      waitingBytes: await process.metric('tidemark_spool_bytes'),
      ...(await engineWork(service)),
    }
    loaded = loadedNow
    reads.push(...read)
    lines.push(line)
    console.log(`  ${describe(minute, line)}`)
  }
  const { acknowledged, latencies } = await load.stop()
  await process.loaded(acknowledged)
  const seconds = (performance.now() - startedAt) / 1_000
  const after = process.usage()
  const disk = folderBytes(`${process.dataDir}/engine/database`) / acknowledged
  const { total } = (await askApi(service, '/api/logs/count?from=-7d')) as { total: number }
  const rates = lines.map(({ recordsPerSecond }) => recordsPerSecond)
  const perMillion = (cpuSeconds: number) => (cpuSeconds / acknowledged) * 1e6
  return [
    figure(`sustained for ${minutes} min: until searchable`, acknowledged / seconds, 'records/s'),
    figure('sustained: slowest minute', Math.min(...rates), 'records/s'),
    figure('sustained: last minute against the first', (rates.at(-1) ?? 0) / (rates[0] ?? 1), 'ratio'),
    figure('sustained: acknowledgement p99', percentile(latencies, 0.99), 'ms'),
    figure('sustained: newest 100 beside it, p50', percentile(reads, 0.5), 'ms'),
    figure('sustained: newest 100 beside it, p95', percentile(reads, 0.95), 'ms'),
    figure('sustained: service CPU of a million records', perMillion(cpuBetween(before.service, after.service)), 's'),
    ...threadFigures('sustained', before.service, after.service, perMillion),
    figure('sustained: engine CPU of a million records', perMillion(cpuBetween(before.engine, after.engine)), 's'),
    figure('sustained: service memory', after.service.rssBytes / 1e6, 'MB'),
    figure('sustained: engine memory', after.engine.rssBytes / 1e6, 'MB'),
    figure('sustained: most parts at the end of a minute', Math.max(...lines.map(({ parts }) => parts)), 'parts'),
    figure('sustained: disk of a record right after', disk, 'bytes'),
    share('sustained: acknowledged records that are found', total, acknowledged, 100),
    figure('sustained: records found that were not acknowledged', Math.max(0, total - acknowledged), 'records', 0),
  ]
}

async function engineWork(service: Filled): Promise<Pick<Minute, 'parts' | 'merges'>> {
  const [row] = await rowsOf<{ parts: string; merges: string }>(
    service,
    'SELECT (SELECT count() FROM system.parts WHERE active) AS parts, (SELECT count() FROM system.merges) AS merges',
  )
  return { parts: Number(row?.parts), merges: Number(row?.merges) }
}

function describe(minute: number, { recordsPerSecond, p99, read, parts, merges, waitingBytes }: Minute): string {
  return [
    `minute ${minute}:`,
    `${Math.round(recordsPerSecond)} records/s,`,
    `acknowledged in ${Math.round(p99)} ms (p99),`,
    `newest 100 in ${Math.round(read)} ms,`,
    `${parts} parts, ${merges} merges,`,
    `${(waitingBytes / 1e6).toFixed(1)} MB waiting`,
  ].join(' ')
}

function cpuBetween(before: Usage, after: Usage): number {
  return after.cpuSeconds - before.cpuSeconds
}
