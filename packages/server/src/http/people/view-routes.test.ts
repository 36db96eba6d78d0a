import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Control } from '../../control/open.ts'
import { controlBackends } from '../../testing/control.ts'
import { silentServer } from '../../testing/http-server.ts'
import { testPeople } from '../../testing/people.ts'
import { fakeReading } from '../../testing/reading.ts'
import type { HttpServer } from '../server.ts'
import { peopleRoutes } from './people-routes.ts'

const publicUrl = 'http://localhost:4700'
const backend = controlBackends()[0]!
const ROLES = { owner: 'owner', ada: 'member', grace: 'member', viewer: 'viewer', stranger: 'owner' } as const
let control: Control
let server: HttpServer
const tokens: Record<string, string> = {}
const projects: Record<string, string> = {}

beforeAll(async () => {
  control = await backend.open()
  server = silentServer(publicUrl)
  peopleRoutes(server.routes, {
    people: testPeople(control, publicUrl),
    reading: fakeReading({ records: [] }),
    publicUrl,
  })
  const change = { by: 'operator', nowMs: Date.now() }
  for (const name of ['shop', 'other']) {
    projects[name] = (await control.projects.create({ name, retentionDays: 30 }, change)).id
  }
  for (const [name, role] of Object.entries(ROLES)) {
    const account = { email: `${name}@example.com`, name, role: 'member', passwordHash: null } as const
    const person = await control.accounts.create(account, change)
    await control.members.add(projects[name === 'stranger' ? 'other' : 'shop'] as never, person.id, role, change)
    const session = { personId: person.id, origin: 'password', replaces: undefined, address: '' } as const
    tokens[name] = await control.sessions.open(session, Date.now())
  }
})
afterAll(async () => {
  await server.stop()
  await backend.close()
})

type Person = keyof typeof ROLES

async function ask(
  person: Person,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path = '',
  payload?: object,
  project = 'shop',
) {
  const answer = await server.routes.inject({
    method,
    url: `/api/projects/${projects[project]}/views${path}`,
    headers: { cookie: `tidemark_session=${tokens[person]}`, 'x-requested-with': 'tidemark' },
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, text: answer.body, body: answer.body === '' ? null : JSON.parse(answer.body) }
}
const save = async (person: Person, name: string, isShared: boolean) =>
  (await ask(person, 'POST', '', { name, isShared, search: { query: 'level:error' } })).body.view
const namesFor = async (person: Person) =>
  (await ask(person, 'GET')).body.views.map(({ name }: { name: string }) => name)

describe('saved views', () => {
  it('are saved with all that the address holds, listed, changed and deleted', async () => {
    const search = {
      query: 'level:error',
      from: '-1h',
      columns: 'host,user',
      view: 'groups',
      group: 'host',
      live: 'on',
    }
    const made = await ask('ada', 'POST', '', { name: 'Payments', search })
    expect(made.status).toBe(201)
    expect(made.body.view).toMatchObject({ name: 'Payments', isShared: false, search, owner: 'ada', canChange: true })
    const path = `/${made.body.view.id}`
    const changed = await ask('ada', 'PATCH', path, { name: 'Payment errors' })
    expect(changed.body.view).toMatchObject({ name: 'Payment errors', isShared: false, search })
    expect((await ask('ada', 'PATCH', path, { search: { query: 'x' } })).body.view.search).toEqual({ query: 'x' })
    expect(await namesFor('ada')).toEqual(['Payment errors'])
    expect((await ask('ada', 'DELETE', path)).status).toBe(204)
    expect((await ask('ada', 'DELETE', path)).status).toBe(404)
    expect(await namesFor('ada')).toEqual([])
  })

  it('that are not shared are nobody else’s, not even an owner’s', async () => {
    const { id } = await save('viewer', 'Private', false)
    expect(await namesFor('viewer')).toEqual(['Private'])
    for (const person of ['owner', 'ada'] as const) {
      expect(await namesFor(person)).toEqual([])
      expect((await ask(person, 'PATCH', `/${id}`, { name: 'Mine' })).status).toBe(404)
      expect((await ask(person, 'DELETE', `/${id}`)).status).toBe(404)
    }
    expect((await ask('viewer', 'DELETE', `/${id}`)).status).toBe(204)
  })

  it('that are shared are seen by all, and changed by who saved them and by owners', async () => {
    const { id } = await save('ada', 'Ours', true)
    const seen = async (person: Person) => (await ask(person, 'GET')).body.views[0]
    expect(await seen('grace')).toMatchObject({ name: 'Ours', owner: 'ada', canChange: false })
    expect(await seen('owner')).toMatchObject({ canChange: true })
    for (const person of ['grace', 'viewer'] as const) {
      const refused = await ask(person, 'PATCH', `/${id}`, { name: 'Theirs' })
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Save your own copy')])
      expect((await ask(person, 'DELETE', `/${id}`)).status).toBe(403)
    }
    expect((await ask('owner', 'PATCH', `/${id}`, { name: 'All of us' })).body.view).toMatchObject({
      name: 'All of us',
      owner: 'ada',
    })
    expect((await ask('ada', 'PATCH', `/${id}`, { isShared: false })).body.view.isShared).toBe(false)
    expect(await namesFor('grace')).toEqual([])
    expect((await ask('ada', 'DELETE', `/${id}`)).status).toBe(204)
  })

  it('are shared by members and owners, not by viewers', async () => {
    const refused = await ask('viewer', 'POST', '', { name: 'For all', isShared: true, search: {} })
    expect(refused.status).toBe(403)
    const { id } = await save('viewer', 'For me', false)
    expect((await ask('viewer', 'PATCH', `/${id}`, { isShared: true })).status).toBe(403)
    await ask('viewer', 'DELETE', `/${id}`)
  })

  it('are nothing for strangers, whatever project they name', async () => {
    const { id } = await save('owner', 'Ours', true)
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['PATCH', `/${id}`],
      ['DELETE', `/${id}`],
    ] as const) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : { name: 'x', search: {} }
      expect((await ask('stranger', method, path, body)).status).toBe(404)
    }
    expect((await ask('stranger', 'GET', '', undefined, 'other')).body).toEqual({ views: [] })
    expect((await ask('stranger', 'PATCH', `/${id}`, { name: 'x' }, 'other')).status).toBe(404)
    expect((await ask('stranger', 'DELETE', `/${id}`, undefined, 'other')).status).toBe(404)
    expect((await ask('owner', 'DELETE', `/${id}`)).status).toBe(204)
  })

  it.each([
    ['no name', { search: {} }, 'name'],
    ['an empty name', { name: ' ', search: {} }, 'must not be empty'],
    ['no search', { name: 'x' }, 'search'],
    ['a part that nobody knows', { name: 'x', search: { record: 'log_1' } }, 'record'],
    ['a query that cannot be read', { name: 'x', search: { query: '(a' } }, ')'],
    ['a query that is too long', { name: 'x', search: { query: 'a'.repeat(5_000) } }, '4,096'],
    ['a time that is none', { name: 'x', search: { from: 'soon' } }, 'is not a time'],
    ['a look that is none', { name: 'x', search: { view: 'pie' } }, 'view'],
    ['an owner of somebody’s choice', { name: 'x', search: {}, ownerId: 'usr_1' }, 'ownerId'],
  ])('%s is refused with what to do', async (_, body, words) => {
    const answer = await ask('ada', 'POST', '', body)
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(words)])
  })

  it('a name that is taken is refused with 409', async () => {
    const { id } = await save('ada', 'Twice', false)
    const again = await ask('ada', 'POST', '', { name: 'twice', search: {} })
    expect([again.status, again.body.error]).toEqual([
      409,
      expect.objectContaining({ fields: [{ path: 'name', message: 'is taken' }] }),
    ])
    await ask('ada', 'DELETE', `/${id}`)
  })
})
