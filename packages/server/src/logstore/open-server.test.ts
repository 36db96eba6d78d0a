import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../../wire/src/time/units.ts'
import { firstIdAt } from '../model/id.ts'
import type { ProjectId } from '../model/project.ts'
import { createStore } from './clickhouse-store.ts'
import { openLogStore } from './open.ts'
import { openServer } from './open-server.ts'
import { SCHEMA_VERSION } from './schema/schema.ts'
import { countOf } from './testing/all-records.ts'
import { TODAY, writeSegment } from './testing/segment.ts'

type Request = { sql: string; address: URLSearchParams; body: Buffer }

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Speaks just enough of ClickHouse's interface to hear what is said to it. */
async function listener(answer: (sql: string) => string | { status: number; text: string }) {
  const requests: Request[] = []
  const server = createServer(async (request, reply) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const address = new URL(request.url ?? '', 'http://x').searchParams
    const body = Buffer.concat(chunks)
    const sql = address.get('query') ?? body.toString()
    requests.push({ sql, address, body })
    const given = answer(sql)
    if (typeof given === 'string') reply.end(given)
    else reply.writeHead(given.status).end(given.text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function opened(url: string, cluster: string | null = null) {
  const store = createStore(await openServer({ url, cluster }))
  closers.push(() => store.close())
  return store
}

const CURRENT = `{"comment":"tidemark schema ${SCHEMA_VERSION}"}\n`

describe('a log store on a server', () => {
  it('makes its tables on the whole cluster when there are none', async () => {
    const { requests, url } = await listener(() => '')
    await opened(url, 'main')
    expect(requests.slice(1).map(({ sql }) => sql.slice(0, 60).split('\n')[0])).toEqual([
      "CREATE TABLE IF NOT EXISTS logs_local ON CLUSTER 'main' (",
      "CREATE TABLE IF NOT EXISTS logs ON CLUSTER 'main' AS logs_lo",
    ])
  })

  it('loads into a cluster with a quorum, forgets on all of it, and tells a single server nothing of that', async () => {
    const found = (sql: string) =>
      sql.includes('system.tables') ? CURRENT : sql.startsWith('SELECT 1') ? '{"1":1}\n' : ''
    const { requests, url } = await listener(found)
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-server-'))
    closers.push(() => rmSync(folder, { recursive: true }))
    const segment = writeSegment(folder, 'seg_1', [{ project: 'prj_a' }])
    for (const cluster of ['main', null]) {
      const store = await opened(url, cluster)
      await store.load(segment)
      await store.forget('prj_a' as ProjectId, null)
    }
    const sent = (pattern: RegExp) => requests.filter(({ sql }) => pattern.test(sql))
    const told = (name: string) => sent(/^INSERT INTO logs /).map(({ address }) => address.get(name))
    expect(told('insert_quorum')).toEqual(['auto', null])
    expect(told('insert_quorum_parallel')).toEqual(['1', null])
    expect(told('distributed_foreground_insert')).toEqual(['1', null])
    expect(told('insert_deduplication_token')).toEqual([`seg_1:${TODAY}`, `seg_1:${TODAY}`])
    expect(told('deduplicate_insert_select')).toEqual(['enable_even_for_bad_queries', 'enable_even_for_bad_queries'])
    expect(sent(/^DELETE/).map(({ sql }) => sql.split(' WHERE ')[0])).toEqual([
      "DELETE FROM logs_local ON CLUSTER 'main'",
      'DELETE FROM logs',
    ])
    const asked = sent(/^SELECT 1 FROM logs /).map(({ address }) => [
      address.get('skip_unavailable_shards'),
      address.get('fallback_to_stale_replicas_for_distributed_queries'),
      // Nothing that lags behind may say that there is nothing to forget.
      address.get('max_replica_delay_for_distributed_queries'),
    ])
    expect(asked).toEqual([
      ['0', '0', '1'],
      [null, null, '1'],
    ])
  })

  it('has what a crash left loaded again on a cluster, while its token is known for sure', async () => {
    const { url } = await listener((sql) => (sql.includes('system.tables') ? CURRENT : ''))
    const [young, old] = [1, 60].map((minutes) => firstIdAt('seg', Date.now() - minutes * MINUTE_MS)) as [
      string,
      string,
    ]
    const cluster = await opened(url, 'main')
    expect([cluster.isLoadedAgain(young), cluster.isLoadedAgain(old)]).toEqual([true, false])
    expect((await opened(url)).isLoadedAgain(young)).toBe(false)
  })

  it('says in a setting whose records a question is about, for a policy of the server', async () => {
    const { requests, url } = await listener((sql) => (sql.includes('system.tables') ? CURRENT : '{"records":"0"}\n'))
    const store = await opened(url)
    await countOf(store.project('prj_a' as ProjectId))
    await store.loadedDays(['seg_1'])
    expect(requests.slice(1).map(({ address }) => address.get('log_comment'))).toEqual(['prj_a', '*'])
  })

  it('refuses tables of a newer version and tables that are not ours', async () => {
    const newer = await listener(() => '{"comment":"tidemark schema 99"}\n')
    await expect(openServer({ url: newer.url, cluster: null })).rejects.toThrow(/newer Tidemark/)
    const foreign = await listener(() => '{"comment":""}\n')
    await expect(openServer({ url: foreign.url, cluster: null })).rejects.toThrow(/not Tidemark's/)
  })

  it('says why it is refused for as long as it is', async () => {
    let comment = 'tidemark schema 99'
    const { url } = await listener((sql) => (sql.includes('system.tables') ? `${JSON.stringify({ comment })}\n` : ''))
    const store = openLogStore({ clickhouse: { url, cluster: null }, dataDir: '', log: pino({ level: 'silent' }) })
    closers.push(() => store.close())
    const refusal = 'The log store was made by a newer Tidemark. Start that version or a later one.'
    await expect.poll(() => store.health()).toMatchObject({ state: 'failed', refusal })
    comment = JSON.parse(CURRENT).comment
    await expect.poll(() => store.health()).toEqual({ state: 'ready', restarts: 1, detachedParts: null })
  })

  it('sends a segment as it lies, once for each day, with a token of its own', async () => {
    const { requests, url } = await listener((sql) => (sql.includes('system.tables') ? CURRENT : ''))
    const store = await opened(url)
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-server-'))
    closers.push(() => rmSync(folder, { recursive: true }))
    const segment = writeSegment(folder, 'seg_1', [{ project: 'prj_a', message: 'a\n\n; DROP TABLE logs' }])
    const days = [TODAY, TODAY + 1].map((day) => ({ day, records: 1 }))
    await store.load({ ...segment, days })
    const loads = requests.slice(1)
    expect(loads.map(({ address }) => address.get('insert_deduplication_token'))).toEqual([
      `seg_1:${TODAY}`,
      `seg_1:${TODAY + 1}`,
    ])
    expect(loads.map(({ address }) => [address.get('param_segment'), address.get('param_day')])).toEqual([
      ['seg_1', String(TODAY)],
      ['seg_1', String(TODAY + 1)],
    ])
    for (const { sql, address, body } of loads) {
      expect(sql).toMatch(
        /^INSERT INTO logs \(.*\)\nSELECT .* FROM input\(.*\)\nWHERE frame = '' AND .* FORMAT RowBinary$/,
      )
      expect(address.get('async_insert')).toBe('0')
      expect(body).toEqual(readFileSync(segment.path))
    }
  })

  it('fails a load in our words when the server refuses it', async () => {
    const full = { status: 500, text: 'Code: 243. DB::Exception: Cannot reserve 1.00 MiB. (NOT_ENOUGH_SPACE)' }
    const { url } = await listener((sql) => (sql.includes('system.tables') ? CURRENT : full))
    const store = await opened(url)
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-server-'))
    closers.push(() => rmSync(folder, { recursive: true }))
    const segment = writeSegment(folder, 'seg_1', [{ project: 'prj_a' }])
    await expect(store.load(segment)).rejects.toMatchObject({ code: 'storage_full', status: 503 })
  })

  it('has the server stop a question whose asker has gone', async () => {
    const { requests, url } = await listener((sql) => (sql.includes('system.tables') ? CURRENT : '{"records":"0"}\n'))
    const store = await opened(url)
    await countOf(store.project('prj_a' as ProjectId))
    const { address } = requests[1]!
    const told = ['readonly', 'cancel_http_readonly_queries_on_client_close'].map((name) => address.get(name))
    expect(told).toEqual(['2', '1'])
  })

  it('never writes a value into the text of a query', async () => {
    const { requests, url } = await listener((sql) => (sql.includes('system.tables') ? CURRENT : '{"records":"0"}\n'))
    const store = await opened(url)
    await countOf(store.project("prj_' OR 1 = 1" as ProjectId), { fromUs: 1, toUs: 2 })
    expect(requests[1]?.sql).not.toContain('OR 1')
    expect(requests[1]?.address.get('param_project')).toBe("prj_\\' OR 1 = 1")
  })

  it('fails calls until the server answers, and counts the attempts as restarts', async () => {
    let isAway = true
    const { url } = await listener((sql) => {
      if (isAway) return { status: 500, text: 'Code: 236. DB::Exception: Not now. (ABORTED)' }
      return sql.includes('system.tables') ? CURRENT : '{"records":"7"}\n'
    })
    const store = openLogStore({ clickhouse: { url, cluster: null }, dataDir: '', log: pino({ level: 'silent' }) })
    closers.push(() => store.close())
    expect(store.health()).toEqual({ state: 'starting', restarts: 0, detachedParts: null })
    const logs = store.project('prj_a' as ProjectId)
    await expect(countOf(logs)).rejects.toMatchObject({ code: 'engine_restarting', retryAfterSeconds: 2 })
    await expect.poll(() => store.health()).toEqual({ state: 'failed', restarts: 1, detachedParts: null })
    isAway = false
    await expect.poll(() => store.health()).toEqual({ state: 'ready', restarts: 1, detachedParts: null })
    expect(await countOf(logs)).toBe(7)
  })
})
