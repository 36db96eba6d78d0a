import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresUnavailable, startPostgres, type TestPostgres } from '../packages/server/src/testing/postgres.ts'
import { type DeployAnswer, deployAnswer } from '../packages/wire/src/deploys/deploy.ts'
import { createProject, type TestProject, withControl } from './support/service/ingest-project.ts'
import { type Service, startService, tidemark } from './support/service/service.ts'

const PUBLIC_URL = 'https://logs.example.com'
const DEPLOY_ID = /^dep_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const GOOD = { sha: 'a1b2c3', environment: 'production', deployedAt: '2026-01-31T12:00:00Z' }

let service: Service
let projects = 0

beforeAll(async () => {
  service = await startService({ env: { TIDEMARK_PUBLIC_URL: PUBLIC_URL }, engine: false })
})

const newProject = () => createProject(service, `project ${++projects}`)

describe('a new deploy', () => {
  it('is answered with 201, all its fields, and where to see it', async () => {
    const project = await newProject()
    const { status, headers, answer } = await record(project, {
      ...GOOD,
      status: 'failed',
      ref: 'refs/heads/main',
      message: 'Ship it\n\nwith "quotes", ü and 🚀',
      author: 'Ada <ada@example.com>',
      externalId: 'run-7',
      url: 'https://ci.example.com/runs/7?a=b#c',
      metadata: { run: 7, nested: { list: [1, null, true] } },
    })
    expect(status).toBe(201)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(answer).toEqual({
      created: true,
      deploy: {
        id: expect.stringMatching(DEPLOY_ID),
        ...GOOD,
        status: 'failed',
        ref: 'refs/heads/main',
        message: 'Ship it\n\nwith "quotes", ü and 🚀',
        author: 'Ada <ada@example.com>',
        externalId: 'run-7',
        url: 'https://ci.example.com/runs/7?a=b#c',
        metadata: { run: 7, nested: { list: [1, null, true] } },
        createdAt: expect.stringMatching(ISO_TIME),
        updatedAt: answer.deploy.createdAt,
      },
      previousDeploy: null,
      url: `${PUBLIC_URL}/projects/${project.id}/deploys/${answer.deploy.id}`,
    })
  })

  it('needs a sha, an environment and a time; it has succeeded unless it says otherwise', async () => {
    const { status, answer } = await record(await newProject(), GOOD)
    expect(status).toBe(201)
    expect(answer.deploy).toMatchObject({
      ...GOOD,
      status: 'succeeded',
      ref: null,
      message: null,
      author: null,
      externalId: null,
      url: null,
      metadata: null,
    })
  })

  it('without an external id is a new one each time', async () => {
    const project = await newProject()
    const sent = [await record(project, GOOD), await record(project, { ...GOOD, externalId: null })]
    expect(sent.map(({ status, answer }) => [status, answer.created])).toEqual([
      [201, true],
      [201, true],
    ])
    expect(await shasOf(project)).toHaveLength(2)
  })

  it.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00Z'],
    ['2026-01-31T12:00:00.5Z', '2026-01-31T12:00:00.500Z'],
    ['2026-01-31T12:00:00.123456Z', '2026-01-31T12:00:00.123456Z'],
    ['2026-01-31T12:00:00.123456789Z', '2026-01-31T12:00:00.123456Z'],
    ['2026-01-31T14:00:00+02:00', '2026-01-31T12:00:00Z'],
    ['2026-01-31T00:30:00.25-05:45', '2026-01-31T06:15:00.250Z'],
    ['2024-02-29T23:59:59-00:01', '2024-03-01T00:00:59Z'],
    ['1969-12-31T23:59:59.75Z', '1969-12-31T23:59:59.750Z'],
  ])('at %s is dated %s', async (deployedAt, expected) => {
    const { answer } = await record(await sharedProject(), { ...GOOD, deployedAt })
    expect(answer.deploy.deployedAt).toBe(expected)
  })

  it('may be dated up to 24 hours ahead, for clocks that are wrong', async () => {
    const deployedAt = new Date(Date.now() + 23 * 3_600_000).toISOString()
    expect((await record(await sharedProject(), { ...GOOD, deployedAt })).status).toBe(201)
  })

  it.each(['Prod ', 'prod', 'PROD', ' ', 'prod\n', 'Prüfung 🚀', "'; DROP TABLE deploys; --"])(
    'keeps its environment %j to the letter',
    async (environment) => {
      const { answer } = await record(await sharedProject(), { ...GOOD, environment })
      expect(answer.deploy.environment).toBe(environment)
    },
  )

  it('takes every field at its longest', async () => {
    const name = '🚀'.repeat(255)
    const longest = {
      ...GOOD,
      sha: 'a'.repeat(255),
      environment: `${'🚀'.repeat(127)}x`,
      ref: name,
      author: name,
      externalId: name,
      message: 'ü'.repeat(10_000),
      url: `https://example.com/${'x'.repeat(2_028)}`,
      metadata: { a: 'x'.repeat(16 * 1024 - 8) },
    }
    const { status, answer } = await record(await newProject(), longest)
    expect(status).toBe(201)
    expect(answer.deploy).toMatchObject(longest)
  })

  it('lets nobody set what is ours to set', async () => {
    const [mine, theirs] = [await newProject(), await newProject()]
    const ours = { id: 'dep_mine', projectId: theirs.id, project_id: theirs.id, createdAt: '2020-01-01T00:00:00Z' }
    const { status, answer } = await record(mine, { ...GOOD, ...ours })
    expect(status).toBe(201)
    expect(answer.deploy.id).toMatch(DEPLOY_ID)
    expect(answer.deploy.createdAt).not.toBe(ours.createdAt)
    expect([await shasOf(mine), await shasOf(theirs)]).toEqual([[GOOD.sha], []])
  })
})

describe('a deploy with a known external id', () => {
  const full = {
    ...GOOD,
    externalId: 'run-1',
    status: 'failed',
    ref: 'main',
    message: 'first',
    author: 'Ada',
    url: 'https://ci.example.com/1',
    metadata: { a: 1, b: 2 },
  }

  it('is updated with 200: required fields change, omitted ones stay, the status becomes succeeded', async () => {
    const project = await newProject()
    const first = await record(project, full)
    const changed = { sha: 'd4e5f6', environment: 'Production', deployedAt: '2026-02-01T08:00:00Z' }
    const { status, answer } = await record(project, { ...changed, externalId: 'run-1' })
    expect(status).toBe(200)
    expect(answer.created).toBe(false)
    const { updatedAt, ...kept } = first.answer.deploy
    expect(answer.deploy).toEqual({ ...kept, ...changed, status: 'succeeded', updatedAt: expect.any(String) })
    expect(Date.parse(answer.deploy.updatedAt)).toBeGreaterThanOrEqual(Date.parse(updatedAt))
    expect(answer.url).toBe(first.answer.url)
    expect(await shasOf(project)).toEqual(['d4e5f6'])
  })

  it('loses the fields that are sent as null, and metadata is replaced as a whole', async () => {
    const project = await newProject()
    await record(project, full)
    const cleared = { ref: null, message: null, author: null, url: null, metadata: { c: 3 } }
    const { answer } = await record(project, { ...GOOD, externalId: 'run-1', status: 'cancelled', ...cleared })
    expect(answer.deploy).toMatchObject({ ...cleared, status: 'cancelled', externalId: 'run-1' })
    const { answer: empty } = await record(project, { ...GOOD, externalId: 'run-1', metadata: null })
    expect(empty.deploy.metadata).toBeNull()
  })

  it('is another one in another project, and in another letter case', async () => {
    const [mine, theirs] = [await newProject(), await newProject()]
    const sent = [
      await record(mine, { ...GOOD, externalId: 'Run' }),
      await record(mine, { ...GOOD, externalId: 'run' }),
      await record(theirs, { ...GOOD, externalId: 'run' }),
    ]
    expect(new Set(sent.map(({ answer }) => answer.deploy.id)).size).toBe(3)
    expect(sent.every(({ answer }) => answer.created)).toBe(true)
  })

  it('is one, created once, when 20 requests bring it at the same time', async () => {
    const project = await newProject()
    await expectOneOfMany(project, () => service)
  })
})

describe('the deploy before', () => {
  it('is the latest succeeded one of the same environment that is strictly earlier', async () => {
    const project = await newProject()
    const at = (minute: string) => `2026-01-31T12:${minute}:00Z`
    const send = async (sha: string, minute: string, more = {}) =>
      (await record(project, { ...GOOD, sha, deployedAt: at(minute), ...more })).answer.previousDeploy?.sha ?? null
    expect(await send('first', '10')).toBeNull()
    expect(await send('other environment', '11', { environment: 'Production' })).toBeNull()
    expect(await send('failed', '12', { status: 'failed' })).toBe('first')
    expect(await send('cancelled', '13', { status: 'cancelled' })).toBe('first')
    expect(await send('second', '14')).toBe('first')
    expect(await send('same minute as second', '14')).toBe('first')
    expect(await send('late arrival of an early one', '05')).toBeNull()
    expect(await send('third', '20')).toBe('same minute as second')
  })

  it('is shown whole', async () => {
    const project = await newProject()
    const first = await record(project, GOOD)
    const second = await record(project, { ...GOOD, sha: 'next', deployedAt: '2026-01-31T12:00:00.000001Z' })
    expect(second.answer.previousDeploy).toEqual(first.answer.deploy)
  })

  it('is never the deploy itself, also after it was updated to a later time', async () => {
    const project = await newProject()
    await record(project, { ...GOOD, externalId: 'x' })
    const { answer } = await record(project, { ...GOOD, externalId: 'x', deployedAt: '2026-02-01T12:00:00Z' })
    expect(answer.previousDeploy).toBeNull()
  })
})

describe('an acknowledged deploy', () => {
  it('outlives kill -9, although the command line has used the same store beside the service', async () => {
    const node = await startService({ engine: false })
    const { dataDir } = node
    const made = (await tidemark(['project', 'create', 'kept', '--json'], { dataDir })).json()
    const project = { ...made.project, ingestKey: made.ingestKey, readKey: made.readKey }
    expect((await record(project, GOOD, node)).status).toBe(201)
    expect((await tidemark(['project', 'list', '--json'], { dataDir })).code).toBe(0)
    expect((await record(project, { ...GOOD, sha: 'second' }, node)).status).toBe(201)
    for (const { pid } of node.nodes) process.kill(-pid, 'SIGKILL')
    await node.exited()
    expect((await shasOf(project, { dataDir })).sort()).toEqual([GOOD.sha, 'second'])
  })
})

describe('two nodes on one PostgreSQL', () => {
  const unavailable = postgresUnavailable()
  let server: TestPostgres | undefined

  afterAll(async () => server?.stop())

  it('record one deploy, created once, when 20 requests bring it to both at the same time', async (ctx) => {
    if (unavailable !== undefined) ctx.skip(unavailable)
    server = await startPostgres()
    const databaseUrl = await server.createDatabase()
    const env = {
      TIDEMARK_DATABASE_URL: databaseUrl,
      TIDEMARK_SECRET_KEY: 'a secret key for both nodes, 0123456789abcdef',
      TIDEMARK_PUBLIC_URL: PUBLIC_URL,
    }
    const nodes = await Promise.all([0, 1].map(() => startService({ env, engine: false })))
    const project = await createProject({ dataDir: '', databaseUrl }, 'shared')
    await expectOneOfMany(project, (index) => nodes[index % 2]!, databaseUrl)
  })
})

let shared: Promise<TestProject> | undefined
/** For deploys that do not care about each other. */
function sharedProject(): Promise<TestProject> {
  shared ??= newProject()
  return shared
}

async function expectOneOfMany(project: TestProject, nodeOf: (index: number) => Service, databaseUrl?: string) {
  const sent = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      record(project, { ...GOOD, sha: `try ${index}`, externalId: 'run-20' }, nodeOf(index)),
    ),
  )
  expect(sent.filter(({ answer }) => answer.created)).toHaveLength(1)
  expect(sent.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
  expect(new Set(sent.map(({ answer }) => answer.deploy.id)).size).toBe(1)
  const { dataDir } = nodeOf(0)
  expect(await shasOf(project, { dataDir, databaseUrl })).toEqual([expect.stringMatching(/^try \d+$/)])
}

async function record(
  { ingestKey }: TestProject,
  fields: Record<string, unknown>,
  node = service,
): Promise<{ status: number; headers: Headers; answer: DeployAnswer }> {
  const response = await fetch(`${node.url}/v1/deploys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ projectApiKey: ingestKey, ...fields }),
  })
  const body = await response.json()
  const answer = deployAnswer.parse(body)
  expect(answer).toEqual(body)
  return { status: response.status, headers: response.headers, answer }
}

async function shasOf({ id }: TestProject, where: { dataDir: string; databaseUrl?: string | undefined } = service) {
  const deploys = await withControl(where, (control) => control.deploys.list(id as never, { limit: 100 }))
  return deploys.map(({ sha }) => sha)
}
