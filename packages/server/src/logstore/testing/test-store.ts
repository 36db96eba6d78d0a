/**
 * The real embedded store, one for all test files of a worker: starting it takes longer than most of them use it. Each
 * file has its own projects; a test that damages the engine opens another one. It ends with the worker.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClickHouseClient, createClient } from '@clickhouse/client'
import { pino } from 'pino'
import { CLIENT_OPTIONS, createStore } from '../clickhouse-store.ts'
import { openEmbedded } from '../engine/open-embedded.ts'
import { findEngineRuntime } from '../engine/runtime.ts'
import type { EngineDeadlines } from '../engine/supervisor.ts'
import type { LogStore } from '../log-store.ts'
import { openServer } from '../open-server.ts'
import { CLUSTER, openEngineCluster } from './engine-cluster.ts'

export type TestStore = {
  store: LogStore
  /** Segments may be written here. */
  dataDir: string
  /** Bypasses the store, straight to the engine. */
  client: ClickHouseClient
  close(): Promise<void>
}

const runtime = findEngineRuntime()
/** Why there is no engine here, if so. */
export const missingEngine = typeof runtime === 'string' ? runtime : undefined

/** For beforeAll: on a busy machine an engine may take long to start. */
export const STORE_TIMEOUT_MS = 240_000

export const isClusterLayout = process.env.TIDEMARK_TEST_LAYOUT === 'cluster'
/**
 * With these only the counts per minute may answer. The shards of a cluster in one engine are told apart by columns that
 * those do not have; that a cluster uses its counts is tested with a single shard (cluster-engine.test.ts).
 */
export const ONLY_COUNTS_PER_MINUTE = isClusterLayout ? {} : { force_optimize_projection: 1 }

let opened: Promise<TestStore> | undefined

/** With `npm run test:cluster`, the layout of a cluster, as far as one engine can play it. */
export function testStore(): Promise<TestStore> {
  opened ??= isClusterLayout ? openClusterStore() : openTestStore({ startMs: 120_000, silenceMs: 60_000 })
  return opened
}

async function openClusterStore(): Promise<TestStore> {
  const { url, dataDir, close } = await openEngineCluster({ spread: 'records' })
  const store = createStore(await openServer({ url, cluster: CLUSTER }))
  const client = createClient({ ...CLIENT_OPTIONS, url, clickhouse_settings: { log_comment: '*' } })
  return { store, dataDir, client, close: () => client.close().then(store.close).then(close) }
}

/** A separate one, for a test that damages it. */
export async function openTestStore(deadlines?: EngineDeadlines): Promise<TestStore> {
  if (typeof runtime === 'string') throw new Error(runtime)
  const dataDir = mkdtempSync(join(tmpdir(), 'tidemark-store-'))
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  const store = createStore(
    await openEmbedded({ runtime, dataDir, log: pino({ level: 'silent' }), ...(deadlines && { deadlines }) }),
  )
  // Node's agent accepts a socket path although its type does not say so.
  const agent = new Agent({ keepAlive: true, maxSockets: 100, ...{ socketPath: engineSocket(dataDir) } })
  const client = createClient({ ...CLIENT_OPTIONS, url: 'http://engine', http_agent: agent })
  const close = async () => {
    await client.close()
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { store, dataDir, client, close }
}

export function engineSocket(dataDir: string): string {
  return join(dataDir, 'engine', 'engine.sock')
}
