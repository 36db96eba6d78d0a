/**
 * How long questions take over HTTP and MCP, each beside the bare SQL that answers the same question, asked of the same
 * engine in the same run, turn by turn. `--records N` (default a million and ten million), `--rounds N`.
 */
import { request } from 'node:http'
import { join } from 'node:path'
import { ndjsonBodies } from '../packages/cli/src/shop/benchmark-records.ts'
import { loadRecords } from './load-records.ts'
import type { BenchResult } from './result.ts'
import { ServiceProcess } from './service-process.ts'

const SIZES = [1_000_000, 10_000_000]
const ROUNDS = 20
const RATIO_BAR = 1.5
const MCP_BAR = 2.5
const BUSY_BAR = 3
const GROWTH_BAR = 1.5
const BUSY_RECORDS_PER_SECOND = 20_000

type Question = { name: string; path: string; sql: string; bar: number | null }
type Times = { p50: number; p95: number; first: number }

const DAY = 'time >= now64(6) - INTERVAL 1 DAY'
const NEWEST = 'ORDER BY time DESC, seq DESC LIMIT 100'
const ROW =
  'time, seq, level, environment, service, host, logger, release, message, attributes, error_type, error_message, error_stack, trace_id, span_id, pattern, fingerprint'

function questions(project: string): Question[] {
  const from = (where: string) => `FROM logs WHERE project = '${project}' AND ${where}`
  return [
    {
      name: 'newest 100 in 24 h',
      path: '/api/logs?limit=100',
      sql: `SELECT ${ROW} ${from(DAY)} ${NEWEST}`,
      bar: RATIO_BAR,
    },
    {
      name: 'newest 100 of a service at error',
      path: '/api/logs?limit=100&query=service:checkout%20level:error',
      sql: `SELECT ${ROW} ${from(`${DAY} AND service = 'checkout' AND level = 'error'`)} ${NEWEST}`,
      bar: null,
    },
    {
      name: 'token search, newest 100',
      path: '/api/logs?limit=100&query=checkout',
      sql: `SELECT ${ROW} ${from(`${DAY} AND hasAllTokens(words, ['checkout'])`)} ${NEWEST}`,
      bar: RATIO_BAR,
    },
    {
      name: 'substring search, newest 100',
      path: '/api/logs?limit=100&query=*eckou*',
      sql: `SELECT ${ROW} ${from(`${DAY} AND message ILIKE '%eckou%'`)} ${NEWEST}`,
      bar: null,
    },
    {
      name: 'regex search, newest 100',
      path: '/api/logs?limit=100&query=/order%20%5B0-9a-f%5D%7B4%7D/',
      sql: `SELECT ${ROW} ${from(`${DAY} AND match(message, 'order [0-9a-f]{4}')`)} ${NEWEST}`,
      bar: null,
    },
    {
      name: '24 h histogram by level',
      path: '/api/logs/count?bucket=15m&groupBy=level',
      sql: `SELECT toStartOfInterval(toStartOfMinute(time), INTERVAL 15 MINUTE) AS bucket, level, count() ${from(DAY)} GROUP BY bucket, level`,
      bar: RATIO_BAR,
    },
    {
      name: '30 d histogram by level',
      path: '/api/logs/count?bucket=6h&groupBy=level&from=-30d',
      sql: `SELECT toStartOfInterval(toStartOfMinute(time), INTERVAL 6 HOUR) AS bucket, level, count() ${from('time >= now64(6) - INTERVAL 30 DAY')} GROUP BY bucket, level`,
      bar: null,
    },
    {
      name: 'values of a field',
      path: '/api/logs/fields?name=service',
      sql: `SELECT service, count() FROM (SELECT service ${from(DAY)} ORDER BY time DESC LIMIT 20000) GROUP BY service ORDER BY 2 DESC`,
      bar: null,
    },
  ]
}

export async function query(args: string[]): Promise<BenchResult[]> {
  const records = numberAfter(args, '--records')
  const rounds = numberAfter(args, '--rounds') ?? ROUNDS
  const results: BenchResult[] = []
  const growth = new Map<string, number[]>()
  for (const size of records === undefined ? SIZES : [records]) {
    const service = await filled(size)
    try {
      results.push(...(await atSize(service, size, rounds, growth)))
    } finally {
      await service.process.stop()
    }
  }
  for (const [name, [small = 0, large]] of growth) {
    if (large !== undefined) results.push(ratio(`${name}: ten times the records`, large / small, GROWTH_BAR))
  }
  return results
}

type Filled = { process: ServiceProcess; projectId: string; ingestKey: string; readKey: string }

async function filled(records: number): Promise<Filled> {
  const empty = await ServiceProcess.start()
  const keys = empty.createProject()
  await empty.stop({ keepData: true })
  await loadRecords(empty.dataDir, keys.projectId, records)
  return { process: await ServiceProcess.start(empty.dataDir), ...keys }
}

async function atSize(
  service: Filled,
  size: number,
  rounds: number,
  growth: Map<string, number[]>,
): Promise<BenchResult[]> {
  const label = `${size.toLocaleString('en-US')} records`
  const results: BenchResult[] = []
  const quiet = new Map<string, Times>()
  for (const question of questions(service.projectId)) {
    const { ours, bare } = await sideBySide(
      rounds,
      () => askApi(service, question.path),
      () => askEngine(service, question.sql),
    )
    quiet.set(question.name, ours)
    growth.set(question.name, [...(growth.get(question.name) ?? []), ours.p50])
    results.push(
      ...figures(`${label}, ${question.name}`, ours, bare),
      ratio(`${label}, ${question.name}: p95 against bare SQL`, ours.p95 / bare.p95, question.bar),
    )
  }
  const [newest] = questions(service.projectId)
  const mcp = await sideBySide(
    rounds,
    () => askMcp(service),
    () => askEngine(service, newest?.sql ?? ''),
  )
  results.push(
    ...figures(`${label}, MCP list_logs`, mcp.ours, mcp.bare),
    ratio(`${label}, MCP list_logs: p95 against its query`, mcp.ours.p95 / mcp.bare.p95, MCP_BAR),
  )

  const load = startLoad(service)
  for (const { name, path } of questions(service.projectId).filter(({ bar }) => bar !== null)) {
    const busy = summary(await timed(rounds, () => askApi(service, path)))
    results.push(
      ratio(
        `${label}, ${name}: p95 at 20,000 records/s against quiet`,
        busy.p95 / (quiet.get(name)?.p95 ?? 1),
        BUSY_BAR,
      ),
    )
  }
  await load.stop()
  return results
}

/** One of ours, one of theirs, and so on: a noisy machine hurts both alike. The first of each is the cold one. */
async function sideBySide(
  rounds: number,
  ours: () => Promise<void>,
  bare: () => Promise<void>,
): Promise<{ ours: Times; bare: Times }> {
  const times = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    times.bare.push(...(await timed(1, bare)))
    times.ours.push(...(await timed(1, ours)))
  }
  return { ours: summary(times.ours), bare: summary(times.bare) }
}

async function timed(rounds: number, ask: () => Promise<void>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now()
    await ask()
    times.push(performance.now() - startedAt)
  }
  return times
}

function summary([first = 0, ...rest]: number[]): Times {
  const sorted = (rest.length > 0 ? rest : [first]).sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { first, p50: at(0.5), p95: at(0.95) }
}

async function askApi({ process, readKey }: Filled, path: string): Promise<void> {
  const response = await fetch(`${process.url}${path}`, { headers: { authorization: `Bearer ${readKey}` } })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
}

async function askMcp({ process, readKey }: Filled): Promise<void> {
  const response = await fetch(`${process.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${readKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_logs', arguments: { limit: 100 } },
    }),
  })
  const text = await response.text()
  if (!response.ok || text.includes('"isError":true')) throw new Error(`list_logs answered ${response.status}: ${text}`)
}

function askEngine({ process }: Filled, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { socketPath: join(process.dataDir, 'engine/engine.sock'), path: '/', method: 'POST' },
      (response) => {
        response
          .resume()
          .on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(`the engine refused: ${sql}`))))
      },
    )
    asked.on('error', reject)
    asked.end(`${sql} FORMAT JSONEachRow`)
  })
}

function startLoad({ process, ingestKey }: Filled): { stop(): Promise<void> } {
  const perRequest = 500
  const bodies = ndjsonBodies(perRequest * 20, perRequest)
  let sent = 0
  const running = new Set<Promise<unknown>>()
  const timer = setInterval(
    () => {
      const sending = fetch(`${process.url}/v1/logs`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ingestKey}`, 'content-type': 'application/x-ndjson' },
        body: new Uint8Array(bodies[sent++ % bodies.length] ?? []),
      })
        .then((response) => response.arrayBuffer())
        .catch(() => {})
        .finally(() => running.delete(sending))
      running.add(sending)
    },
    (perRequest / BUSY_RECORDS_PER_SECOND) * 1_000,
  )
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(running)
    },
  }
}

function figures(name: string, ours: Times, bare: Times): BenchResult[] {
  const figure = (what: string, value: number) => ({
    name: `${name}: ${what}`,
    value,
    unit: 'ms',
    bar: null,
    holds: null,
  })
  return [
    figure('p50', ours.p50),
    figure('p95', ours.p95),
    figure('first', ours.first),
    figure('bare p50', bare.p50),
    figure('bare p95', bare.p95),
    figure('bare first', bare.first),
  ]
}

function ratio(name: string, value: number, bar: number | null): BenchResult {
  return { name, value, unit: 'ratio', bar, holds: bar === null ? null : value <= bar }
}

function numberAfter(args: string[], option: string): number | undefined {
  const at = args.indexOf(option)
  return at === -1 ? undefined : Number(args[at + 1])
}
