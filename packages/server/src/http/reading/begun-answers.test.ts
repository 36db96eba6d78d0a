import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { searchPath } from '@tidemark/wire/dashboard/api-paths'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Control } from '../../control/open.ts'
import { AppError } from '../../errors.ts'
import { controlBackends } from '../../testing/control.ts'
import { silentServer } from '../../testing/http-server.ts'
import { testPeople } from '../../testing/people.ts'
import { fakeReading } from '../../testing/reading.ts'
import { logRow } from '../../testing/reading-rows.ts'
import type { Reading } from '../../verbs/open-reading.ts'
import { pageRoutes } from '../pages.ts'
import { peopleRoutes } from '../people/people-routes.ts'
import type { HttpServer } from '../server.ts'
import { BegunAnswers } from './begun-answers.ts'

const PUBLIC_URL = 'http://localhost:4700'
const backend = controlBackends()[0]!
const servers: HttpServer[] = []
let control: Control
let webDir: string

beforeAll(async () => {
  control = await backend.open()
  webDir = mkdtempSync(join(tmpdir(), 'begun-'))
  mkdirSync(join(webDir, 'assets'))
  writeFileSync(join(webDir, 'index.html'), '<!doctype html>')
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})
afterAll(async () => {
  rmSync(webDir, { recursive: true, force: true })
  await backend.close()
})

/** The pages and the door for people over a real control store; `listLogs` tells how often it was asked. */
function open(answer: (times: number) => void = () => {}) {
  const reading = fakeReading({ records: [logRow(0)] })
  const asked: string[] = []
  const listLogs: Reading['listLogs'] = (caller, input) => {
    asked.push(caller.kind === 'person' ? caller.personId : caller.kind)
    answer(asked.length)
    return reading.listLogs(caller, input)
  }
  const server = silentServer()
  servers.push(server)
  const logStore = { project: () => ({ lastTimeUs: async () => null, pastCounts: async () => [] }) } as never
  const people = testPeople(control, PUBLIC_URL, logStore)
  const begun = peopleRoutes(server.routes, { people, reading: { ...reading, listLogs }, publicUrl: PUBLIC_URL })
  pageRoutes(server.routes, { webDir, begun })
  const get = (url: string, token: string | null, more: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    server.routes.inject({
      ...{ url, method },
      headers: { ...more, ...(token === null ? {} : { cookie: `other=1; tidemark_session=${token}` }) },
    })
  return { get, asked }
}

let made = 0
async function newMember() {
  made += 1
  const change = { by: 'operator', nowMs: Date.now() }
  const account = { email: `b${made}@example.com`, name: 'B', role: 'member', passwordHash: null } as const
  const person = await control.accounts.create(account, change)
  const project = await control.projects.create({ name: `Begun ${made}`, retentionDays: 30 }, change)
  await control.members.add(project.id, person.id, 'viewer', change)
  const opening = { personId: person.id, origin: 'password', replaces: undefined, address: '' } as const
  const token = await control.sessions.open(opening, Date.now())
  const page = `/projects/${project.id}/logs`
  return { person, project, token, page, api: `/api${page}?from=-1h&limit=200` }
}

it('is the answer to the request that the page sends, which is then made once', async () => {
  const { get, asked } = open()
  const { token, page, api, person } = await newMember()
  await get(page, token)
  const taken = await get(api, token)
  expect(asked).toEqual([person.id])
  expect(taken.statusCode).toBe(200)
  expect(taken.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(taken.headers['cache-control']).toBe('no-store')
  const again = await get(api, token)
  expect(asked).toHaveLength(2)
  expect(taken.json().rows).toEqual(again.json().rows)
  expect(taken.json().rows).toHaveLength(1)
})

it('is found by what a browser makes of its path', async () => {
  const { get, asked } = open()
  const { token, page, project } = await newMember()
  await get(`${page}?query=it's%20gone`, token)
  const filter = { query: "it's gone", environment: undefined, from: '-1h', to: undefined }
  const path = new URL(searchPath(project.id, filter, {}), PUBLIC_URL)
  expect(path.search).toContain('%27')
  expect((await get(path.pathname + path.search, token)).statusCode).toBe(200)
  expect(asked).toHaveLength(1)
})

it('is nobody else’s, and not an answer to another question', async () => {
  const { get, asked } = open()
  const [one, other] = [await newMember(), await newMember()]
  await get(one.page, one.token)
  expect((await get(one.api, other.token)).statusCode).toBe(404)
  expect((await get(one.api, null)).statusCode).toBe(401)
  expect((await get(`${one.api}&order=oldest`, one.token)).statusCode).toBe(200)
  expect(asked).toEqual([one.person.id, one.person.id])
})

it('is not given to a session that has ended, nor to somebody who is no longer a member', async () => {
  const { get } = open()
  const [left, removed] = [await newMember(), await newMember()]
  for (const { page, token } of [left, removed]) await get(page, token)
  await control.sessions.close(left.token, Date.now())
  await control.members.remove(removed.project.id, removed.person.id, { by: 'operator', nowMs: Date.now() })
  expect((await get(left.api, left.token)).statusCode).toBe(401)
  expect((await get(removed.api, removed.token)).statusCode).toBe(401)
})

it('is begun only for somebody who is signed in and opens the page', async () => {
  const { get, asked } = open()
  const { token, page, api } = await newMember()
  await get(page, null)
  await get(page, 'x'.repeat(43))
  await get(page, token, {}, 'HEAD')
  await get(page, token, { 'sec-purpose': 'prefetch' })
  await get('/projects', token)
  expect(asked).toEqual([])
  expect((await get(api, token)).statusCode).toBe(200)
  expect(asked).toHaveLength(1)
})

it('that failed is asked for again, so that a failure is told as it is', async () => {
  const { get } = open((times) => {
    if (times === 1) throw new AppError('rate_limited', 'Too much at once: try again.')
    if (times === 2) throw new AppError('invalid_request', 'No.')
  })
  const { token, page, api } = await newMember()
  await get(page, token)
  const answer = await get(api, token)
  expect([answer.statusCode, answer.json().error.message]).toEqual([400, 'No.'])
})

it('is kept for a moment, and only so many', async () => {
  let nowMs = 0
  const server = silentServer()
  servers.push(server)
  const asked: string[] = []
  const begun = new BegunAnswers({ tokenOf: ({ headers }) => headers.cookie, now: () => nowMs })
  server.routes.get('/document', async (request) => begun.begin(server.routes, request, '/answer'))
  server.routes.get('/answer', async (request) => {
    const text = await begun.take(request)
    if (text === null) asked.push(request.headers['x-tidemark-begun'] === undefined ? 'asked' : 'begun')
    return text ?? { asked: asked.length }
  })
  const get = (url: string, cookie: string) => server.routes.inject({ url, headers: { cookie } })
  await get('/document', 'a')
  nowMs = 5_001
  await get('/answer', 'a')
  expect(asked).toEqual(['begun', 'asked'])

  asked.length = 0
  for (let visitor = 0; visitor < 40; visitor++) await get('/document', `v${visitor}`)
  for (let visitor = 0; visitor < 40; visitor++) await get('/answer', `v${visitor}`)
  expect(asked).toEqual([...Array(32).fill('begun'), ...Array(8).fill('asked')])
})
