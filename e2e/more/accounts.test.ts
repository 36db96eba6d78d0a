import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashPassword } from '../../packages/server/src/control/accounts/password.ts'
import { type Control, openControl } from '../../packages/server/src/control/open.ts'
import { sessionAnswer } from '../../packages/wire/src/people/account.ts'
import { createdKeyAnswer, keysAnswer } from '../../packages/wire/src/people/key.ts'
import {
  createdInvitationAnswer,
  invitationPreviewAnswer,
  membersAnswer,
} from '../../packages/wire/src/people/member.ts'
import type { ProjectRole } from '../../packages/wire/src/people/role.ts'
import { createdProjectAnswer, projectSettingsAnswer } from '../../packages/wire/src/project.ts'
import { deployDetailAnswer } from '../../packages/wire/src/reading/deploys.ts'
import { type Service, startService } from '../support/service/service.ts'
import { storesOf } from '../support/service/stores.ts'

const PASSWORD = 'correct horse battery'
const OWN_PAGE = { 'X-Requested-With': 'tidemark' }

let service: Service
/** The same database beside the service, to arrange what a test is not about. */
let control: Control
let count = 0

beforeAll(async () => {
  // People belong to all of the service.
  service = await startService()
  const { TIDEMARK_DATABASE_URL: databaseUrl } = await storesOf(service.dataDir)
  control = await openControl({ databaseUrl, dataDir: service.dataDir })
  const passwordHash = await hashPassword(PASSWORD)
  await control.accounts.create({ email: 'ada@example.com', name: 'Ada', role: 'owner', passwordHash }, change())
})
afterAll(() => control?.close())

const change = () => ({ by: 'operator', nowMs: Date.now() })

type Answer = {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asks for
  json: any
  /** The session the answer sets, if it does. */
  session: string | undefined
}
type Ask = { session?: string | undefined; body?: unknown; headers?: Record<string, string>; at?: Service }

async function ask(
  method: string,
  path: string,
  { session, body, headers = OWN_PAGE, at = service }: Ask = {},
): Promise<Answer> {
  const response = await fetch(at.url + path, {
    method,
    headers: {
      ...headers,
      ...(session !== undefined && { Cookie: `tidemark_session=${session}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  })
  const contentType = response.headers.get('content-type') ?? ''
  const isStream = contentType.startsWith('text/event-stream')
  if (isStream) await response.body?.cancel()
  const text = isStream ? '' : await response.text()
  const cookie = response.headers.get('set-cookie') ?? ''
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: contentType.startsWith('application/json') ? JSON.parse(text) : undefined,
    session: /^(?:__Host-tidemark|tidemark_session)=([^;]+);/.exec(cookie)?.[1],
  }
}

const ownerToken = ({ output }: Service) => /\/welcome#(\S+)/.exec(output())?.[1] ?? ''

async function newPerson(
  email = `person${++count}@example.com`,
): Promise<{ id: string; email: string; session: string }> {
  const input = { email, name: `Person ${count}`, role: 'member', passwordHash: null } as const
  const { id } = await control.accounts.create(input, change())
  return { id, email, session: await openSession(id) }
}

function openSession(personId: string): Promise<string> {
  return control.sessions.open({ personId, origin: 'password', replaces: undefined, address: '' }, Date.now())
}

async function newProject(members: { id: string; role: ProjectRole }[] = []) {
  const project = await control.projects.create({ name: `canary-${++count}-x`, retentionDays: 30 }, change())
  for (const { id, role } of members) await control.members.add(project.id, id, role, change())
  return project
}

describe('the owner link', () => {
  it('makes whoever opens it first the owner, once, and comes back at each start until there is a password', async () => {
    let at = await startService({ engine: false })
    const { dataDir } = at
    const token = ownerToken(at)
    const first = await ask('POST', '/api/session/owner-link', { at, body: { token } })
    expect(first.status).toBe(200)
    expect(sessionAnswer.parse(first.json)).toMatchObject({
      person: { email: 'owner@localhost', role: 'owner', hasPassword: false },
      canCreateProjects: true,
      needsCurrentPassword: false,
    })
    const second = await ask('POST', '/api/session/owner-link', { at, body: { token } })
    expect([second.status, second.session]).toEqual([401, undefined])
    expect((await ask('GET', '/api/session', { at, session: first.session })).status).toBe(200)

    await at.stop()
    at = await startService({ dataDir, engine: false })
    const again = await ask('POST', '/api/session/owner-link', { at, body: { token: ownerToken(at) } })
    expect(again.json.person.id).toBe(first.json.person.id)

    const me = { email: 'grace@example.com', name: 'Grace', password: PASSWORD }
    const changed = await ask('PUT', '/api/me', { at, session: again.session, body: me })
    expect(changed.json.person).toMatchObject({ email: 'grace@example.com', name: 'Grace', hasPassword: true })
    // The other session ends with the new password; this one goes on and needs the password for the next change.
    expect((await ask('GET', '/api/session', { at, session: first.session })).json).toBeNull()
    const next = { ...me, password: 'another horse 7' }
    const third = await ask('PUT', '/api/me', { at, session: again.session, body: next })
    expect([third.status, third.json.error.fields[0].path]).toEqual([403, 'currentPassword'])
    const fourth = { ...next, currentPassword: PASSWORD }
    expect((await ask('PUT', '/api/me', { at, session: again.session, body: fourth })).status).toBe(200)

    await at.stop()
    at = await startService({ dataDir, engine: false })
    expect(at.output()).not.toContain('/welcome#')
    await at.stop()
  })
})

describe('signing in', () => {
  it('takes the e-mail in any letter case and sets a fresh cookie that no script can read', async () => {
    const before = await newPerson()
    const input = { email: 'ADA@example.com', password: PASSWORD }
    const { status, headers, session } = await ask('POST', '/api/session', { session: before.session, body: input })
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('set-cookie')).toMatch(
      /^tidemark_session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    )
    expect(session).not.toBe(before.session)
    expect((await ask('GET', '/api/session', { session: before.session })).json).toBeNull()
    expect((await ask('GET', '/api/session', { session })).json.person.name).toBe('Ada')
  })

  it('ends with signing out, on the server too', async () => {
    const { session } = await newPerson()
    const out = await ask('DELETE', '/api/session', { session })
    expect(out.status).toBe(204)
    expect(out.headers.get('set-cookie')).toMatch(/^tidemark_session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax$/)
    expect((await ask('GET', '/api/session', { session })).json).toBeNull()
    expect((await ask('DELETE', '/api/session')).status).toBe(204)
  })

  it('answers a wrong password and an unknown person alike, and makes both wait after ten failures', async () => {
    const known = await newPerson()
    const attempt = (email: string) => ask('POST', '/api/session', { body: { email, password: 'wrong password' } })
    const failures = async (email: string) => {
      // All at the same moment: each is counted before its password is compared.
      const answers = await Promise.all(Array.from({ length: 12 }, () => attempt(email)))
      return answers.sort((a, b) => a.status - b.status)
    }
    const [ofKnown, ofUnknown] = [await failures(known.email), await failures('nobody@example.com')]
    for (const answers of [ofKnown, ofUnknown]) {
      expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(401), 429, 429])
      expect(answers[11]?.headers.get('retry-after')).toBe('1')
    }
    const said = (answer: Answer | undefined) => ({ ...answer?.json.error, requestId: '' })
    expect(said(ofKnown[0])).toEqual(said(ofUnknown[0]))
    expect(said(ofKnown[11])).toEqual(said(ofUnknown[11]))
    await expect.poll(async () => (await attempt(known.email)).status).toBe(401)
  })

  it('works at once with the password of the configuration, over https with a cookie for this host alone', async () => {
    const env = { TIDEMARK_OWNER_PASSWORD: 'from the config', TIDEMARK_PUBLIC_URL: 'https://logs.example.com' }
    const at = await startService({ env, engine: false })
    expect(at.output()).not.toContain('/welcome#')
    const body = { email: 'owner@localhost', password: 'from the config' }
    const { status, headers, session } = await ask('POST', '/api/session', { at, body })
    expect(status).toBe(200)
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-tidemark=[A-Za-z0-9_-]{43}; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/,
    )
    const mine = await ask('GET', '/api/session', { at, headers: { Cookie: `__Host-tidemark=${session}` } })
    expect(mine.json.person).toMatchObject({ email: 'owner@localhost', role: 'owner' })
    // A name that plain http could set is not looked at.
    expect((await ask('GET', '/api/session', { at, session })).json).toBeNull()
    await at.stop()
  })
})

describe('a request that another site could send', () => {
  it.each([
    ['without the header of our own pages', {}],
    ['with another value in it', { 'X-Requested-With': 'XMLHttpRequest' }],
    ['from another origin', { ...OWN_PAGE, Origin: 'https://evil.example' }],
    ['from an opaque origin', { ...OWN_PAGE, Origin: 'null' }],
  ])('%s changes nothing', async (_, headers) => {
    const person = await newPerson()
    const project = await newProject([{ id: person.id, role: 'owner' }])
    const path = `/api/projects/${project.id}`
    const answers = [
      await ask('PATCH', path, { session: person.session, headers, body: { name: 'taken over' } }),
      await ask('DELETE', path, { session: person.session, headers }),
      await ask('DELETE', '/api/session', { session: person.session, headers }),
      await ask('POST', '/api/session', { headers, body: { email: 'ada@example.com', password: PASSWORD } }),
    ]
    expect(answers.map(({ status, session }) => [status, session])).toEqual(Array(4).fill([403, undefined]))
    expect((await ask('GET', path, { session: person.session })).json.name).toBe(project.name)
  })

  it('is refused when its body is a form', async () => {
    const { session } = await newPerson()
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
      const response = await fetch(`${service.url}/api/me`, {
        method: 'PUT',
        headers: { ...OWN_PAGE, Cookie: `tidemark_session=${session}`, 'Content-Type': type },
        body: '{"email":"a@example.com","name":"A"}',
      })
      expect(response.status).toBe(415)
    }
  })
})

describe('an invitation', () => {
  it('brings a new person in with their own password, once, and a known person after they signed in', async () => {
    const owner = await newPerson()
    const [project, second] = [
      await newProject([{ id: owner.id, role: 'owner' }]),
      await newProject([{ id: owner.id, role: 'owner' }]),
    ]
    const invite = async (projectId: string) => {
      const body = { email: 'grace@example.com', role: 'viewer' }
      const made = await ask('POST', `/api/projects/${projectId}/invitations`, { session: owner.session, body })
      expect(made.status).toBe(201)
      const { link } = createdInvitationAnswer.parse(made.json)
      return /\/invitation#([A-Za-z0-9_-]{32})$/.exec(link)?.[1] ?? ''
    }
    const token = await invite(project.id)
    const preview = await ask('POST', '/api/session/invitation/preview', { body: { token } })
    expect(invitationPreviewAnswer.parse(preview.json)).toMatchObject({
      projectName: project.name,
      email: 'grace@example.com',
      role: 'viewer',
      hasAccount: false,
    })
    const accept = (body: object, session?: string) => ask('POST', '/api/session/invitation', { body, session })
    expect((await accept({ token, name: 'Grace', password: 'password1' })).status).toBe(400)
    expect((await accept({ token })).json.error.fields.map((field: { path: string }) => field.path)).toEqual([
      'name',
      'password',
    ])
    const joined = await accept({ token, name: 'Grace', password: PASSWORD })
    expect(joined.json).toMatchObject({
      person: { email: 'grace@example.com', role: 'member' },
      projects: [{ id: project.id, role: 'viewer' }],
      canCreateProjects: false,
    })
    expect((await accept({ token, name: 'Grace', password: PASSWORD })).status).toBe(404)

    const next = await invite(second.id)
    expect((await accept({ token: next, name: 'Eve', password: PASSWORD })).status).toBe(409)
    expect((await accept({ token: next }, owner.session)).status).toBe(403)
    const both = await accept({ token: next }, joined.session)
    expect(both.json.projects.map(({ id }: { id: string }) => id).sort()).toEqual([project.id, second.id].sort())
    expect(
      (await ask('POST', '/api/session', { body: { email: 'grace@example.com', password: PASSWORD } })).status,
    ).toBe(200)
  })
})

describe('a member', () => {
  it('who is removed is signed out from the next request on, and a new role holds from the next request on', async () => {
    const [owner, person] = [await newPerson(), await newPerson()]
    const project = await newProject([
      { id: owner.id, role: 'owner' },
      { id: person.id, role: 'member' },
    ])
    const path = `/api/projects/${project.id}`
    const keys = () => ask('GET', `${path}/keys`, { session: person.session })
    expect((await keys()).status).toBe(200)
    const memberPath = `${path}/members/${person.id}`
    await ask('PATCH', memberPath, { session: owner.session, body: { role: 'viewer' } })
    expect((await keys()).status).toBe(403)
    expect((await ask('DELETE', memberPath, { session: owner.session })).status).toBe(204)
    expect((await keys()).status).toBe(401)
    expect((await ask('GET', '/api/session', { session: person.session })).json).toBeNull()
    expect((await ask('GET', path, { session: await openSession(person.id) })).status).toBe(404)
  })

  it('may leave by themselves, and a viewer may remove nobody else', async () => {
    const [viewer, other] = [await newPerson(), await newPerson()]
    const project = await newProject([
      { id: viewer.id, role: 'viewer' },
      { id: other.id, role: 'viewer' },
    ])
    const remove = (id: string) =>
      ask('DELETE', `/api/projects/${project.id}/members/${id}`, { session: viewer.session })
    expect((await remove(other.id)).status).toBe(403)
    expect((await remove(viewer.id)).status).toBe(204)
    const owner = await ownerSession()
    const members = await ask('GET', `/api/projects/${project.id}/members`, { session: owner })
    const ids = membersAnswer.parse(members.json).members.map(({ personId }) => personId)
    expect([ids.includes(viewer.id), ids.includes(other.id)]).toEqual([false, true])
  })

  it('has their changes in the audit log under their own name', async () => {
    const owner = await newPerson()
    const project = await newProject([{ id: owner.id, role: 'owner' }])
    const path = `/api/projects/${project.id}`
    const { json } = await ask('POST', `${path}/keys`, {
      session: owner.session,
      body: { kind: 'read', name: 'agent' },
    })
    const { key, secret } = createdKeyAnswer.parse(json)
    expect((await ask('GET', '/api/project', { headers: { Authorization: `Bearer ${secret}` } })).status).toBe(200)
    await ask('DELETE', `${path}/keys/${key.id}`, { session: owner.session })
    expect((await ask('GET', '/api/project', { headers: { Authorization: `Bearer ${secret}` } })).status).toBe(401)
    const page = await ask('GET', `${path}/audit?limit=2`, { session: owner.session })
    expect(page.json.entries.map(({ action, by }: { action: string; by: string }) => [action, by])).toEqual([
      ['key.revoked', owner.id],
      ['key.created', owner.id],
    ])
    expect(page.json.entries[0].byName).toMatch(/^Person /)
    const rest = await ask('GET', `${path}/audit?before=${page.json.nextBefore}`, { session: owner.session })
    expect(rest.json.entries.at(-1).action).toBe('project.created')
    expect(page.text + rest.text).not.toContain(secret)
  })
})

describe('a project', () => {
  it('is made with two keys that work at once, and changed and deleted by its owner', async () => {
    const person = await newPerson()
    await newProject([{ id: person.id, role: 'member' }])
    const { session } = person
    const made = await ask('POST', '/api/projects', { session, body: { name: `made ${++count}` } })
    expect(made.status).toBe(201)
    const { project, readKey, ingestKey } = createdProjectAnswer.parse(made.json)
    const path = `/api/projects/${project.id}`
    expect((await ask('GET', `${path}/first-arrivals`, { session })).json).toEqual({
      record: false,
      deploy: false,
      mcp: false,
    })
    const deploy = {
      projectApiKey: ingestKey,
      sha: 'a1',
      environment: 'production',
      deployedAt: '2026-01-31T12:00:00Z',
    }
    const { json: recorded } = await ask('POST', '/v1/deploys', { body: deploy })
    expect((await ask('GET', `${path}/first-arrivals`, { session })).json).toMatchObject({ deploy: true })
    const detail = await ask('GET', `${path}/deploys/${recorded.deploy.id}`, { session })
    expect(deployDetailAnswer.parse(detail.json)).toMatchObject({ deploy: { sha: 'a1' }, previousDeploy: null })
    expect(
      (await ask('GET', '/api/deploys', { headers: { Authorization: `Bearer ${readKey}` } })).json.deploys,
    ).toHaveLength(1)

    const settings = {
      name: `renamed ${count}`,
      retentionDays: 7,
      monthlyQuotaRecords: 1_000,
      redaction: { fields: ['ssn'] },
    }
    const changed = await ask('PATCH', path, { session, body: settings })
    expect(projectSettingsAnswer.parse(changed.json)).toMatchObject({
      ...settings,
      role: 'owner',
      redaction: { fields: ['ssn'], disabled: [], rules: [] },
      usage: { records: 0 },
    })
    for (const body of [{}, { retentionDays: 0 }, { retentionDays: '7' }, { role: 'owner' }, [], 'x', { name: '' }]) {
      expect((await ask('PATCH', path, { session, body })).status).toBe(400)
    }
    expect((await ask('GET', `${path}/keys?kind=read`, { session })).status).toBe(400)
    expect(keysAnswer.parse((await ask('GET', `${path}/keys`, { session })).json).keys).toHaveLength(2)
    expect((await ask('DELETE', path, { session })).status).toBe(204)
    expect((await ask('GET', path, { session })).status).toBe(404)
    expect((await ask('GET', '/api/deploys', { headers: { Authorization: `Bearer ${readKey}` } })).status).toBe(401)
  })

  it('can be made by no one who is a viewer everywhere', async () => {
    const person = await newPerson()
    await newProject([{ id: person.id, role: 'viewer' }])
    expect((await ask('POST', '/api/projects', { session: person.session, body: { name: 'mine' } })).status).toBe(403)
  })
})

/** The status for each role, in the order of ROLES. A stranger owns another project, and never learns of this one. */
const ROLES = ['anonymous', 'stranger', 'viewer', 'member', 'owner', 'instance owner'] as const
const ALL = [401, 404, 200, 200, 200, 200]
const MEMBERS = [401, 404, 403, 200, 200, 200]
const OWNERS = [401, 404, 403, 403, 200, 200]
const made = (statuses: number[], status: number) => statuses.map((one) => (one === 200 ? status : one))

const MATRIX: [method: string, path: string, expected: number[], body?: object][] = [
  ['GET', '', ALL],
  ['PATCH', '', OWNERS, { retentionDays: 3 }],
  ['DELETE', '', made(OWNERS, 204)],
  ['GET', '/keys', MEMBERS],
  ['POST', '/keys', made(MEMBERS, 201), { kind: 'read' }],
  ['DELETE', '/keys/{key}', MEMBERS],
  ['GET', '/ingest-health', MEMBERS],
  ['GET', '/calls', MEMBERS],
  ['GET', '/calls/by-key', MEMBERS],
  ['GET', '/members', ALL],
  ['PATCH', '/members/{person}', OWNERS, { role: 'owner' }],
  ['DELETE', '/members/{person}', made(OWNERS, 204)],
  ['GET', '/invitations', OWNERS],
  ['POST', '/invitations', made(OWNERS, 201), { email: 'invited@example.com', role: 'owner' }],
  ['DELETE', '/invitations/{invitation}', made(OWNERS, 204)],
  ['GET', '/audit', OWNERS],
  ['POST', '/redaction/preview', MEMBERS, { text: 'a@example.com' }],
  ['GET', '/first-arrivals', ALL],
  ['GET', '/project', ALL],
  ['GET', '/logs', ALL],
  ['GET', '/logs/count', ALL],
  ['GET', '/logs/fields', ALL],
  ['GET', '/logs/patterns', ALL],
  // A bad parameter tells who is let in without a record to ask for.
  ['GET', '/logs/log_x/context?before=x', made(ALL, 400)],
  ['GET', '/logs/export', ALL],
  ['GET', '/logs/tail', ALL],
  ['GET', '/overview', ALL],
  ['GET', '/changes', ALL],
  ['GET', '/deploys', ALL],
  ['GET', '/deploys/{deploy}', ALL],
]

describe('who may do what', () => {
  it.each(MATRIX)('%s /api/projects/:projectId%s', async (method, path, expected, body) => {
    const [people, owner] = [await newPeople(), await ownerSession()]
    const cells = []
    for (const role of ROLES) {
      // Fresh for each: what one role may do must not change what the next one finds.
      const { project, fill } = await newWorld(people)
      const session = role === 'instance owner' ? owner : role === 'anonymous' ? undefined : people[role].session
      const answer = await ask(method, `/api/projects/${project.id}${fill(path)}`, { session, body })
      cells.push(answer.status)
      if (answer.status >= 400) expect(answer.text).not.toContain('canary')
    }
    expect(cells).toEqual(expected)
  })

  it('gives nothing of another project to somebody who names it inside their own', async () => {
    const people = await newPeople()
    const [mine, foreign] = [await newWorld(people), await newWorld({ ...people, owner: people.stranger })]
    const attempts: [string, string, object?][] = [
      ['DELETE', '/keys/{key}'],
      ['DELETE', '/invitations/{invitation}'],
      ['GET', '/deploys/{deploy}'],
      ['DELETE', `/members/${people.stranger.id}`],
      ['PATCH', `/members/${people.stranger.id}`, { role: 'viewer' }],
    ]
    for (const [method, path, body] of attempts) {
      const address = `/api/projects/${mine.project.id}${foreign.fill(path)}`
      expect((await ask(method, address, { session: people.owner.session, body })).status).toBe(404)
    }
    expect((await control.keys.list(foreign.project.id)).map(({ revokedAt }) => revokedAt)).toEqual([null])
  })

  it('lets nobody but the owner of the instance read its audit log', async () => {
    const people = await newPeople()
    const statuses = []
    for (const session of [undefined, people.owner.session, await ownerSession()]) {
      statuses.push((await ask('GET', '/api/audit?limit=5', { session })).status)
    }
    expect(statuses).toEqual([401, 403, 200])
    expect(await control.audit.verify()).toMatchObject({ intact: true })
  })

  it('lists to everybody their own projects alone', async () => {
    const people = await newPeople()
    const { project } = await newWorld(people)
    const listed = async (session: string) => (await ask('GET', '/api/projects', { session })).json.projects
    expect(await listed(people.viewer.session)).toEqual([
      { id: project.id, name: project.name, createdAt: project.createdAt, role: 'viewer' },
    ])
    const others = await listed(people.stranger.session)
    expect(others.map(({ id }: { id: string }) => id)).not.toContain(project.id)
    expect((await listed(await ownerSession())).map(({ id }: { id: string }) => id)).toContain(project.id)
  })
})

type PeopleOfMatrix = Record<'stranger' | 'viewer' | 'member' | 'owner', { id: string; session: string }>

async function newPeople(): Promise<PeopleOfMatrix> {
  const people = {
    stranger: await newPerson(),
    viewer: await newPerson(),
    member: await newPerson(),
    owner: await newPerson(),
  }
  await newProject([{ id: people.stranger.id, role: 'owner' }])
  return people
}

/** A project with one of everything. */
async function newWorld({ viewer, member, owner }: PeopleOfMatrix) {
  const person = await newPerson()
  const project = await newProject([
    { id: viewer.id, role: 'viewer' },
    { id: member.id, role: 'member' },
    { id: owner.id, role: 'owner' },
    { id: person.id, role: 'viewer' },
  ])
  const { key } = await control.keys.create(
    { projectId: project.id, kind: 'read', name: '', expiresAtMs: null },
    change(),
  )
  const deploy = { sha: 'a1', environment: 'production', deployedAtUs: 1 }
  const recorded = await control.deploys.record(project.id, deploy, Date.now())
  const invited = { projectId: project.id, email: 'someone@example.com', role: 'viewer' } as const
  const { invitation } = await control.invitations.create(invited, change())
  const ids: Record<string, string> = {
    key: key.id,
    person: person.id,
    invitation: invitation.id,
    deploy: recorded.deploy.id,
  }
  return { project, fill: (path: string) => path.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? '') }
}

async function ownerSession(): Promise<string> {
  const owner = await control.accounts.firstOwner()
  return openSession(owner?.id ?? '')
}
