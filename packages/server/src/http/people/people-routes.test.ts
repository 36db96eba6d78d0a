import { request } from 'node:http'
import { ingestHealthAnswer } from '@tidemark/wire/people/ingest-health'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Control } from '../../control/open.ts'
import type { Caller } from '../../model/caller.ts'
import { controlBackends } from '../../testing/control.ts'
import { testPeople } from '../../testing/people.ts'
import { fakeReading } from '../../testing/reading.ts'
import { logRow } from '../../testing/reading-rows.ts'
import type { Reading } from '../../verbs/open-reading.ts'
import { createOwnerLink } from '../../verbs/people/owner-link.ts'
import { createHttpServer, type HttpServer } from '../server.ts'
import { peopleRoutes } from './people-routes.ts'

const OWN_PAGE = { 'x-requested-with': 'tidemark' }
const backend = controlBackends()[0]!
const servers: HttpServer[] = []
let control: Control
let count = 0

beforeAll(async () => {
  control = await backend.open()
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})
afterAll(() => backend.close())

const change = () => ({ by: 'operator', nowMs: Date.now() })

/** The door over a real control store; only the records are made up. */
function open(
  publicUrl = 'http://localhost:4700',
  reading: Reading = fakeReading({ records: [logRow(0)] }),
  trustedProxies: string[] = [],
  pastCounts = async () => [7],
) {
  const log = pino({ level: 'silent' })
  const server = createHttpServer({ log, publicUrl, urls: [], allowedHosts: [], trustedProxies })
  servers.push(server)
  const logStore = { project: () => ({ lastTimeUs: async () => null, pastCounts }) } as never
  peopleRoutes(server.routes, {
    people: testPeople(control, publicUrl, logStore),
    reading,
    publicUrl,
    recheckAfterMs: 20,
  })
  return server
}

async function newMember(role: 'owner' | 'member' | 'viewer' = 'viewer') {
  count += 1
  const input = { email: `p${count}@example.com`, name: 'P', role: 'member', passwordHash: null } as const
  const person = await control.accounts.create(input, change())
  const project = await control.projects.create({ name: `Project ${count}`, retentionDays: 30 }, change())
  await control.members.add(project.id, person.id, role, change())
  const session = { personId: person.id, origin: 'password', replaces: undefined, address: '' } as const
  return { person, project, token: await control.sessions.open(session, Date.now()) }
}

describe('a person', () => {
  it('reads with the role they have in the project, by the verbs that a read key uses', async () => {
    const callers: Caller[] = []
    const reading = fakeReading()
    const listDeploys: Reading['listDeploys'] = (caller, input) => {
      callers.push(caller)
      return reading.listDeploys(caller, input)
    }
    const { routes } = open(undefined, { ...reading, listDeploys })
    const { person, project, token } = await newMember()
    const url = `/api/projects/${project.id}/deploys?status=failed`
    const answer = await routes.inject({ url, headers: { cookie: `a=b; tidemark_session=${token}; c=d` } })
    expect(answer.statusCode).toBe(200)
    expect(callers).toEqual([{ kind: 'person', personId: person.id, role: 'viewer', project }])
    expect(reading.asked).toEqual([{ verb: 'listDeploys', input: { status: 'failed' }, signal: undefined }])
  })

  it('who is removed while an answer is worked on does not get it', async () => {
    const { person, project, token } = await newMember('owner')
    const pastCounts = async () => {
      await control.members.remove(project.id, person.id, change())
      await new Promise((resolve) => setTimeout(resolve, 40))
      return [7]
    }
    const { routes } = open(undefined, undefined, [], pastCounts)
    const url = `/api/projects/${project.id}/retention/preview`
    const headers = { ...OWN_PAGE, cookie: `tidemark_session=${token}` }
    const answer = await routes.inject({ method: 'POST', url, headers, payload: { retentionDays: 3 } })
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([401, ['error']])
  })

  it('who is removed loses the tail that is open', async () => {
    const reading = fakeReading()
    const server = open(undefined, {
      ...reading,
      async *tailLogs(_, __, signal) {
        yield { rows: [logRow(0)], dropped: 0 }
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      },
    })
    const { person, project, token } = await newMember()
    const port = await server.listen('127.0.0.1', 0)
    const path = `/api/projects/${project.id}/logs/tail`
    const headers = { cookie: `tidemark_session=${token}` }
    let text = ''
    let isClosed = false
    const asked = request({ port, host: '127.0.0.1', path, headers }, (response) => {
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.once('close', () => {
        isClosed = true
      })
    })
    asked.on('error', () => {}).end()
    await expect.poll(() => text).toContain('event: logs')
    await control.members.remove(project.id, person.id, change())
    await expect.poll(() => text, { timeout: 5_000 }).toContain('"code":"unauthorized"')
    await expect.poll(() => isClosed).toBe(true)
  })

  it.each(['', 'tidemark_session', 'tidemark_session=', 'tidemark_session=x', `other=${'A'.repeat(43)}`])(
    'is nobody with the cookie "%s"',
    async (cookie) => {
      const { routes } = open()
      const answer = await routes.inject({ url: '/api/session', headers: { cookie } })
      expect([answer.statusCode, answer.body]).toEqual([200, 'null'])
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      })
      for (const url of ['/api/projects', '/api/projects/prj_any', '/api/projects/prj_any/logs', '/api/audit']) {
        expect((await routes.inject({ url, headers: { cookie } })).statusCode, url).toBe(401)
      }
    },
  )
})

describe('the preview of a retention', () => {
  const preview = async (role: 'owner' | 'member', payload: object) => {
    const { project, token } = await newMember(role)
    const url = `/api/projects/${project.id}/retention/preview`
    const headers = { ...OWN_PAGE, cookie: `tidemark_session=${token}` }
    return open().routes.inject({ method: 'POST', url, headers, payload })
  }

  it('tells an owner how many records go, and since when they stay', async () => {
    const answer = await preview('owner', { retentionDays: 14 })
    expect(answer.statusCode).toBe(200)
    const past = [{ rule: null, keptSince: expect.stringMatching(/T00:00:00/), records: 7 }]
    expect(answer.json()).toEqual({ records: 7, past })
  })

  it.each([
    ['member', { retentionDays: 14 }, 403],
    ['owner', { retentionDays: 'soon' }, 400],
    ['owner', { retentionDays: 0 }, 400],
    ['owner', { retentionDays: 14, more: 1 }, 400],
    ['owner', { retentionRules: [{ days: 3 }] }, 400],
    ['owner', { retentionRules: [{ levels: ['loud'], days: 3 }] }, 400],
    ['owner', { retentionRules: [{ levels: ['debug'], days: 3, host: 'a' }] }, 400],
  ] as const)('for a %s who asks with %o is %d', async (role, input, status) => {
    expect((await preview(role, input)).statusCode).toBe(status)
  })
})

describe('guessing links', () => {
  it('ends for an address after 50 failures, and for no other address', async () => {
    const { routes } = open()
    const link = await createOwnerLink({ control, now: Date.now, publicUrl: 'http://localhost:4700' })
    const attempt = (token: string, remoteAddress: string) =>
      routes.inject({
        method: 'POST',
        url: '/api/session/owner-link',
        headers: OWN_PAGE,
        payload: { token },
        remoteAddress,
      })
    const guesses = []
    for (let guess = 0; guess < 51; guess += 1)
      guesses.push((await attempt(`guess-${guess}`, '198.51.100.7')).statusCode)
    expect(guesses).toEqual([...Array(50).fill(401), 429])
    const token = link?.split('#')[1] ?? ''
    const refused = await attempt(token, '198.51.100.7')
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500)
    expect((await attempt(token, '198.51.100.8')).statusCode).toBe(200)
  })
})

describe('behind a proxy', () => {
  const failures = async (routes: ReturnType<typeof open>['routes'], visitor: string) => {
    const guess = { method: 'POST', url: '/api/session/owner-link', payload: { token: 'guess' } } as const
    const headers = { ...OWN_PAGE, 'x-forwarded-for': visitor }
    const statuses = []
    for (let at = 0; at < 51; at += 1)
      statuses.push((await routes.inject({ ...guess, headers, remoteAddress: '203.0.113.9' })).statusCode)
    return statuses
  }

  it('visitors are told apart when the proxy is trusted', async () => {
    const { routes } = open(undefined, undefined, ['203.0.113.9'])
    expect((await failures(routes, '198.51.100.20')).at(-1)).toBe(429)
    expect((await failures(routes, '198.51.100.21')).at(0)).toBe(401)
  })

  it('nobody can choose an address by a header when it is not', async () => {
    const { routes } = open(undefined, undefined, ['192.0.2.1'])
    expect((await failures(routes, '198.51.100.30')).at(-1)).toBe(429)
    expect((await failures(routes, '198.51.100.31')).at(0)).toBe(429)
  })
})

describe('what a person sends', () => {
  it.each([
    [undefined, 'The body must be a JSON object with email, password.'],
    [[], 'The body must be a JSON object with email, password.'],
    [{ email: 7 }, 'The request is not valid: email must be of type string; password must be given.'],
    [
      { email: 'a@b', password: 'x', role: 'owner' },
      'The request is not valid: role is not a field here: leave it out.',
    ],
    [
      { email: 'a@b', password: 'x'.repeat(1_025) },
      'The request is not valid: password is too long: at most 1,024 characters.',
    ],
  ])('%j is refused with every fault by name', async (payload, message) => {
    const { routes } = open()
    const answer = await routes.inject({
      method: 'POST',
      url: '/api/session',
      headers: OWN_PAGE,
      ...(payload !== undefined && { payload }),
    })
    expect([answer.statusCode, answer.json().error.message]).toEqual([400, message])
  })
})

describe('the health of ingest', () => {
  const ask = async (projectId: string, token: string) =>
    open().routes.inject({
      url: `/api/projects/${projectId}/ingest-health`,
      headers: { cookie: `tidemark_session=${token}` },
    })

  it('tells members what came with each key of their project, and what was refused', async () => {
    const { project, token } = await newMember('member')
    const stranger = await newMember('owner')
    const make = async (projectId: string, name: string) =>
      (await control.keys.create({ projectId, kind: 'ingest', name, expiresAtMs: null }, change())).key
    const [key, other] = [await make(project.id, 'ci'), await make(stranger.project.id, 'theirs')]
    const nowMs = Date.now()
    control.ingestCounts.note({ projectId: project.id, keyId: key.id }, 'stored', 12, nowMs)
    control.ingestCounts.note({ projectId: project.id, keyId: key.id }, 'too_large', 2, nowMs)
    control.ingestCounts.note({ projectId: stranger.project.id, keyId: other.id }, 'malformed', 3, nowMs)
    const answer = await ask(project.id, token)
    expect(ingestHealthAnswer.parse(answer.json())).toEqual({
      keys: [
        {
          ...{ id: key.id, name: 'ci', lastFour: key.lastFour, state: 'active' },
          lastReceivedAt: new Date(nowMs).toISOString(),
          records: { lastDay: 12, lastWeek: 12 },
          refused: [{ reason: 'too_large', count: { lastDay: 2, lastWeek: 2 }, lastAt: new Date(nowMs).toISOString() }],
        },
      ],
    })
    expect((await ask(stranger.project.id, token)).statusCode).toBe(404)
  })

  it('is not for viewers, who see no keys', async () => {
    const { project, token } = await newMember('viewer')
    expect((await ask(project.id, token)).statusCode).toBe(403)
  })
})
