/**
 * Two projects with the same texts, traces, hosts, services and deploys; in one thing they differ: every record and deploy
 * of a project carries its canary. Whatever is asked with one's key, no answer holds the other's.
 */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Answer, get, type Parameters, sendDeploy, sendLogs } from './support/clients/reading-api.ts'
import { createProject, type TestProject } from './support/service/ingest-project.ts'
import { type Service, sharedService } from './support/service/service.ts'
import { settled } from './support/service/settled.ts'

type Tenant = TestProject & { canary: string; recordIds: string[]; deployIds: string[] }

const RECORDS = 40
const SEED = 20_260_301

let service: Service
let tenants: [Tenant, Tenant]

beforeAll(async () => {
  service = await sharedService()
  const startMs = Date.now() - 10 * 60_000
  const make = async (name: string): Promise<Tenant> => {
    const project = await createProject(service, name)
    const canary = randomBytes(16).toString('hex')
    await sendLogs(
      service,
      project,
      Array.from({ length: RECORDS }, (_, index) => ({
        message: `payment ${index % 7} timeout ${canary}`,
        timestamp: new Date(startMs + Math.floor(index / 2) * 1_000).toISOString(),
        level: index % 5 === 0 ? 'error' : 'info',
        environment: index % 2 === 0 ? 'production' : 'staging',
        service: 'api',
        host: 'host-1',
        traceId: 'trace-1',
        attributes: { user: 'ann', canary, status: 500 },
        ...(index % 5 === 0
          ? { error: { type: 'TimeoutError', message: canary, stack: `at f (${canary}.js:1:1)` } }
          : {}),
      })),
    )
    const deployIds: string[] = []
    for (let index = 0; index < 3; index++) {
      const deployedAt = new Date(startMs + index * 5_000).toISOString()
      const deploy = { sha: canary, environment: 'production', deployedAt, externalId: `run-${index}`, message: canary }
      deployIds.push(await sendDeploy(service, project, deploy))
    }
    return { ...project, canary, recordIds: [], deployIds }
  }
  tenants = [await make('one'), await make('two')]
  await settled(service)
  for (const tenant of tenants) {
    const { body } = await get(service, tenant.readKey, '/api/logs', { limit: 100 })
    tenant.recordIds = body.rows.flatMap(({ kind, id }: { kind: string; id: string }) => (kind === 'log' ? [id] : []))
  }
}, 240_000)

function expectOnlyOwn(answer: Answer, stranger: Tenant, what: string): void {
  const secrets = [stranger.canary, stranger.id, ...stranger.recordIds, ...stranger.deployIds]
  const heard = `${answer.text}\n${JSON.stringify([...answer.headers])}`
  expect(
    secrets.filter((secret) => heard.includes(secret)),
    what,
  ).toEqual([])
}

const term = fc.oneof(
  fc.constantFrom('payment', 'timeout', '"payment 3"', '*a*', '/t.*t/', 'level:error', 'level:>=info', 'service:api'),
  fc.constantFrom('traceId:trace-1', 'host:host-1', 'user:ann', 'status:>=500', 'has:canary', 'canary:*', 'sent:x'),
  fc.constantFrom(
    'environment:production',
    '-environment:staging',
    'error.type:TimeoutError',
    '@project:*',
    'project:x',
  ),
)
const query = fc
  .array(fc.tuple(fc.constantFrom('', ' OR ', ' AND ', ' NOT ', ' OR -'), term), { minLength: 0, maxLength: 4 })
  .map((parts) => parts.map(([joint, one], index) => `${index === 0 ? '' : joint || ' '}${one}`).join(''))

const question: fc.Arbitrary<[string, Parameters]> = fc.oneof(
  fc.tuple(
    fc.constant('/api/logs'),
    fc.record({ query, limit: fc.constant(200), order: fc.constantFrom('newest', 'oldest') }),
  ),
  fc.tuple(
    fc.constant('/api/logs/count'),
    fc.record({
      query,
      groupBy: fc.constantFrom(['canary'], ['message', 'error.stack'], ['user'], ['pattern', 'user']),
      bucket: fc.constant('10'),
    }),
  ),
  fc.tuple(
    fc.constant('/api/logs/fields'),
    fc.record({ query, name: fc.constantFrom(undefined, 'canary', 'error.type') }),
  ),
  fc.tuple(
    fc.constant('/api/logs/compare'),
    fc.record({
      query,
      from: fc.constantFrom('-9m55s', '-9m50s'),
      baseFrom: fc.constant('-20m'),
      baseTo: fc.constant('-9m55s'),
    }),
  ),
  fc.tuple(
    fc.constant('/api/logs/patterns'),
    fc.record({ query, from: fc.constant('-20m'), compareFrom: fc.constant('-40m'), compareTo: fc.constant('-20m') }),
  ),
  fc.tuple(fc.constant('/api/logs/export'), fc.record({ query, format: fc.constantFrom('ndjson', 'csv') })),
  fc.tuple(fc.constantFrom('/api/deploys', '/api/deploys/latest', '/api/project'), fc.constant({})),
)

describe('a project', () => {
  it('never sees a record or deploy of another one, whatever it asks', { timeout: 240_000 }, async () => {
    const questions = fc.sample(question, { seed: SEED, numRuns: 40 })
    let ownSeen = 0
    for (const [index, [path, parameters]] of questions.entries()) {
      const own = tenants[index % 2]!
      const answer = await get(service, own.readKey, path, parameters)
      expect([200, 400], answer.text).toContain(answer.status)
      expectOnlyOwn(answer, tenants[(index + 1) % 2]!, `${path} ${JSON.stringify(parameters)}`)
      if (answer.text.includes(own.canary)) ownSeen++
    }
    // The questions are such that something could have been seen.
    expect(ownSeen).toBeGreaterThan(10)
  })

  it('sees exactly its own records and deploys', async () => {
    for (const [index, own] of tenants.entries()) {
      expect(own.recordIds).toHaveLength(RECORDS)
      const { body, ...answer } = await get(service, own.readKey, '/api/logs', { limit: 200, query: 'timeout' })
      expect(body.rows).toHaveLength(RECORDS + 3)
      expectOnlyOwn({ body, ...answer }, tenants[1 - index]!, 'the whole')
      for (const path of ['/api/overview', '/api/changes']) {
        const told = await get(service, own.readKey, path)
        expect(told.text, path).toContain(own.canary)
        expectOnlyOwn(told, tenants[1 - index]!, path)
      }
    }
  })

  it('does not find a record of another one by its id, nor by its canary', async () => {
    const [own, stranger] = tenants
    const ask = (path: string, parameters: Parameters = {}) => get(service, own.readKey, path, parameters)
    const id = stranger.recordIds[0]!
    const foreign = await ask(`/api/logs/${id}/context`)
    const unknown = await ask(`/api/logs/${id.slice(0, -4)}0000/context`)
    expect([foreign.status, unknown.status]).toEqual([404, 404])
    expect(foreign.body.error.message).toBe(unknown.body.error.message)
    const { rows } = (await ask('/api/logs', { query: `id:${id} OR ${stranger.canary}` })).body
    expect(rows.filter(({ kind }: { kind: string }) => kind === 'log')).toEqual([])
    expect((await ask('/api/logs/count', { query: `canary:${stranger.canary}` })).body.total).toBe(0)
    expect((await ask('/api/deploys', { sha: stranger.canary })).body.deploys).toEqual([])
    const deployed = await ask(`/api/deploys/${stranger.deployIds[0]}`)
    expect([deployed.status, deployed.body.error.message]).toEqual([
      404,
      (await ask('/api/deploys/dep_unknown')).body.error.message,
    ])
    const compared = await ask('/api/logs/compare', { deployId: stranger.deployIds[0] })
    expect([compared.status, compared.body.error.fields[0].path]).toEqual([404, 'deployId'])
    const listed = await ask('/api/logs/patterns', { deployId: stranger.deployIds[0] })
    expect([listed.status, listed.body.error.fields[0].path]).toEqual([404, 'deployId'])
    const anchored = await ask('/api/logs', { from: `deploy:${stranger.deployIds[0]}` })
    expect(anchored.body.error.message).toContain('There is no deploy with the id')
    for (const by of ['time', 'trace', 'host']) {
      const answer = await ask(`/api/logs/${own.recordIds[5]}/context`, { by, before: 100, after: 100 })
      expect(answer.body.before.length + answer.body.after.length).toBeGreaterThan(10)
      expectOnlyOwn(answer, stranger, `context by ${by}`)
    }
  })

  it('cannot go on with a cursor of another one', async () => {
    const [own, stranger] = tenants
    for (const path of ['/api/logs', '/api/deploys']) {
      const { nextCursor } = (await get(service, stranger.readKey, path, { limit: 1 })).body
      const answer = await get(service, own.readKey, path, { limit: 1, cursor: nextCursor })
      expect(answer.status).toBe(400)
      expect(answer.body.error.message).toContain('This cursor belongs to another project.')
    }
  })

  it('opens with its read key only', async () => {
    const [own] = tenants
    for (const key of [own.ingestKey, `${own.readKey}x`, '', own.id]) {
      const answer = await get(service, key, '/api/logs')
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toContain('Bearer realm="tidemark", error="invalid_token"')
    }
    const inAddress = await get(service, 'none', '/api/logs', { key: own.readKey })
    expect(inAddress.status).toBe(401)
  })
})
