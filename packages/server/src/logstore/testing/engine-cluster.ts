/**
 * A cluster as far as one embedded engine can play it: two shards that are the same table, of which each sees the segments
 * that belong to it, behind a real Distributed table; the user, the grants and the row policy that are packaged. There is
 * no second process: no replicas, no Keeper but one in memory, no DDL on a cluster. What needs those is put in other words
 * before the engine is asked, and heard as it was sent.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { memoryBudget } from '../engine/memory-limit.ts'
import { connectionSettings, engineXml } from '../engine/options.ts'
import { engineChildPath, findEngineRuntime } from '../engine/runtime.ts'
import { EngineSupervisor } from '../engine/supervisor.ts'
import { type EnginePort, type Interpreter, openEnginePort } from './engine-port.ts'

export const CLUSTER = 'main'
export const USER_SQL = new URL('../../../../../packaging/cluster/tidemark-user.sql', import.meta.url)
/** What a shard has: whole segments, as the Distributed table spreads them, or records, so that every answer needs both. */
const OF_SHARD = {
  segments: 'cityHash64(segment) % 2 = shardNum() - 1',
  records: 'cityHash64(segment, seq) % 2 = shardNum() - 1',
  everything: '1',
}
type ClusterOptions = {
  spread: keyof typeof OF_SHARD
  /** What the engine is told of the cluster in place of two shards of its own, with the variables that it reads. */
  config?: { xml: string; env: Record<string, string> }
  /** The table is replicated as on a cluster. One engine cannot activate a replica: it can be read, and not written to. */
  isReplicated?: boolean
}
/** What the embedded engine needs in place of what a server does: rows from files, and stopping its own statements. */
const OF_THE_ENGINE = ['GRANT READ ON FILE', 'GRANT KILL QUERY ON *.*']

export type Sent = { sql: string; settings: URLSearchParams }
export type EngineCluster = EnginePort & {
  socketPath: string
  dataDir: string
  /** Every statement since the beginning. */
  sent: Sent[]
  /** For a further port, or the same one once more; what it says of answers that are lost can be changed. */
  interpreter: Interpreter
  close(): Promise<void>
}

export async function openEngineCluster({
  spread,
  config,
  isReplicated = false,
}: ClusterOptions): Promise<EngineCluster> {
  const runtime = findEngineRuntime()
  if (typeof runtime === 'string') throw new Error(runtime)
  const dataDir = mkdtempSync(join(tmpdir(), 'tidemark-cluster-'))
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  const budget = memoryBudget()
  const [configFile, usersFile] = [join(dataDir, 'engine.xml'), join(dataDir, 'users.xml')]
  const xml = clusterXml(usersFile, config?.xml ?? twins(spread === 'everything' ? 1 : 2))
  writeFileSync(usersFile, usersXml(OF_SHARD[spread]))
  writeFileSync(configFile, engineXml(budget).replace('</clickhouse>', `${xml}</clickhouse>`))
  const { requireFrom, slowdown } = runtime
  const socketPath = join(dataDir, 'engine.sock')
  const supervisor = new EngineSupervisor({
    runtime: { ...runtime, env: { ...runtime.env, ...config?.env } },
    options: {
      databaseDir: join(dataDir, 'database'),
      configFile,
      socketPath,
      requireFrom,
      settings: connectionSettings(budget, slowdown),
      slowdown,
    },
    childPath: engineChildPath(),
    pidFile: join(dataDir, 'engine.pid'),
    deadlines: { startMs: 120_000, silenceMs: 60_000 },
    log: pino({ level: 'silent' }),
    onReady: () => {},
  })
  await supervisor.start()
  const sent: Sent[] = []
  const hear = (sql: string, settings: URLSearchParams) =>
    void sent.push({ sql, settings: new URLSearchParams(settings) })
  const interpreter: Interpreter = { hear, reword: isReplicated ? withoutCluster : onOneEngine }
  const port = await openEnginePort(socketPath, 0, interpreter)
  return {
    url: port.url,
    socketPath,
    dataDir,
    sent,
    interpreter,
    async close() {
      port.close()
      await supervisor.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Without the other servers of the cluster. */
function withoutCluster(sql: string): string {
  return sql.replaceAll(` ON CLUSTER '${CLUSTER}'`, '')
}

function onOneEngine(sql: string): string {
  return withoutCluster(sql)
    .replace(/ENGINE = ReplicatedMergeTree\([^)]*\)/, 'ENGINE = MergeTree')
    .replace('replicated_deduplication_window =', 'non_replicated_deduplication_window =')
}

/** The statements of a file, without its comments. */
export function statementsIn(sql: string): string[] {
  const plain = sql.replace(/^--.*$/gm, '')
  return plain.split(/;\s*$/m).flatMap((one) => (one.trim() === '' ? [] : [one.trim()]))
}

/** The user that the engine runs as has the grants and the policy of the packaged one. */
function usersXml(ofShard: string): string {
  const statements = statementsIn(readFileSync(USER_SQL, 'utf8').replaceAll('tidemark.logs', 'default.logs'))
  const grants = statements.filter((one) => one.startsWith('GRANT')).map((one) => one.replace(/ TO tidemark$/, ''))
  const policy = statements.find((one) => one.startsWith('CREATE ROW POLICY'))
  const wall = /USING (.*) TO tidemark$/s.exec(policy ?? '')?.[1]
  if (grants.length === 0 || wall === undefined) throw new Error('The packaged user has no grants or no row policy.')
  return `<clickhouse>
  <profiles><default/></profiles>
  <quotas><default/></quotas>
  <users><default>
    <password/>
    <networks><ip>::/0</ip></networks>
    <profile>default</profile>
    <quota>default</quota>
    <grants>${[...grants, ...OF_THE_ENGINE].map((grant) => `<query>${grant}</query>`).join('')}</grants>
    <databases><default><logs_local><filter>(${ofShard}) AND (${wall})</filter></logs_local></default></databases>
  </default></users>
</clickhouse>
`
}

function clusterXml(usersFile: string, cluster: string): string {
  return `  <tcp_port>9000</tcp_port>
  <user_directories><users_xml><path>${usersFile}</path></users_xml></user_directories>
  ${cluster}
`
}

/** Shards of one replica, all of them this engine. */
function twins(shards: number): string {
  const shard =
    '<shard><internal_replication>true</internal_replication><replica><host>127.0.0.1</host><port>9000</port></replica></shard>'
  return `<macros><shard>1</shard><replica>1</replica></macros>
  <zookeeper><implementation>testkeeper</implementation></zookeeper>
  <remote_servers><${CLUSTER}>${shard.repeat(shards)}</${CLUSTER}></remote_servers>`
}
