import type { ProjectRole } from '@tidemark/wire/people/role'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { authenticateRead } from '../../control/keys/authenticate.ts'
import type { Control } from '../../control/open.ts'
import type { ProjectId } from '../../model/project.ts'
import { controlBackends } from '../../testing/control.ts'
import { errorGroup } from '../../testing/error-group.ts'
import { silentServer } from '../../testing/http-server.ts'
import { testPeople } from '../../testing/people.ts'
import { recordsInMemory } from '../../testing/records-in-memory.ts'
import { openReading } from '../../verbs/open-reading.ts'
import { apiRoutes } from '../api-routes.ts'
import type { HttpServer } from '../server.ts'
import { peopleRoutes } from './people-routes.ts'

const publicUrl = 'http://localhost:4700'
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

/** Both doors over a real control store, and a log store without records. */
function open() {
  const server = silentServer(publicUrl)
  servers.push(server)
  const { logs } = recordsInMemory([])
  const logStore = { project: () => logs } as never
  const reading = openReading({ control, logStore, secretKey: 'secret', publicUrl, now: Date.now })
  const people = testPeople(control, publicUrl, logStore)
  peopleRoutes(server.routes, { people, reading, publicUrl })
  apiRoutes(server.routes, { reading, authenticate: (header) => authenticateRead(control.keys, header) })
  return server.routes
}

async function newProject() {
  count += 1
  const { id } = await control.projects.create({ name: `Project ${count}`, retentionDays: 30 }, change())
  const groups = ['00000000000000aa', '00000000000000bb'].map((fingerprint) =>
    errorGroup(id, { fingerprint, atUs: (Date.now() - 60_000) * 1_000 }),
  )
  await control.analyses.record([{ segmentId: `seg_${id}`, groups }], Date.now())
  const analyses = await control.analyses.list(id, { sort: 'lastSeen', limit: 10 }, Date.now() * 1_000)
  return { id, analysisIds: analyses.map((analysis) => analysis.id) }
}

async function newPerson(projectId: ProjectId, role: ProjectRole): Promise<string> {
  count += 1
  const input = { email: `a${count}@example.com`, name: `Ada ${count}`, role: 'member', passwordHash: null } as const
  const person = await control.accounts.create(input, change())
  await control.members.add(projectId, person.id, role, change())
  const session = { personId: person.id, origin: 'password', replaces: undefined, address: '' } as const
  return control.sessions.open(session, Date.now())
}

function ask(
  routes: ReturnType<typeof open>,
  token: string,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  body?: object,
) {
  const headers = { cookie: `tidemark_session=${token}`, 'x-requested-with': 'tidemark' }
  return routes.inject({ method, url, headers, ...(body && { payload: body }) })
}

describe('a person', () => {
  it('resolves, ignores and reopens as a member, and gets the whole analysis back', async () => {
    const routes = open()
    const { id, analysisIds } = await newProject()
    const token = await newPerson(id, 'member')
    const path = `/api/projects/${id}/analyses/${analysisIds[0]}`
    for (const [action, state] of [
      ['resolve', 'resolved'],
      ['ignore', 'ignored'],
      ['reopen', 'new'],
    ] as const) {
      const answer = await ask(routes, token, 'POST', `${path}/state`, { action })
      expect(answer.statusCode).toBe(200)
      expect(answer.json().analysis).toMatchObject({
        id: analysisIds[0],
        state,
        stateChangedBy: expect.stringMatching(/^Ada/),
      })
      expect((await ask(routes, token, 'GET', path)).json().analysis.state).toBe(state)
    }
    const audit = await control.audit.list({ projectId: id, limit: 3 })
    expect(audit.map(({ action }) => action)).toEqual(['analysis.reopened', 'analysis.ignored', 'analysis.resolved'])
  })

  it('who only looks changes nothing, and who is of another project finds nothing', async () => {
    const routes = open()
    const [one, other] = [await newProject(), await newProject()]
    const viewer = await newPerson(one.id, 'viewer')
    const stranger = await newPerson(other.id, 'owner')
    const state = (project: string, analysis = '') => `/api/projects/${project}/analyses/${analysis}/state`
    const resolve = { action: 'resolve' }
    expect((await ask(routes, viewer, 'POST', state(one.id, one.analysisIds[0]), resolve)).statusCode).toBe(403)
    expect((await ask(routes, stranger, 'POST', state(one.id, one.analysisIds[0]), resolve)).statusCode).toBe(404)
    expect((await ask(routes, stranger, 'POST', state(other.id, one.analysisIds[0]), resolve)).statusCode).toBe(404)
    expect(
      (await ask(routes, stranger, 'GET', `/api/projects/${other.id}/analyses/${one.analysisIds[0]}`)).statusCode,
    ).toBe(404)
    const listed = (await ask(routes, viewer, 'GET', `/api/projects/${one.id}/analyses`)).json()
    expect(listed.analyses).toHaveLength(2)
    expect(listed.states).toMatchObject({ new: 2, resolved: 0 })
  })

  it('is told what is wrong with a change', async () => {
    const routes = open()
    const { id, analysisIds } = await newProject()
    const token = await newPerson(id, 'owner')
    const bad = await ask(routes, token, 'POST', `/api/projects/${id}/analyses/${analysisIds[0]}/state`, {
      action: 'close',
    })
    expect(bad.json().error.fields).toEqual([{ path: 'action', message: 'must be one of resolve, ignore, reopen' }])
    const rules = (body: object) => ask(routes, token, 'POST', `/api/projects/${id}/grouping-rules`, body)
    expect((await rules({ kind: 'join' })).json().error.fields).toEqual([
      { path: 'kind', message: 'must be one of merge, split, ignore' },
    ])
    expect((await rules({ kind: 'merge', analysisId: analysisIds[0] })).json().error.fields).toEqual([
      { path: 'intoAnalysisId', message: 'must be given' },
    ])
    expect((await rules({ kind: 'ignore' })).statusCode).toBe(400)
    expect((await rules({ kind: 'split', analysisId: 'ana_unknown', by: 'host' })).statusCode).toBe(404)
  })

  it('makes, sees and removes grouping rules as an owner, and not as a member', async () => {
    const routes = open()
    const { id, analysisIds } = await newProject()
    const [owner, member] = [await newPerson(id, 'owner'), await newPerson(id, 'member')]
    const path = `/api/projects/${id}/grouping-rules`
    const rule = { kind: 'merge', analysisId: analysisIds[0], intoAnalysisId: analysisIds[1] }
    expect((await ask(routes, member, 'POST', path, rule)).statusCode).toBe(403)
    expect((await ask(routes, member, 'GET', path)).statusCode).toBe(403)
    const added = await ask(routes, owner, 'POST', path, rule)
    expect(added.statusCode).toBe(201)
    expect((await ask(routes, owner, 'GET', path)).json().rules).toEqual([added.json()])
    expect(added.json()).toMatchObject({ kind: 'merge', createdBy: expect.stringMatching(/^Ada/) })
    const merged = await ask(routes, owner, 'GET', `/api/projects/${id}/analyses/${analysisIds[0]}`)
    expect(merged.json().analysis).toMatchObject({ id: analysisIds[1], count: 2 })
    expect((await ask(routes, member, 'DELETE', `${path}/${added.json().id}`)).statusCode).toBe(403)
    expect((await ask(routes, owner, 'DELETE', `${path}/${added.json().id}`)).statusCode).toBe(204)
    expect((await ask(routes, owner, 'DELETE', `${path}/${added.json().id}`)).statusCode).toBe(404)
  })
})

describe('a rule that ignores', () => {
  it('says how much it ignores, and is removed with or without putting that back', async () => {
    const routes = open()
    const { id, analysisIds } = await newProject()
    const owner = await newPerson(id, 'owner')
    const path = `/api/projects/${id}/grouping-rules`
    const add = () => ask(routes, owner, 'POST', path, { kind: 'ignore', type: 'Error' })
    const remove = async (ruleId: string, query = '') => ask(routes, owner, 'DELETE', `${path}/${ruleId}${query}`)
    const stateOf = async (analysisId = '') =>
      (await ask(routes, owner, 'GET', `/api/projects/${id}/analyses/${analysisId}`)).json().analysis.state
    const resolve = { action: 'resolve' }
    await ask(routes, owner, 'POST', `/api/projects/${id}/analyses/${analysisIds[0]}/state`, resolve)

    const added = (await add()).json()
    expect(added.ignored).toBe(2)
    expect((await ask(routes, owner, 'GET', path)).json().rules).toEqual([added])
    expect([await stateOf(analysisIds[0]), await stateOf(analysisIds[1])]).toEqual(['ignored', 'ignored'])
    const wrong = await remove(added.id, '?restore=yes')
    expect(wrong.statusCode).toBe(400)
    expect(wrong.json().error.fields).toEqual([{ path: 'restore', message: 'must be one of true, false' }])
    const restored = await remove(added.id, '?restore=true')
    expect([restored.statusCode, restored.json()]).toEqual([200, { restored: 2 }])
    expect([await stateOf(analysisIds[0]), await stateOf(analysisIds[1])]).toEqual(['resolved', 'new'])

    const again = (await add()).json()
    const removed = await remove(again.id)
    expect([removed.statusCode, removed.body]).toEqual([204, ''])
    expect(await stateOf(analysisIds[1])).toBe('ignored')
    expect((await remove(again.id, '?restore=true')).statusCode).toBe(404)
  })
})

describe('what people note', () => {
  const members = async (routes: ReturnType<typeof open>, token: string, id: string) =>
    (await ask(routes, token, 'GET', `/api/projects/${id}/members`)).json().members as {
      personId: string
      name: string
      role: string
    }[]

  it('is in the analysis that comes back, in the list and in the audit', async () => {
    const routes = open()
    const { id, analysisIds } = await newProject()
    const token = await newPerson(id, 'member')
    const [me] = (await members(routes, token, id)).filter(({ role }) => role === 'member')
    const path = `/api/projects/${id}/analyses/${analysisIds[0]}`
    await ask(routes, token, 'PUT', `${path}/assignee`, { personId: me?.personId })
    await ask(routes, token, 'PUT', `${path}/ticket`, { url: ' https://tickets.example/42?a=b#c ' })
    const commented = await ask(routes, token, 'POST', `${path}/comments`, { text: ' It is the cache\r\nI think ' })
    expect(commented.statusCode).toBe(201)
    const { notes, discussion } = commented.json().analysis
    expect(notes).toEqual({ assignee: me?.name, ticket: 'https://tickets.example/42?a=b#c', comments: 1 })
    expect(discussion).toMatchObject({
      assignee: { personId: me?.personId, name: me?.name, by: me?.name, at: expect.any(String) },
      ticket: { url: 'https://tickets.example/42?a=b#c', by: me?.name },
      comments: [{ authorId: me?.personId, author: me?.name, text: 'It is the cache\nI think', editedAt: null }],
    })
    const listed = (await ask(routes, token, 'GET', `/api/projects/${id}/analyses`)).json().analyses
    expect(listed.map((one: { id: string; notes: unknown }) => [one.id === analysisIds[0], one.notes])).toEqual(
      expect.arrayContaining([
        [true, notes],
        [false, null],
      ]),
    )
    const place = `${path}/comments/${discussion.comments[0].id}`
    const edited = await ask(routes, token, 'PATCH', place, { text: 'It was the cache' })
    expect(edited.json().analysis.discussion.comments).toMatchObject([
      { text: 'It was the cache', editedAt: expect.any(String) },
    ])
    const deleted = await ask(routes, token, 'DELETE', place)
    expect(deleted.json().analysis.notes.comments).toBe(0)
    const audit = await control.audit.list({ projectId: id, limit: 5 })
    expect(audit.map(({ action }) => action)).toEqual([
      'analysis.comment_deleted',
      'analysis.comment_edited',
      'analysis.commented',
      'analysis.linked',
      'analysis.assigned',
    ])
  })

  it('is for members and owners of the project, and comments are their author’s', async () => {
    const routes = open()
    const [one, other] = [await newProject(), await newProject()]
    const [viewer, member, owner] = [
      await newPerson(one.id, 'viewer'),
      await newPerson(one.id, 'member'),
      await newPerson(one.id, 'owner'),
    ]
    const stranger = await newPerson(other.id, 'owner')
    const path = `/api/projects/${one.id}/analyses/${one.analysisIds[0]}`
    const written = await ask(routes, member, 'POST', `${path}/comments`, { text: 'mine' })
    const comment = `${path}/comments/${written.json().analysis.discussion.comments[0].id}`
    const attempts = [
      ['PUT', `${path}/assignee`, { personId: null }],
      ['PUT', `${path}/ticket`, { url: null }],
      ['POST', `${path}/comments`, { text: 'x' }],
      ['PATCH', comment, { text: 'x' }],
      ['DELETE', comment, undefined],
      ['POST', `/api/projects/${one.id}/analyses/changes`, { ids: one.analysisIds, action: 'resolve' }],
      ['POST', `/api/projects/${one.id}/grouping-rules/preview`, { type: 'Error' }],
    ] as const
    for (const [method, url, body] of attempts) {
      expect((await ask(routes, viewer, method, url, body)).statusCode, `viewer ${method} ${url}`).toBe(403)
      expect((await ask(routes, stranger, method, url, body)).statusCode, `stranger ${method} ${url}`).toBe(404)
    }
    const theirs = comment.replace(one.id, other.id)
    expect((await ask(routes, stranger, 'DELETE', theirs)).statusCode).toBe(404)
    const many = { ids: one.analysisIds, action: 'resolve' }
    expect((await ask(routes, stranger, 'POST', `/api/projects/${other.id}/analyses/changes`, many)).statusCode).toBe(
      404,
    )
    expect((await ask(routes, owner, 'PATCH', comment, { text: 'x' })).statusCode).toBe(403)
    expect((await ask(routes, owner, 'DELETE', comment)).statusCode).toBe(200)
    expect((await ask(routes, member, 'DELETE', comment)).statusCode).toBe(404)
  })

  it('is refused with what is wrong with it', async () => {
    const routes = open()
    const [{ id, analysisIds }, other] = [await newProject(), await newProject()]
    const [token, stranger] = [await newPerson(id, 'owner'), await newPerson(other.id, 'member')]
    const [theirs] = (await members(routes, stranger, other.id)).filter(({ role }) => role === 'member')
    const path = `/api/projects/${id}/analyses/${analysisIds[0]}`
    const fault = async (method: 'PUT' | 'POST', url: string, body: object) => {
      const answer = await ask(routes, token, method, url, body)
      expect(answer.statusCode, JSON.stringify(body)).toBe(400)
      return answer.json().error.fields[0] as { path: string; message: string }
    }
    const tickets = [
      'http://tickets.example/1',
      'javascript:alert(1)',
      'https://',
      'https:tickets.example',
      'tickets.example/1',
      'https://a b',
      'https://tickets.example/\u202e1',
      'https://tickets.example/\u00ad1',
      'https:///tickets.example/1',
      '',
      'https://ada:secret@tickets.example/1',
    ]
    for (const url of tickets) expect((await fault('PUT', `${path}/ticket`, { url })).path).toBe('url')
    expect((await fault('PUT', `${path}/ticket`, { url: `https://t.example/${'x'.repeat(2_100)}` })).message).toBe(
      'is too long: at most 2,048 characters',
    )
    expect((await fault('POST', `${path}/comments`, { text: ' \n ' })).message).toBe('is empty: write something')
    expect((await fault('POST', `${path}/comments`, { text: 'x'.repeat(4_001) })).message).toBe(
      'is too long: at most 4,000 characters',
    )
    expect((await fault('POST', `${path}/comments`, { text: 'a\0b' })).path).toBe('text')
    for (const personId of [theirs?.personId, 'usr_none', '']) {
      expect((await fault('PUT', `${path}/assignee`, { personId })).message).toContain('not a member of this project')
    }
    const many = `/api/projects/${id}/analyses/changes`
    expect((await fault('POST', many, { ids: [], action: 'resolve' })).path).toBe('ids')
    expect((await fault('POST', many, { ids: Array(101).fill('ana_1'), action: 'resolve' })).message).toBe(
      'has too many entries: at most 100',
    )
    expect((await fault('POST', many, { ids: analysisIds })).path).toBe('action')
    expect((await fault('POST', many, { ids: analysisIds, action: 'resolve', personId: null })).path).toBe('action')
    expect((await fault('POST', many, { ids: analysisIds, personId: 'usr_none' })).path).toBe('personId')
    expect((await ask(routes, token, 'POST', `/api/projects/${id}/grouping-rules/preview`, {})).statusCode).toBe(400)
    expect(await control.analysisNotes.of(id, analysisIds)).toEqual(new Map())
  })
})

describe('many analyses at once', () => {
  it('are resolved, assigned and counted before a rule ignores them', async () => {
    const routes = open()
    const { id, analysisIds } = await newProject()
    const token = await newPerson(id, 'owner')
    const me = (await ask(routes, token, 'GET', `/api/projects/${id}/members`)).json().members[0].personId
    const many = (body: object) => ask(routes, token, 'POST', `/api/projects/${id}/analyses/changes`, body)
    expect((await many({ ids: analysisIds, action: 'resolve' })).json()).toEqual({ changed: 2 })
    expect((await many({ ids: [...analysisIds, ...analysisIds], personId: me })).json()).toEqual({ changed: 2 })
    expect((await many({ ids: [...analysisIds, 'ana_none'], action: 'reopen' })).statusCode).toBe(404)
    const listed = await ask(routes, token, 'GET', `/api/projects/${id}/analyses?state=resolved`)
    expect(listed.json().analyses).toHaveLength(2)
    const matching = (query: string) => ask(routes, token, 'GET', `/api/projects/${id}/analyses/matching?${query}`)
    const all = { analyses: [{ state: 'resolved' }, { state: 'resolved' }], total: 2 }
    expect((await matching('state=resolved')).json()).toMatchObject(all)
    expect((await matching('')).json()).toEqual({ analyses: [], total: 0 })
    expect((await matching('state=resolved&query=nothing')).json()).toEqual({ analyses: [], total: 0 })
    expect((await matching('limit=5')).statusCode).toBe(400)
    const stranger = await newPerson((await newProject()).id, 'owner')
    expect((await ask(routes, stranger, 'GET', `/api/projects/${id}/analyses/matching`)).statusCode).toBe(404)
    const preview = await ask(routes, token, 'POST', `/api/projects/${id}/grouping-rules/preview`, { type: 'Error' })
    expect(preview.json()).toMatchObject({ analyses: 2, errors: 2 })
    expect(preview.json().examples).toHaveLength(2)
  })
})

describe('a read key', () => {
  it('lists and opens analyses, and changes nothing', async () => {
    const routes = open()
    const { id, analysisIds } = await newProject()
    const { secret } = await control.keys.create(
      { projectId: id, kind: 'read', name: 'k', expiresAtMs: null },
      change(),
    )
    const headers = { authorization: `Bearer ${secret}` }
    const get = (url: string) => routes.inject({ url, headers })
    expect((await get('/api/analyses?sort=count&limit=1')).json()).toMatchObject({
      analyses: [{}],
      nextCursor: expect.any(String),
    })
    const one = await get(`/api/analyses/${analysisIds[0]}?include=deploy,stack`)
    expect(one.json().analysis).toMatchObject({
      id: analysisIds[0],
      correlatedDeployReason: 'no deploy was recorded yet',
    })
    const wrong = await get(`/api/analyses/${analysisIds[0]}?include=everything`)
    expect(wrong.json().error.fields[0]).toMatchObject({
      path: 'include',
      message: expect.stringMatching(/^must be one of/),
    })
    const post = { method: 'POST', headers: { ...headers, 'x-requested-with': 'tidemark' } } as const
    for (const url of [
      `/api/analyses/${analysisIds[0]}/state`,
      `/api/projects/${id}/analyses/${analysisIds[0]}/state`,
    ]) {
      const refused = await routes.inject({ ...post, url, payload: { action: 'resolve' } })
      expect([401, 404]).toContain(refused.statusCode)
    }
    expect((await control.analyses.get(id, analysisIds[0]!))?.status).toBe('open')
  })
})
