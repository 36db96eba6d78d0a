/**
 * The log store in the layout of a cluster: every statement it can send goes through the real parser and, as far as one
 * engine can play a cluster, is carried out by the packaged user. docs/operating.md says what that leaves out.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type ClickHouseClient, createClient } from '@clickhouse/client'
import { DAY_US } from '@tidemark/wire/time/units'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../model/id.ts'
import type { ProjectId } from '../model/project.ts'
import { CLIENT_OPTIONS, createStore } from './clickhouse-store.ts'
import { BY_CODE, toAppError } from './driver-errors.ts'
import type { LogStore } from './log-store.ts'
import { type LogArchive, openArchive } from './open-archive.ts'
import { openServer } from './open-server.ts'
import { CLUSTER_SETTINGS, LOAD_SETTINGS } from './query/query-limits.ts'
import { SCHEMA_VERSION, schemaStatements } from './schema/schema.ts'
import { countOf } from './testing/all-records.ts'
import { CLUSTER, type EngineCluster, openEngineCluster, statementsIn, USER_SQL } from './testing/engine-cluster.ts'
import { KIND, QUESTIONS, range, records as recordsOf } from './testing/every-question.ts'
import { TODAY, writeSegment } from './testing/segment.ts'
import { missingEngine, STORE_TIMEOUT_MS } from './testing/test-store.ts'

const SEGMENTS = Array.from({ length: 4 }, (_, at) => `seg_of_cluster_${at}`)
const [project, stranger] = [newId('prj') as ProjectId, newId('prj') as ProjectId]

let cluster: EngineCluster
let store: LogStore
let client: ClickHouseClient
beforeAll(async () => {
  if (missingEngine !== undefined) return
  cluster = await openEngineCluster({ spread: 'segments' })
  store = createStore(await openServer({ url: cluster.url, cluster: CLUSTER }))
  client = createClient({ ...CLIENT_OPTIONS, url: cluster.url })
  for (const id of SEGMENTS) await store.load(writeSegment(cluster.dataDir, id, records(id)))
}, STORE_TIMEOUT_MS)
beforeEach((context) => {
  if (missingEngine !== undefined) context.skip(missingEngine)
})
afterAll(async () => {
  await client?.close()
  await store?.close()
  await cluster?.close()
})

const records = (segment: string) => recordsOf(segment, [project, stranger])

async function ask<Row>(sql: string, settings: Record<string, string | number> = {}, params = {}): Promise<Row[]> {
  const question = { query: sql, query_params: params, clickhouse_settings: settings, format: 'JSONEachRow' as const }
  return await (await client.query(question)).json<Row>()
}

describe('a cluster', () => {
  it('has each segment whole on one shard, and segments on all of them', async () => {
    const rows = await ask<{ segment: string; shards: number[]; records: number }>(
      'SELECT segment, groupUniqArray(_shard_num) AS shards, toUInt32(count()) AS records FROM logs GROUP BY segment',
      { log_comment: '*' },
    )
    expect(rows.map(({ records }) => records)).toEqual(SEGMENTS.map(() => 4))
    expect(new Set(rows.map(({ shards }) => shards.join()))).toEqual(new Set(['1', '2']))
  })

  it('stores a segment once that is sent again after an answer was lost', async () => {
    const before = await countOf(store.project(project))
    for (const id of SEGMENTS) await store.load(writeSegment(cluster.dataDir, id, records(id)))
    expect(await countOf(store.project(project))).toBe(before)
  })

  it.each(Object.entries(QUESTIONS))('answers %s over all shards', async (_, question) => {
    await question(store.project(project))
  })

  it('answers the worker, who asks about all projects', async () => {
    const segments = SEGMENTS.map((id) => ({ id, days: [TODAY, TODAY - 1] }))
    const splits = [{ projectId: project, fingerprint: KIND.fingerprint, by: 'service' as const }]
    const counts = await store.errorsOfSegments({ segments, splits, cutsUs: [TODAY * DAY_US] })
    expect(counts.map(({ count }) => count)).toEqual(SEGMENTS.flatMap(() => [1, 1]))
    expect([...(await store.loadedDays(SEGMENTS)).keys()].sort()).toEqual(SEGMENTS)
  })

  it('is copied and filled part by part', async () => {
    const archive: LogArchive = await openArchive({
      clickhouse: { url: cluster.url, cluster: CLUSTER },
      dataDir: '',
      log: pino({ level: 'silent' }),
    })
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-archive-'))
    try {
      expect(await archive.isEmpty()).toBe(false)
      const reader = archive.read({ before: '~', spooled: [] })
      expect(await reader.days()).toEqual([TODAY - 1, TODAY])
      expect(await reader.digest(TODAY)).toMatchObject({ records: 2 * SEGMENTS.length })
      const parts: Buffer[] = []
      for await (const part of reader.parts(TODAY)) parts.push(part)
      const path = join(folder, 'part')
      writeFileSync(path, gzipSync(parts[0]!))
      const before = await countOf(store.project(project))
      await archive.load({ path, name: 'part' })
      await archive.load({ path, name: 'part' })
      expect(await countOf(store.project(project))).toBe(before + SEGMENTS.length)
    } finally {
      await archive.close()
      rmSync(folder, { recursive: true })
    }
  })

  it('forgets by rule on every shard, and all of a project', async () => {
    const before = await countOf(store.project(stranger))
    const rules = [{ levels: ['error' as const], service: null, environment: null, beforeUs: range.toUs }]
    expect(await store.forget(stranger, { rules, beforeUs: 0 })).toBe(true)
    expect(await countOf(store.project(stranger))).toBe(SEGMENTS.length)
    expect(before).toBeGreaterThan(SEGMENTS.length)
    expect(await store.forget(project, null)).toBe(true)
    expect(await countOf(store.project(project))).toBe(0)
  })
})

describe('what is sent to a cluster', () => {
  const sentBy = (pattern: RegExp) => cluster.sent.filter(({ sql }) => pattern.test(sql))

  it('is known to the real parser, statement by statement', async () => {
    const migrations = Array.from({ length: SCHEMA_VERSION - 1 }, (_, at) =>
      schemaStatements(at + 1, { cluster: CLUSTER }),
    )
    const all = new Set([...cluster.sent.map(({ sql }) => sql), ...migrations.flat()])
    expect(all.size).toBeGreaterThan(Object.keys(QUESTIONS).length)
    expect(await unknownTo([...all])).toEqual([])
    const wrong = "DELETE FROM logs_local ON CLUSTER WHERE 'main'"
    expect(await unknownTo(['SELECT 1', wrong])).toEqual([wrong])
  })

  it('is about the table in front of the shards, and for all servers where it changes the one behind', () => {
    const changes = sentBy(/^(CREATE|ALTER|DELETE|DROP|SYSTEM|OPTIMIZE|TRUNCATE)\b/)
    expect(changes.length).toBeGreaterThan(2)
    expect(changes.filter(({ sql }) => !sql.includes(` ON CLUSTER '${CLUSTER}'`))).toEqual([])
    expect(sentBy(/^DELETE FROM (?!logs_local ON CLUSTER 'main' WHERE project = \{project:String\})/)).toEqual([])
    const others = cluster.sent.filter((one) => !changes.includes(one))
    expect(others.filter(({ sql }) => sql.includes('logs_local'))).toEqual([])
  })

  it('waits for a quorum, refuses to leave a shard out, and is said so every time', async () => {
    const ours = cluster.sent.filter(({ settings }) => settings.has('insert_quorum'))
    expect(ours.length).toBeGreaterThan(Object.keys(QUESTIONS).length)
    expect(ours.filter(({ settings }) => settings.get('skip_unavailable_shards') !== '0')).toEqual([])
    const inserts = sentBy(/^INSERT\b/)
    expect(inserts.length).toBeGreaterThan(0)
    for (const { settings } of inserts) {
      const told = ['insert_quorum', 'distributed_foreground_insert', 'async_insert', 'deduplicate_insert_select']
      expect(told.map((name) => settings.get(name))).toEqual(['auto', '1', '0', 'enable_even_for_bad_queries'])
      expect(settings.get('insert_deduplication_token')).toMatch(/./)
    }
    const names = [...Object.keys(CLUSTER_SETTINGS), ...Object.keys(LOAD_SETTINGS)]
    for (const name of names) await ask(`SELECT toString(getSetting('${name}')) AS value`)
  })

  it('names the project of every question about one', () => {
    const asked = sentBy(/^SELECT\b/).filter(({ settings }) => settings.has('param_project'))
    expect(asked.length).toBeGreaterThan(Object.keys(QUESTIONS).length)
    expect(asked.filter(({ settings }) => settings.get('log_comment') !== settings.get('param_project'))).toEqual([])
  })

  it('can fail in ways that have our words, by numbers that the engine gives the same names', async () => {
    const names = {
      198: 'DNS_ERROR',
      209: 'SOCKET_TIMEOUT',
      210: 'NETWORK_ERROR',
      225: 'NO_ZOOKEEPER',
      242: 'TABLE_IS_READ_ONLY',
      254: 'NO_ACTIVE_REPLICAS',
      279: 'ALL_CONNECTION_TRIES_FAILED',
      285: 'TOO_FEW_LIVE_REPLICAS',
      286: 'UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE',
      319: 'UNKNOWN_STATUS_OF_INSERT',
      341: 'UNFINISHED',
      369: 'ALL_REPLICAS_ARE_STALE',
      999: 'KEEPER_EXCEPTION',
    }
    for (const [code, name] of Object.entries(names)) {
      expect(await ask(`SELECT errorCodeToName(${code}) AS name`)).toEqual([{ name }])
      expect(BY_CODE[code]?.(undefined)).toMatchObject({ code: 'unavailable', status: 503 })
    }
  })
})

/** Those that the engine's parser does not take. */
async function unknownTo(statements: readonly string[]): Promise<string[]> {
  const unknown: string[] = []
  for (let start = 0; start < statements.length; start += 20) {
    const question = `SELECT arrayJoin({statements:Array(String)}) AS sql, formatQuerySingleLineOrNull(sql) AS read`
    const some = statements.slice(start, start + 20)
    const rows = await ask<{ sql: string; read: string | null }>(question, {}, { statements: some })
    expect(rows).toHaveLength(some.length)
    unknown.push(...rows.filter(({ read }) => !read).map(({ sql }) => sql))
  }
  return unknown
}

describe('the packaged user', () => {
  it('is made of statements that the real parser knows', async () => {
    const statements = statementsIn(readFileSync(USER_SQL, 'utf8'))
    expect(statements.map((one) => one.split(' ', 2).join(' '))).toContain('CREATE ROW')
    expect(await unknownTo(statements)).toEqual([])
  })

  it('sees only the records of the project that is named, whatever the condition says', async () => {
    await store.load(
      writeSegment(cluster.dataDir, newId('seg'), [
        { project: 'prj_one' },
        { project: 'prj_two' },
        { project: 'prj_two' },
      ]),
    )
    const count = "SELECT toUInt32(count()) AS records FROM logs WHERE project = 'prj_two' OR 1"
    const seen = async (settings: Record<string, string>) =>
      (await ask<{ records: number }>(count, settings))[0]?.records
    expect(await seen({ log_comment: 'prj_one' })).toBe(1)
    expect(await seen({ log_comment: 'prj_two' })).toBe(2)
    expect(await seen({ log_comment: '*' })).toBeGreaterThanOrEqual(3)
    expect(await seen({})).toBe(0)
    expect(await seen({ log_comment: "' OR 1 = 1" })).toBe(0)
  })

  it.each([
    'DROP TABLE logs',
    'DROP TABLE logs_local',
    'TRUNCATE TABLE logs_local',
    'RENAME TABLE logs_local TO others',
    "ALTER TABLE logs_local FREEZE PARTITION '2026-01-01'",
    'ALTER TABLE logs_local MODIFY TTL expires + 1',
    'CREATE TABLE more (a Int8) ENGINE = Memory',
    'CREATE DATABASE more',
    "CREATE USER another IDENTIFIED BY 'x'",
    'GRANT SELECT ON *.* TO CURRENT_USER',
    'SELECT name FROM system.users',
    'SYSTEM SHUTDOWN',
    "SELECT * FROM remote('127.0.0.1:9999', system, one)",
    "SELECT * FROM url('http://127.0.0.1:9999', CSV, 'a String')",
  ])('may not: %s', async (statement) => {
    const answer = client.command({ query: statement }).then(
      () => 'done',
      (error) => error.code,
    )
    expect(await answer).toBe('497')
  })
})

describe('the tables of a cluster', () => {
  const opened: EngineCluster[] = []
  const open = async (options: Parameters<typeof openEngineCluster>[0]) => {
    const one = await openEngineCluster(options)
    opened.push(one)
    return one
  }
  afterAll(async () => {
    for (const one of opened) await one.close()
  })

  it('are made as they are packaged: replicated, and distributed by segment', {
    timeout: STORE_TIMEOUT_MS,
  }, async () => {
    const replicated = await open({ spread: 'everything', isReplicated: true })
    const parts = await openServer({ url: replicated.url, cluster: CLUSTER })
    const sql = "SELECT name, engine_full FROM system.tables WHERE name LIKE 'logs%' ORDER BY name"
    const tables = await (await parts.client().query({ query: sql, format: 'JSONEachRow' })).json<{
      engine_full: string
    }>()
    expect(tables.map(({ engine_full }) => engine_full)).toEqual([
      expect.stringMatching(/^Distributed\('main', 'default', 'logs_local', cityHash64\(segment\)\)/),
      expect.stringMatching(
        /^ReplicatedMergeTree\('\/clickhouse\/tables\/\{shard\}\/.*', '\{replica\}'\).* replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 604800/,
      ),
    ])
    // This replica has never reached the others. It takes nothing, and answers nothing rather than too little.
    const replica = createStore(parts)
    const segment = writeSegment(replicated.dataDir, 'seg_1', records('seg_1'))
    await expect(replica.load(segment)).rejects.toMatchObject({ code: 'unavailable' })
    await expect(countOf(replica.project(project))).rejects.toMatchObject({ code: 'unavailable' })
    await replica.close()
  })

  it('are named by what is packaged for the servers', { timeout: STORE_TIMEOUT_MS }, async () => {
    const xml = readFileSync(new URL('../../../../packaging/cluster/clickhouse.xml', import.meta.url), 'utf8')
    const env = { SHARD: '2', REPLICA: '1', CLICKHOUSE_CLUSTER_SECRET: 'secret' }
    const inner = xml.replace(/^.*<clickhouse>|<\/clickhouse>\s*$/gs, '')
    const packaged = await open({ spread: 'everything', config: { xml: inner, env } })
    const asked = createClient({ ...CLIENT_OPTIONS, url: packaged.url })
    const rows = async (query: string) => await (await asked.query({ query, format: 'JSONCompactEachRow' })).json()
    expect(await rows('SELECT macro, substitution FROM system.macros ORDER BY macro')).toEqual([
      ['replica', '1'],
      ['shard', '2'],
    ])
    expect(await rows('SELECT cluster, shard_num, replica_num, host_name, port FROM system.clusters')).toEqual([
      ['tidemark', 1, 1, 'clickhouse-1-1', 9000],
      ['tidemark', 1, 2, 'clickhouse-1-2', 9000],
      ['tidemark', 2, 1, 'clickhouse-2-1', 9000],
      ['tidemark', 2, 2, 'clickhouse-2-2', 9000],
    ])
    await asked.close()
  })

  it('answer from their counts per minute and their index, also behind the policy', {
    timeout: STORE_TIMEOUT_MS,
  }, async () => {
    const single = await open({ spread: 'everything' })
    const parts = await openServer({ url: single.url, cluster: CLUSTER })
    const one = createStore(parts)
    const many = Array.from({ length: 2_000 }, (_, at) => ({ ...records('seg_1')[0]!, timeUs: TODAY * DAY_US + at }))
    await one.load(writeSegment(single.dataDir, 'seg_1', many))
    const count = (where: string) =>
      `SELECT toUInt32(count()) AS records FROM logs WHERE project = {project:String} AND ${where}`
    const minutes = count(`toStartOfMinute(time) >= toDateTime(${TODAY * 86_400}, 'UTC')`)
    const answer = async (query: string, clickhouse_settings: Record<string, string | number>) =>
      await (
        await parts.client().query({ query, query_params: { project }, clickhouse_settings, format: 'JSONEachRow' })
      ).json()
    expect(await answer(minutes, { force_optimize_projection: 1 })).toEqual([{ records: 2_000 }])
    const word = count("hasAllTokens(words, ['started'])")
    expect(await answer(word, { force_data_skipping_indices: 'by_word' })).toEqual([{ records: 2_000 }])
    await expect(answer(minutes, { force_data_skipping_indices: 'by_word' })).rejects.toSatisfy(
      (error) => toAppError(error).code === 'internal',
    )
    await one.close()
  })
})
