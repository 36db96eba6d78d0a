import { repositoryAnswer } from '@tidemark/wire/repository'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Control } from '../../control/open.ts'
import { createAddressGuard } from '../../outbound/address-guard.ts'
import { createCheckRemote } from '../../repository/check-remote.ts'
import { openMirrors } from '../../repository/mirror/mirrors.ts'
import { startMirrorKeeper } from '../../repository/mirror-keeper.ts'
import { createRemotes } from '../../repository/remotes.ts'
import { createSource, type SourceRepository, temporaryFolder } from '../../repository/testing/source-repository.ts'
import { controlBackends } from '../../testing/control.ts'
import { testPeople } from '../../testing/people.ts'
import { converse } from '../../testing/raw-http.ts'
import { fakeReading } from '../../testing/reading.ts'
import { openRepositoryVerbs } from '../../verbs/repository.ts'
import { createHttpServer, type HttpServer } from '../server.ts'
import { peopleRoutes } from './people-routes.ts'

const told: { level: number }[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void told.push(JSON.parse(line)) })
const publicUrl = 'http://localhost:4700'
const backend = controlBackends()[0]!
const folder = temporaryFolder()
let control: Control
let keeper: ReturnType<typeof startMirrorKeeper>
let server: HttpServer
let source: SourceRepository
let projectId: string
const tokens: Record<string, string> = {}

beforeAll(async () => {
  control = await backend.open()
  const dataDir = folder.path
  const checkHost = createAddressGuard({ allowPrivate: true, resolve: async () => [] })
  const remotes = createRemotes({ dataDir, secretKey: 's'.repeat(32), allowLocal: true, checkHost })
  const { repositories } = control
  const check = createCheckRemote({ repositories, remotes })
  keeper = startMirrorKeeper({ repositories, remotes, mirrors: openMirrors(remotes.git, Date.now()), check, log })
  server = createHttpServer({ log, publicUrl, urls: [], allowedHosts: [] })
  peopleRoutes(server.routes, {
    people: testPeople(control, publicUrl),
    reading: fakeReading({ records: [] }),
    repository: openRepositoryVerbs({ control, remotes, check, keeper, now: Date.now }),
    publicUrl,
  })
  source = createSource(folder.path)
  source.commit()
  const change = { by: 'operator', nowMs: Date.now() }
  const project = await control.projects.create({ name: 'shop', retentionDays: 30 }, change)
  projectId = project.id
  for (const role of ['owner', 'member', 'viewer'] as const) {
    const account = { email: `${role}@example.com`, name: role, role: 'member', passwordHash: null } as const
    const person = await control.accounts.create(account, change)
    await control.members.add(project.id, person.id, role, change)
    const session = { personId: person.id, origin: 'password', replaces: undefined, address: '' } as const
    tokens[role] = await control.sessions.open(session, Date.now())
  }
})
afterAll(async () => {
  await keeper.close()
  await server.stop()
  await backend.close()
  folder.remove()
})

async function ask(role: string, method: 'GET' | 'PUT' | 'POST' | 'DELETE', payload?: object, path = '') {
  const answer = await server.routes.inject({
    method,
    url: `/api/projects/${projectId}/repository${path}`,
    headers: { cookie: `tidemark_session=${tokens[role]}`, 'x-requested-with': 'tidemark' },
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() }
}

describe('the repository of a project', () => {
  it('is connected by an owner, seen by every member, synced and disconnected', async () => {
    expect(await ask('viewer', 'GET')).toEqual({ status: 200, body: { repository: null } })
    const connected = await ask('owner', 'PUT', { url: source.path, branch: null })
    expect(connected.status).toBe(200)
    expect(repositoryAnswer.strict().parse(connected.body).repository).toMatchObject({
      url: source.path,
      kind: 'local',
      credential: 'none',
      defaultBranch: 'main',
      state: 'ready',
    })
    expect((await ask('viewer', 'GET')).body).toEqual(connected.body)
    const sha = source.commit()
    expect(await ask('member', 'POST', undefined, '/sync')).toMatchObject({
      status: 200,
      body: { repository: { headSha: sha, state: 'ready' } },
    })
    expect(await ask('owner', 'DELETE')).toEqual({ status: 204, body: undefined })
    expect((await ask('owner', 'GET')).body).toEqual({ repository: null })
    expect((await ask('owner', 'POST', undefined, '/sync')).status).toBe(404)
  })

  it.each([
    ['a host that nobody listens on', 'https://127.0.0.1:1/shop.git', /cannot be reached on port 1: check the address/],
    ['a path that is not there', '/nowhere/shop.git', /check the path/],
    ['a name that does not resolve', 'https://nowhere.invalid/shop.git', /cannot be found: check/],
  ])("at %s is the asker's to mend: 400, and no error of ours", async (_, url, message) => {
    told.length = 0
    const { status, body } = await ask('owner', 'PUT', { url })
    expect([status, body.error.code]).toEqual([400, 'invalid_request'])
    expect(body.error.message).toMatch(message)
    expect(told.filter(({ level }) => level >= 50)).toEqual([])
  })

  it('is refused to a stranger who asks before sending a body, without the body being asked for', async () => {
    const talk = await converse(await server.listen('127.0.0.1', 0))
    const head = [
      'Host: localhost',
      'X-Requested-With: tidemark',
      'Content-Type: application/json',
      'Content-Length: 9',
    ]
    const path = `/api/projects/${projectId}/repository`
    await talk.write([`PUT ${path} HTTP/1.1`, ...head, 'Expect: 100-continue', '', ''].join('\r\n'))
    expect(await talk.ended).toMatch(/^HTTP\/1\.1 401 /)
    talk.close()
  })

  it('is disconnected by a client that names the type of a body it does not send', async () => {
    await ask('owner', 'PUT', { url: source.path })
    const headers = {
      cookie: `tidemark_session=${tokens.owner}`,
      'x-requested-with': 'tidemark',
      'content-type': 'application/json',
    }
    const url = `/api/projects/${projectId}/repository`
    expect((await server.routes.inject({ method: 'DELETE', url, headers })).statusCode).toBe(204)
  })

  it('is not for others to change', async () => {
    for (const [role, method, payload, path] of [
      ['member', 'PUT', { url: source.path }, ''],
      ['viewer', 'PUT', { url: source.path }, ''],
      ['member', 'DELETE', undefined, ''],
      ['viewer', 'POST', undefined, '/sync'],
    ] as const)
      expect((await ask(role, method, payload, path)).status, `${role} ${method}`).toBe(403)
    tokens.nobody = 'x'
    expect((await ask('nobody', 'GET')).status).toBe(401)
  })

  it.each([
    [{}, 'url'],
    [{ url: 7 }, 'url'],
    [{ url: 'ext::sh' }, 'url'],
    [{ url: 'https://a:secretword@github.com/x.git' }, 'url'],
    [{ url: '/x', branch: '--upload-pack=x' }, 'branch'],
    [{ url: 'https://github.com/x.git', token: 'secret word' }, 'token'],
    [{ url: 'git@github.com:x.git', deployKey: 'secretword' }, 'deployKey'],
    [{ url: '/x', password: 'secretword' }, 'password'],
  ])('%j is refused by the name of the field, without what is secret', async (payload, path) => {
    const { status, body } = await ask('owner', 'PUT', payload)
    expect([status, body.error.fields.map((field: { path: string }) => field.path)]).toEqual([400, [path]])
    expect(JSON.stringify(body)).not.toMatch(/secret ?word/)
  })
})
