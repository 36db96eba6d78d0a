/** Reading over HTTP, against the built service and the real engine. */
import { request } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../packages/wire/src/time/units.ts'
import { get, type Parameters, sendDeploy, sendLogs, walk } from './support/clients/reading-api.ts'
import { createProject, type TestProject, withControl } from './support/service/ingest-project.ts'
import { type Service, sharedService } from './support/service/service.ts'
import { settled } from './support/service/settled.ts'

const RECORDS = 2_400

let service: Service
let project: TestProject
let startMs: number
const deployIds: string[] = []

beforeAll(async () => {
  service = await sharedService()
  project = await createProject(service, 'reading')
  startMs = Date.now() - 40 * MINUTE_MS
  await sendLogs(
    service,
    project,
    Array.from({ length: RECORDS }, (_, index) => ({
      message: index % 100 === 0 ? `payment ${index} refused` : `request ${index} served`,
      // Four records share each moment.
      timestamp: at(Math.floor(index / 4)),
      level: index % 100 === 0 ? 'error' : 'info',
      environment: index % 2 === 0 ? 'production' : 'staging',
      service: `service-${index % 3}`,
      host: `host-${index % 2}`,
      traceId: `trace-${Math.floor(index / 8)}`,
      attributes: { number: index, 'user.name': index % 5 === 0 ? 'ann' : 'bob' },
    })),
  )
  // One between records, one at the very time of some, one after all of them, and one that failed.
  for (const [moment, status] of [
    [100.5, 'succeeded'],
    [300, 'succeeded'],
    [599.5, 'succeeded'],
    [200, 'failed'],
  ] as const) {
    const deploy = { sha: `sha-${moment}`, environment: 'production', deployedAt: at(moment), status }
    const id = await sendDeploy(service, project, deploy)
    if (status === 'succeeded') deployIds.push(id)
  }
  await settled(service)
}, 240_000)

/** Ten moments a minute… a whole hundred of them lies in a few minutes, so that pages stay within one window. */
function at(moment: number): string {
  return new Date(startMs + moment * 1_000).toISOString()
}

const ask = (path: string, parameters: Parameters = {}) => get(service, project.readKey, path, parameters)

describe('a search', () => {
  it('gives every record and deploy once, page by page, although more arrive', async () => {
    for (const order of ['newest', 'oldest']) {
      let page = 0
      const rows = await walk(service, project.readKey, { order, limit: 499, query: 'number:<2400' }, async () => {
        await sendLogs(service, project, [
          { message: 'arrived meanwhile', timestamp: at(650 + page), attributes: { number: 9_999 } },
        ])
        page++
      })
      const records = rows.filter(({ kind }) => kind === 'log')
      expect(records).toHaveLength(RECORDS)
      expect(new Set(rows.map(({ id }) => id)).size).toBe(RECORDS + 3)
      const times = rows.map(({ timestamp }) => Date.parse(timestamp))
      const sorted = times.toSorted((a, b) => (order === 'newest' ? b - a : a - b))
      expect(times).toEqual(sorted)
      const deploys = rows.filter(({ kind }) => kind === 'deploy').map(({ id }) => id)
      expect(deploys).toEqual(order === 'oldest' ? deployIds : deployIds.toReversed())
      const same = rows.filter(({ timestamp }) => Date.parse(timestamp) === Date.parse(at(300)))
      const kinds = ['deploy', 'log', 'log', 'log', 'log']
      expect(same.map(({ kind }) => kind)).toEqual(order === 'oldest' ? kinds : kinds.toReversed())
    }
  })

  it('warns of a field that no record has and says what was meant', async () => {
    const { body } = await ask('/api/logs', { query: 'user.nam:ann' })
    expect(body.warnings).toEqual([
      {
        message: 'No record has a field "user.nam". Did you mean "user.name"?',
        from: 0,
        to: 12,
        suggestions: ['user.name'],
      },
    ])
  })

  it('says why it found nothing, and where there is something', async () => {
    const why = async (parameters: Parameters) => (await ask('/api/logs', parameters)).body.empty
    expect(await why({ query: 'unheardof', environment: 'staging' })).toMatch(
      /^[\d,]+ records are in this window, but none/,
    )
    expect(await why({ environment: 'Staging' })).toContain('Did you mean "staging"? Names match exactly.')
    expect(await why({ from: '-20h', to: '-19h' })).toContain('The last record is from ')
    const empty = await createProject(service, 'empty')
    const { body } = await get(service, empty.readKey, '/api/logs')
    expect(body).toMatchObject({ rows: [], nextCursor: null })
    expect(body.empty).toMatch(/^The project has no records yet\. Send some to http/)
  })
})

describe('the other questions', () => {
  it('count over time and by field, with the deploys', async () => {
    const { body } = await ask('/api/logs/count', {
      query: 'number:<2400',
      groupBy: ['level', 'user.name'],
      bucket: '10m',
      compare: 'previous',
    })
    expect(body.total).toBe(RECORDS)
    expect(body.groups).toEqual([
      { values: ['info', 'bob'], count: 1_920 },
      { values: ['info', 'ann'], count: 456 },
      { values: ['error', 'ann'], count: 24 },
    ])
    expect(body.bucketSeconds).toBe(600)
    const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
    expect(sum(body.buckets.map(({ count }: { count: number }) => count))).toBe(RECORDS)
    expect(sum(body.buckets.map(({ by }: { by: Record<string, number> }) => by.error ?? 0))).toBe(24)
    expect(body.deploys.map(({ id }: { id: string }) => id)).toEqual(deployIds.toReversed())
    expect(body.previous.total).toBe(0)
  })

  it('list fields and the values of one', async () => {
    const { body } = await ask('/api/logs/fields', { query: 'number:<2400' })
    expect(body.sampled).toBe(RECORDS)
    expect(body.fields).toContainEqual({
      name: 'user.name',
      kind: 'attribute',
      type: 'text',
      coverage: 1,
      sampled: RECORDS,
      distinct: 2,
      values: [
        { value: 'bob', count: 1_920 },
        { value: 'ann', count: 480 },
      ],
    })
    const values = await ask('/api/logs/fields', { name: 'host', query: 'number:<2400' })
    expect(values.body.fields[0].values.map(({ count }: { count: number }) => count)).toEqual([1_200, 1_200])
  })

  it('show a record among its neighbours, with the deploy that was running', async () => {
    const found = await ask('/api/logs', { query: 'number:1600' })
    const [{ id }] = found.body.rows.filter(({ kind }: { kind: string }) => kind === 'log')
    const numbers = (rows: { attributes: { number: number } }[]) => rows.map(({ attributes }) => attributes.number)
    const around = async (by: string) => (await ask(`/api/logs/${id}/context`, { by, before: 2, after: 2 })).body
    const byTrace = await around('trace')
    expect([numbers(byTrace.before), numbers(byTrace.after)]).toEqual([[], [1_601, 1_602]])
    const byTime = await around('time')
    expect([numbers(byTime.before), numbers(byTime.after)]).toEqual([
      [1_596, 1_598],
      [1_602, 1_604],
    ])
    expect(byTime.deploy).toMatchObject({ id: deployIds[1], elapsedSeconds: 100 })
    expect((await ask('/api/logs/log_nonsense/context')).status).toBe(404)
  })

  it('describe the project and list deploys of every status', async () => {
    const { body } = await ask('/api/project')
    expect(body).toMatchObject({ id: project.id, name: project.name, lastDeploy: { id: deployIds[2] } })
    expect(body.environments.toSorted()).toEqual(['production', 'staging'])
    expect(body.services.toSorted()).toEqual(['service-0', 'service-1', 'service-2'])
    const first = (await ask('/api/deploys', { limit: 3 })).body
    const second = (await ask('/api/deploys', { limit: 3, cursor: first.nextCursor })).body
    const statuses = [...first.deploys, ...second.deploys].map(({ status }: { status: string }) => status)
    expect(statuses).toEqual(['succeeded', 'succeeded', 'failed', 'succeeded'])
    expect(second.nextCursor).toBeNull()
  })

  it('export everything that matches', async () => {
    const ndjson = await ask('/api/logs/export', { query: 'number:<2400' })
    const rows = ndjson.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(new Set(rows.map(({ id }) => id)).size).toBe(RECORDS)
    expect(ndjson.headers.get('content-disposition')).toMatch(/^attachment; filename="/)
    expect(ndjson.headers.get('x-tidemark-records')).toBe(String(RECORDS))
    expect(ndjson.headers.get('x-tidemark-left-out')).toBe('0')
    const [entry] = await withControl(service, ({ audit }) => audit.list({ limit: 1 }))
    expect(entry).toMatchObject({ action: 'logs.exported', details: { query: 'number:<2400', records: RECORDS } })
    const csv = await ask('/api/logs/export', { query: 'refused', format: 'csv' })
    expect(csv.text.trimEnd().split('\r\n')).toHaveLength(1 + RECORDS / 100)
  })
})

describe('a tail', () => {
  it('shows each record that arrives once and ends when its key is revoked', async () => {
    const key = await withControl(service, (control) =>
      control.keys.create(
        { projectId: project.id, kind: 'read', name: 'tail', expiresAtMs: null },
        { by: 'operator', nowMs: Date.now() },
      ),
    )
    let text = ''
    let isClosed = false
    const asked = request(
      `${service.url}/api/logs/tail?query=tailed`,
      { headers: { authorization: `Bearer ${key.secret}` } },
      (response) => {
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.on('close', () => {
          isClosed = true
        })
      },
    )
    asked.end()
    await expect.poll(() => text).toContain(': connected')
    // What is there before the tail has looked for the first time is not new, so each is sent until one is seen.
    const sent: string[] = []
    const seen = () => [...text.matchAll(/"message":"tailed (\d+)"/g)].map(([, number]) => number)
    const send = async (count: number) => {
      for (let index = 0; index < count; index++) {
        sent.push(String(sent.length))
        await sendLogs(service, project, [{ message: `tailed ${sent.length - 1}` }, { message: 'not for you' }])
      }
    }
    await expect
      .poll(async () => send(1).then(() => seen().length), { timeout: 60_000, interval: 500 })
      .toBeGreaterThan(0)
    await send(5)
    await expect.poll(() => seen().at(-1), { timeout: 60_000 }).toBe(sent.at(-1))
    expect(seen()).toEqual(sent.slice(Number(seen()[0])))
    expect(text).not.toContain('not for you')

    await withControl(service, (control) =>
      control.keys.revoke(key.key.id, { by: 'operator', nowMs: Date.now() }, project.id),
    )
    await expect.poll(() => text).toContain('event: end\ndata: {"error":{"code":"unauthorized"')
    await expect.poll(() => isClosed).toBe(true)
  })
})

describe('a hostile question', () => {
  const HOSTILE: [string, Parameters][] = [
    ['a thousand terms', { query: Array.from({ length: 600 }, (_, index) => `a${index}`).join(' OR ') }],
    ['deep nesting', { query: `${'('.repeat(500)}a${')'.repeat(500)}` }],
    ['a huge regular expression', { query: `/${'(a|b)'.repeat(600)}/` }],
    ['a regular expression that multiplies', { query: '/((a{100}){100}){100}/' }],
    ['a wildcard of 1,500 stars', { query: `message:${'*a'.repeat(1_500)}` }],
    ['large patterns together', { query: Array.from({ length: 40 }, () => `/a${'[ab]{40}'}c/`).join(' OR ') }],
    ['a query that is no query', { query: '"open ( [ /' }],
    ['too many groups', { groupBy: ['a', 'b', 'c', 'd'] }],
    ['a million buckets', { bucket: '1s', from: '-30d' }],
    ['a time that is none', { from: '9'.repeat(60) }],
    ['a time beyond all times', { from: '99999-01-01' }],
    ['a foreign parameter', { project: 'prj_other' }],
  ]

  it('is refused with what to do', async () => {
    for (const [what, parameters] of HOSTILE) {
      const path = 'groupBy' in parameters || 'bucket' in parameters ? '/api/logs/count' : '/api/logs'
      const { status, body } = await ask(path, parameters)
      expect(status, what).toBe(400)
      expect(body.error.code, what).toBe('invalid_request')
      expect(body.error.message, what).toMatch(/[.)]$|\w$/)
      expect(body.error.fields?.length, what).toBeGreaterThan(0)
    }
  })

  it('about ten years is answered for what is kept, and says so', async () => {
    const { status, body } = await ask('/api/logs', { from: '-520w', limit: 1 })
    expect(status).toBe(200)
    expect(body.warnings[0].message).toMatch(/^Records are kept for 30 days, so the window was shortened/)
    expect(Date.parse(body.window.to) - Date.parse(body.window.from)).toBe(31 * 86_400_000)
  })
})
