/**
 * How soon an acknowledged error is part of an analysis while many errors of many kinds arrive, compared with how soon
 * the same error can be searched, in the same run. Probes of a separate kind are sent into the load, one by one.
 * `--errors N` (default 200,000), `--kinds N` (1,000) and `--rate N` errors a second (10,000) make it smaller.
 */
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { RETRYABLE_STATUSES, retryAfterMs } from '../packages/wire/src/retryable.ts'
import { type BenchResult, figure, numberAfter, percentile } from './result.ts'
import { NDJSON, post } from './send.ts'
import { ServiceProcess } from './service-process.ts'

const ERRORS = 200_000
const KINDS = 1_000
const RATE = 10_000
const ERRORS_PER_REQUEST = 200
const VISIBLE_P95_BAR_MS = 5_000
/** Each query that finds nothing yet is work for the engine too. */
const ASK_EVERY_MS = 250
const PROBE_EVERY_MS = 250

const agent = new Agent({ keepAlive: true })

type Keys = { ingestKey: string; readKey: string }
type Probe = { searchableMs: number; analysedMs: number }

export async function analysis(args: string[]): Promise<BenchResult[]> {
  const errors = numberAfter(args, '--errors') ?? ERRORS
  const kinds = numberAfter(args, '--kinds') ?? KINDS
  const rate = numberAfter(args, '--rate') ?? RATE
  const service = await ServiceProcess.start()
  try {
    const keys = service.createProject()
    const startedAt = performance.now()
    const state = { isLoading: true }
    const probing = probe(service.url, keys, state)
    await load(service.url, keys, { errors, kinds, rate })
    state.isLoading = false
    const probes = await probing
    const all = errors + probes.length
    while ((await service.metric('tidemark_analysis_errors_total')) < all) await sleep(ASK_EVERY_MS)
    const seconds = (performance.now() - startedAt) / 1_000
    const label = `${errors} errors of ${kinds} kinds at ${rate}/s`
    const analysed = probes.map(({ analysedMs }) => analysedMs)
    const p95 = percentile(analysed, 0.95)
    const searchable = percentile(
      probes.map(({ searchableMs }) => searchableMs),
      0.95,
    )
    return [
      figure(`${label}: acknowledged to searchable p95`, searchable, 'ms'),
      figure(`${label}: acknowledged to analysis p50`, percentile(analysed, 0.5), 'ms'),
      figure(`${label}: acknowledged to analysis p95`, p95, 'ms', VISIBLE_P95_BAR_MS),
      figure(`${label}: analysis against searchable, p95`, p95 / searchable, 'ratio'),
      figure(`${label}: counted, from first sent to last counted`, all / seconds, 'errors/s'),
    ]
  } finally {
    await service.stop()
  }
}

/** Open loop: a request is due at its time whether those before it were answered or not. */
async function load(
  url: string,
  { ingestKey }: Keys,
  { errors, kinds, rate }: { errors: number; kinds: number; rate: number },
): Promise<void> {
  const startedAt = performance.now()
  const sent: Promise<void>[] = []
  for (let first = 0; first < errors; first += ERRORS_PER_REQUEST) {
    const dueAt = startedAt + (first / rate) * 1_000
    if (dueAt > performance.now()) await sleep(dueAt - performance.now())
    const count = Math.min(ERRORS_PER_REQUEST, errors - first)
    sent.push(
      send(
        url,
        ingestKey,
        Array.from({ length: count }, (_, n) => failure(`Kind${(first + n) % kinds}Error`)),
      ),
    )
  }
  await Promise.all(sent)
}

async function probe(url: string, { ingestKey, readKey }: Keys, state: { isLoading: boolean }): Promise<Probe[]> {
  const probes: Probe[] = []
  while (state.isLoading || probes.length === 0) {
    const kind = `Probe${probes.length}xError`
    await send(url, ingestKey, [failure(kind)])
    const acknowledgedAt = performance.now()
    const until = async (path: string, isThere: (body: Answer) => boolean) => {
      while (!isThere(await read(url, readKey, path))) await sleep(ASK_EVERY_MS)
      return performance.now() - acknowledgedAt
    }
    const [searchableMs, analysedMs] = await Promise.all([
      until(`/api/logs?query=error.type:${kind}&from=-1h&limit=1`, ({ rows }) => (rows?.length ?? 0) > 0),
      until(
        `/api/analyses?query=${kind}&from=-1h&limit=1&sort=lastSeen`,
        ({ analyses }) => (analyses?.length ?? 0) > 0,
      ),
    ])
    probes.push({ searchableMs, analysedMs })
    await sleep(PROBE_EVERY_MS)
  }
  return probes
}

function failure(type: string): string {
  const message = 'the order could not be paid'
  const stack = `${type}: ${message}\n    at pay (/srv/shop/${type}.js:10:5)\n    at order (/srv/shop/order.js:3:1)`
  return JSON.stringify({ level: 'error', service: 'shop', environment: 'production', error: { type, message, stack } })
}

function send(url: string, key: string, lines: string[]): Promise<void> {
  return post(agent, { url, key, contentType: NDJSON }, Buffer.from(lines.join('\n')))
}

type Answer = { rows?: unknown[]; analyses?: unknown[] }

async function read(url: string, key: string, path: string): Promise<Answer> {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
  const body = (await response.json()) as Answer
  if (response.status === 200) return body
  if (!RETRYABLE_STATUSES.includes(response.status)) throw new Error(JSON.stringify(body))
  await sleep(retryAfterMs(response.headers.get('retry-after')) ?? 1_000)
  return {}
}
