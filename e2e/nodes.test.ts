/**
 * Two nodes over one PostgreSQL and one log store: what one has done, the other knows. That a revoked key is refused by both
 * stands in revocation.test.ts, that a deploy sent to both at once is one in deploys.test.ts.
 */
import pg from 'pg'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MIGRATIONS } from '../packages/server/src/control/database/migrate.ts'
import { get, sendDeploy, sendLogs } from './support/clients/reading-api.ts'
import { OWN_PAGE, signIn } from './support/clients/sign-in.ts'
import { engineRows } from './support/service/engine-query.ts'
import { ErrorWitness } from './support/service/error-witness.ts'
import { createProject, type TestProject } from './support/service/ingest-project.ts'
import { missingStores, type NodeStores, openNodeStores } from './support/service/node-stores.ts'
import type { Service } from './support/service/service.ts'
import { metric, settled } from './support/service/settled.ts'

/** What a key whose rate is one request a second may send at once: two seconds' worth. */
const BURST = 2

let stores: NodeStores
let first: Service
let second: Service
let project: TestProject

beforeAll(async () => {
  if (missingStores !== undefined) return
  stores = await openNodeStores()
  // At the same moment, on stores that are empty.
  ;[first, second] = await Promise.all([stores.startNode(), stores.startNode()])
  project = await createProject(first, 'several nodes')
})
beforeEach((context) => {
  if (missingStores !== undefined) context.skip(missingStores)
})

const deploy = () => ({ sha: 'c0ffee', environment: 'production', deployedAt: new Date().toISOString() })
const both = () => [first, second]

describe('two nodes that start at once on empty stores', () => {
  it('bring the control store up to date once, and make one log table', async () => {
    const client = new pg.Client(stores.variables.TIDEMARK_DATABASE_URL)
    await client.connect()
    const { rows } = await client.query('select name from tidemark_migrations order by version')
    await client.end()
    expect(rows.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name))
    const tables = "SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE 'logs%'"
    expect(await engineRows(first.dataDir, tables)).toEqual([{ name: 'logs' }])
    for (const node of both()) expect(node.stderr()).not.toMatch(/"level":"(error|fatal)"/)
  })

  it('make one owner, whose session on one of them works on the other, and ends on both', async () => {
    const cookie = await signIn(first.url)
    const session = ({ url }: Service) => fetch(`${url}/api/session`, { headers: { Cookie: cookie } })
    for (const node of both()) expect(await (await session(node)).json()).toMatchObject({ person: { role: 'owner' } })
    const path = `${second.url}/api/session`
    expect((await fetch(path, { method: 'DELETE', headers: { ...OWN_PAGE, Cookie: cookie } })).ok).toBe(true)
    for (const node of both()) expect(await (await session(node)).json()).toBeNull()
  })
})

describe('what one node took', () => {
  it('is on the timeline of the other at once, if it is a deploy', async () => {
    const id = await sendDeploy(first, project, deploy())
    const { body } = await get(second, project.readKey, '/api/logs', { from: '-1h' })
    expect(body.rows).toMatchObject([{ kind: 'deploy', id }])
  })

  it('is found through the other, whichever it was, and once', async () => {
    const shop = await createProject(first, 'found')
    for (const [index, node] of both().entries()) await sendLogs(node, shop, [{ message: `to node ${index}` }])
    for (const node of both()) await settled(node)
    for (const node of both()) {
      const { body } = await get(node, shop.readKey, '/api/logs', { from: '-1h' })
      expect(body.rows.map(({ message }: { message: string }) => message).sort()).toEqual(['to node 0', 'to node 1'])
    }
  })

  it('comes in a live tail on the other', async () => {
    const ended = new AbortController()
    const headers = { authorization: `Bearer ${project.readKey}` }
    const tail = await fetch(`${second.url}/api/logs/tail`, { headers, signal: ended.signal })
    const words = tail.body!.pipeThrough(new TextDecoderStream())
    let text = ''
    let isSent = false
    for await (const word of words) {
      text += word
      if (!isSent && text.includes('event: ready')) {
        isSent = true
        await sendLogs(first, project, [{ message: 'seen while it happens' }])
        await settled(first)
        await sendLogs(first, project, [{ message: 'what came after' }])
      }
      if (text.includes('what came after')) break
    }
    ended.abort()
    expect(text.match(/seen while it happens/g)).toHaveLength(1)
  })

  it('is a repeated batch for the other, and stored once', async () => {
    const shop = await createProject(first, 'repeated')
    const send = ({ url }: Service) =>
      fetch(`${url}/v1/logs`, {
        method: 'POST',
        headers: { authorization: `Bearer ${shop.ingestKey}`, 'x-batch-id': 'one-batch' },
        body: JSON.stringify({ message: 'sent to both' }),
      })
    for (const { status } of await Promise.all(both().map(send))) expect(status).toBe(200)
    for (const node of both()) await settled(node)
    const count = `SELECT toUInt32(count()) AS records FROM logs WHERE project = '${shop.id}'`
    expect(await engineRows(first.dataDir, count)).toEqual([{ records: 1 }])
  })
})

it('errors that both nodes take, and either may analyse, are counted once', async () => {
  const shop = await createProject(first, 'analysed')
  const counted = async () =>
    (await Promise.all(both().map((node) => metric(node, 'tidemark_analysis_errors_total')))).reduce((a, b) => a + b)
  const before = await counted()
  let turn = 0
  const service = () => both()[turn++ % 2]!
  const witness = new ErrorWitness({ service, ...shop, kinds: 20, errorsPerBatch: 20 })
  await witness.send(2_000, 4)
  expect(await witness.verdict(60_000)).toEqual({ acknowledged: 2_000, counted: 2_000, kinds: 20, wrongKinds: [] })
  // Not even counted twice and forgotten: no segment was analysed by both.
  expect((await counted()) - before).toBe(2_000)
})

it('a quota holds for all nodes together, a rate for each of them', async () => {
  const full = await createProject(first, 'quota', { monthlyQuotaRecords: 1 })
  await sendLogs(first, full, [{ message: 'the only one' }])
  await settled(first)
  expect(await statusOf(second, full)).toBe(429)

  const slow = await createProject(first, 'rate', { maxRequestsPerSecond: 1 })
  for (const node of both()) {
    const startedAt = performance.now()
    const statuses = await Promise.all(Array.from({ length: 10 }, () => statusOf(node, slow)))
    const taken = statuses.filter((status) => status === 200).length
    expect(taken).toBeGreaterThanOrEqual(1)
    expect(taken).toBeLessThanOrEqual(BURST + (performance.now() - startedAt) / 1_000)
    expect(statuses.filter((status) => ![200, 429].includes(status))).toEqual([])
  }
})

async function statusOf({ url }: Service, { ingestKey }: TestProject): Promise<number> {
  const headers = { authorization: `Bearer ${ingestKey}` }
  const response = await fetch(`${url}/v1/logs`, { method: 'POST', headers, body: '{"message":"one more"}' })
  await response.arrayBuffer()
  return response.status
}
