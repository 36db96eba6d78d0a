/** The stores of several nodes, for tests that take one of them away: a PostgreSQL server and a log store reached over HTTP. */
import { CLUSTER, openEngineCluster } from '../../../packages/server/src/logstore/testing/engine-cluster.ts'
import { type Interpreter, openEnginePort } from '../../../packages/server/src/logstore/testing/engine-port.ts'
import { engineSocket, missingEngine, openTestStore } from '../../../packages/server/src/logstore/testing/test-store.ts'
import { postgresUnavailable, startPostgres, type TestPostgres } from '../../../packages/server/src/testing/postgres.ts'
import { PASSWORD } from '../clients/sign-in.ts'
import { atFileEnd } from '../file-end.ts'
import { temporaryFolder } from './processes.ts'
import { type Service, startService } from './service.ts'
import { SECRET_KEY, type StoreVariables, useStores } from './stores.ts'

export type NodeStores = {
  readonly variables: StoreVariables
  readonly postgres: Pick<TestPostgres, 'halt' | 'start'>
  /** Nothing listens at its address until `logStoreBack`. */
  logStoreAway(): void
  logStoreBack(): Promise<void>
  /** Of a cluster: the log store takes every other segment, and its answer never arrives. */
  loseAnswers(): void
  /** A node over these stores, with `owner@localhost` as its owner. */
  startNode(options?: { dataDir?: string; env?: Record<string, string>; until?: 'listening' }): Promise<Service>
  /** Ends the nodes and then the stores; at the end of the file it is done anyway. */
  close(): Promise<void>
}

/** Why they cannot be had here, if so. */
export const missingStores: string | undefined = missingEngine ?? postgresUnavailable()

/** Gone at the end of the file. With `isCluster`, in the layout of a ClickHouse cluster, which one engine plays. */
export async function openNodeStores({ isCluster = false } = {}): Promise<NodeStores> {
  const closing: (() => unknown)[] = []
  const close = async () => {
    opened.delete(close)
    for (const end of closing.splice(0).reverse()) await end()
  }
  opened.add(close)
  const postgres = await startPostgres()
  closing.push(() => postgres.stop())
  const { socketPath, interpreter, close: closeEngine } = await (isCluster ? clusterEngine() : singleEngine())
  closing.push(closeEngine)
  let port = await openEnginePort(socketPath, 0, interpreter)
  closing.push(() => port.close())
  const { url } = port
  const variables: StoreVariables = {
    TIDEMARK_DATABASE_URL: await postgres.createDatabase(),
    TIDEMARK_CLICKHOUSE_URL: url,
    TIDEMARK_SECRET_KEY: SECRET_KEY,
    ...(isCluster && { TIDEMARK_CLICKHOUSE_CLUSTER: CLUSTER }),
  }
  return {
    variables,
    postgres,
    logStoreAway: () => port.close(),
    async logStoreBack() {
      port = await openEnginePort(socketPath, Number(new URL(url).port), interpreter)
    },
    loseAnswers() {
      let inserts = 0
      if (interpreter) interpreter.isAnswerLost = (sql) => sql.startsWith('INSERT') && inserts++ % 2 === 0
    },
    async startNode({ dataDir = temporaryFolder(), env = {}, until } = {}) {
      useStores(dataDir, variables)
      const settings = { ...variables, TIDEMARK_OWNER_PASSWORD: PASSWORD, ...env }
      const node = await startService({ dataDir, env: settings, ...(until && { until }) })
      closing.push(() => node.stop('SIGKILL'))
      return node
    },
    close,
  }
}

type Engine = { socketPath: string; interpreter?: Interpreter; close(): Promise<void> }

async function singleEngine(): Promise<Engine> {
  const { dataDir, close } = await openTestStore({ startMs: 120_000, silenceMs: 60_000 })
  return { socketPath: engineSocket(dataDir), close }
}

function clusterEngine(): Promise<Engine> {
  return openEngineCluster({ spread: 'segments' })
}

const opened = new Set<() => Promise<void>>()
atFileEnd(async () => {
  for (const close of opened) await close()
})
