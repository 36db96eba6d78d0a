/**
 * Two nodes against one, over the same PostgreSQL and the same log store, in turns within one run, as ratios: how many records a
 * second are acknowledged, how many become searchable, and how many times a second the newest 100 are answered. All of it
 * shares the cores of one machine, the stores and the senders too, so the ratios say what a second node costs there; what it
 * brings on a machine of its own they do not. `--records N` sets how many in each turn, `--rounds N` how many turns.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { openEnginePort } from '../packages/server/src/logstore/testing/engine-port.ts'
import { engineSocket, openTestStore } from '../packages/server/src/logstore/testing/test-store.ts'
import { startPostgres } from '../packages/server/src/testing/postgres.ts'
import { ndjsonBodies } from './benchmark-records.ts'
import { type BenchResult, figure, median, numberAfter } from './result.ts'
import { NDJSON, sendAll } from './send.ts'
import { ServiceProcess } from './service-process.ts'

/** For many seconds: the second that a node rests after a large load would decide a shorter turn. */
const RECORDS = 400_000
const ROUNDS = 3
const RECORDS_PER_REQUEST = 1_000
/** Of all nodes together. */
const CONNECTIONS = 8
const QUESTIONS = 100
const ASK_FOR_LOADED_EVERY_MS = 100

type Rates = { acknowledged: number; searchable: number; newest: number }
type Keys = { ingestKey: string; readKey: string }

export async function nodes(args: string[]): Promise<BenchResult[]> {
  const records = numberAfter(args, '--records') ?? RECORDS
  const rounds = numberAfter(args, '--rounds') ?? ROUNDS
  const postgres = await startPostgres()
  const engine = await openTestStore({ startMs: 120_000, silenceMs: 60_000 })
  const port = await openEnginePort(engineSocket(engine.dataDir))
  const stores = {
    TIDEMARK_DATABASE_URL: await postgres.createDatabase(),
    TIDEMARK_CLICKHOUSE_URL: port.url,
    TIDEMARK_SECRET_KEY: 'the same secret key on every node',
    TIDEMARK_MCP_CALLS_PER_MINUTE: '1000000',
    TIDEMARK_MCP_CALLS_AT_ONCE: '1000',
  }
  const started: ServiceProcess[] = []
  try {
    for (let node = 0; node < 2; node++) started.push(await ServiceProcess.start(undefined, stores))
    const keys = started[0]!.createProject()
    const one: Rates[] = []
    const two: Rates[] = []
    // The first round warms up, and is not counted.
    for (let round = 0; round <= rounds; round++) {
      const alone = await turn(started.slice(0, 1), keys, records, 2 * round + 1)
      const both = await turn(started, keys, records, 2 * round + 2)
      if (round === 0) continue
      one.push(alone)
      two.push(both)
    }
    return (['acknowledged', 'searchable', 'newest'] as const).flatMap((what) => resultsOf(what, one, two))
  } finally {
    for (const service of started) await service.stop()
    port.close()
    await engine.close()
    await postgres.stop()
  }
}

async function turn(services: readonly ServiceProcess[], keys: Keys, records: number, seed: number): Promise<Rates> {
  const bodies = ndjsonBodies(records, RECORDS_PER_REQUEST, seed)
  const before = await loadedBy(services)
  const startedAt = performance.now()
  const each = CONNECTIONS / services.length
  await Promise.all(
    services.map(({ url }, index) => {
      const part = bodies.filter((_, at) => at % services.length === index)
      return sendAll({ url, key: keys.ingestKey, contentType: NDJSON }, part, each)
    }),
  )
  const acknowledged = perSecond(records, startedAt)
  while ((await loadedBy(services)) < before + records) await sleep(ASK_FOR_LOADED_EVERY_MS)
  const searchable = perSecond(records, startedAt)
  return { acknowledged, searchable, newest: await newest(services, keys) }
}

async function newest(services: readonly ServiceProcess[], { readKey }: Keys): Promise<number> {
  const startedAt = performance.now()
  let asked = 0
  const client = async () => {
    for (let at = asked++; at < QUESTIONS; at = asked++) {
      const { url } = services[at % services.length]!
      const response = await fetch(`${url}/api/logs?from=-1h&limit=100`, {
        headers: { authorization: `Bearer ${readKey}` },
      })
      if (!response.ok) throw new Error(`the newest 100 were answered with ${response.status}`)
      await response.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  return perSecond(QUESTIONS, startedAt)
}

function resultsOf(what: keyof Rates, one: Rates[], two: Rates[]): BenchResult[] {
  const middle = (rates: Rates[]) => median(rates.map((rate) => rate[what]))
  const { name, unit } = WORDS[what]
  return [
    figure(`one node: ${name}`, middle(one), unit),
    figure(`two nodes: ${name}`, middle(two), unit),
    figure(`two nodes against one: ${name}`, middle(two) / middle(one), 'ratio'),
  ]
}

const WORDS: Record<keyof Rates, { name: string; unit: string }> = {
  acknowledged: { name: 'acknowledged', unit: 'records/s' },
  searchable: { name: 'searchable', unit: 'records/s' },
  newest: { name: 'newest 100', unit: 'answers/s' },
}

async function loadedBy(services: readonly ServiceProcess[]): Promise<number> {
  let sum = 0
  for (const service of services) sum += await service.metric('tidemark_flusher_loaded_records_total')
  return sum
}

function perSecond(count: number, startedAt: number): number {
  return count / ((performance.now() - startedAt) / 1_000)
}
