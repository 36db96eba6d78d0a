import { MAX_OWNED_PROJECTS } from '@tidemark/wire/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { derivedSecret } from '../../control/keys/key-secret.ts'
import type { Control } from '../../control/open.ts'
import { AppError } from '../../errors.ts'
import type { Caller } from '../../model/caller.ts'
import type { Person, Session } from '../../model/person.ts'
import { controlBackends } from '../../testing/control.ts'
import { createMyProject } from '../people/my-projects.ts'
import { listViews } from '../views.ts'
import { createKey, type KeyParts, listKeys, revokeKey } from './keys.ts'
import {
  createProject,
  deleteProject,
  listProjects,
  type NewProjectParts,
  renameProject,
  showProject,
} from './project.ts'

const OPERATOR: Caller = { kind: 'operator' }
const backend = controlBackends()[0]!
let control: Control
let parts: NewProjectParts & KeyParts

beforeAll(async () => {
  control = await backend.open()
  parts = { control, now: Date.now, retentionDays: 7, webhookSecretOf: String }
})
afterAll(() => backend.close())

describe('a member', () => {
  it('owns a limited number of projects, and an owner of the instance any number', async () => {
    const change = { by: 'operator', nowMs: Date.now() }
    const [member, owner] = await Promise.all(
      (['member', 'owner'] as const).map((role) =>
        control.accounts.create({ email: `${role}@example.com`, name: role, role, passwordHash: null }, change),
      ),
    )
    const create = (person: Person | undefined, name: string) =>
      createMyProject(parts, { person: person! } as Session, { name })
    const { project } = await newProject()
    await control.members.add(project.id, member!.id, 'member', change)
    const { project: first } = await create(member, 'first of many')
    const bare = await backend.openBare()
    const row = await bare.db.selectFrom('projects').selectAll().where('id', '=', first.id).executeTakeFirstOrThrow()
    const names = Array.from({ length: MAX_OWNED_PROJECTS - 1 }, (_, at) => `prj_many_${at}`)
    await bare.db
      .insertInto('projects')
      .values(names.map((name) => ({ ...row, id: name, name, name_key: name })))
      .execute()
    const membership = { person_id: member!.id, role: 'owner', created_at: change.nowMs }
    await bare.db
      .insertInto('memberships')
      .values(names.map((name) => ({ ...membership, project_id: name })))
      .execute()

    expect(await refusal(create(member, 'one too many'))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('A person can own at most 100 projects. Delete a project'),
    })
    await create(owner, 'of an owner of the instance')
    await control.projects.delete(first.id, change)
    await create(member, 'one in its place')
    await bare.db.updateTable('projects').set({ deleted_at: 1 }).where('id', 'in', names).execute()
  })
})

let count = 0
const newProject = () => createProject(parts, OPERATOR, { name: `project ${count++}` })

async function refusal(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof AppError)) throw new Error(`expected an AppError, got ${error}`)
  return error
}

describe('a key of any kind', () => {
  it('can neither manage nor see projects and keys, its own included', async () => {
    const { project, ingestKey, readKey } = await newProject()
    const keys = await listKeys(parts, OPERATOR, { project: project.id })
    for (const secret of [ingestKey, readKey]) {
      const found = await control.keys.authenticate(secret)
      if (found.status !== 'ok') throw new Error(found.status)
      const caller: Caller = { kind: 'key', keyId: found.key.id, keyKind: found.key.kind, project: found.project }
      const attempts = [
        () => createProject(parts, caller, { name: 'mine' }),
        () => listProjects(parts, caller),
        () => renameProject(parts, caller, { project: project.id, name: 'mine' }),
        () => deleteProject(parts, caller, { project: project.id }),
        () => createKey(parts, caller, { project: project.id, kind: 'read' }),
        () => listKeys(parts, caller, { project: project.id }),
        () => revokeKey(parts, caller, { id: found.key.id }),
      ]
      for (const attempt of attempts) expect((await refusal(attempt())).code).toBe('forbidden')
    }
    expect(await listKeys(parts, OPERATOR, { project: project.id })).toEqual(keys)
    expect(await control.projects.get(project.id)).toMatchObject({ name: project.name })
  })
})

describe('a refusal', () => {
  it('tells a person whom to ask, and the operator that saved views are for people', async () => {
    const { id } = (await newProject()).project
    const project = await control.projects.find(id)
    const person: Caller = { kind: 'person', personId: 'per_1', role: 'owner', project }
    const refused = await Promise.all(
      [listProjects(parts, person), listViews(parts, OPERATOR, { project: id })].map(refusal),
    )
    expect(refused.map(({ code, message }) => [code, message])).toEqual([
      ['forbidden', 'Only the operator of the service can do this: ask them.'],
      ['forbidden', 'Saved views belong to people: sign in to the dashboard to use them.'],
    ])
  })
})

describe('a new project', () => {
  it('has one working key of each kind and the retention of the configuration', async () => {
    const { project, ingestKey, readKey } = await newProject()
    expect(await control.projects.get(project.id)).toMatchObject({ retentionDays: 7 })
    expect(await control.keys.authenticate(ingestKey)).toMatchObject({ status: 'ok', key: { kind: 'ingest' } })
    expect(await control.keys.authenticate(readKey)).toMatchObject({ status: 'ok', key: { kind: 'read' } })
    expect(await listKeys(parts, OPERATOR, { project: project.name })).toHaveLength(2)
  })

  it('is not half made when its name is taken', async () => {
    const { project } = await newProject()
    const before = await listProjects(parts, OPERATOR)
    const attempt = createProject(parts, OPERATOR, { name: project.name.toUpperCase() })
    expect((await refusal(attempt)).code).toBe('conflict')
    expect(await listProjects(parts, OPERATOR)).toEqual(before)
  })
})

describe('a new key', () => {
  it.each([
    ['12h', 12],
    ['1h30m', 1.5],
    ['90d', 90 * 24],
    ['90D', 90 * 24],
    ['8w', 8 * 7 * 24],
    ['10y', 10 * 365 * 24],
  ])('with a lifetime of %s ends after %d hours', async (expiresIn, hours) => {
    const { project } = await newProject()
    const { key, secret } = await createKey(parts, OPERATOR, { project: project.id, kind: 'read', expiresIn })
    const endMs = Date.parse(key.expiresAt ?? '')
    expect(endMs - Date.parse(key.createdAt)).toBe(hours * 3_600_000)
    expect((await control.keys.authenticate(secret, endMs - 1)).status).toBe('ok')
    expect((await control.keys.authenticate(secret, endMs)).status).toBe('expired')
  })

  it.each(['', '0d', '90', 'd', '-1d', '1.5d', '90 d', '5m', '59m', '11y', '99999d', '100000h', 'soon'])(
    'is refused with a lifetime of "%s"',
    async (expiresIn) => {
      const { project } = await newProject()
      const error = await refusal(createKey(parts, OPERATOR, { project: project.id, kind: 'read', expiresIn }))
      expect(error).toMatchObject({ code: 'invalid_request' })
      expect(error.message).toContain('12h, 90d, 8w or 1y')
    },
  )

  it.each(['', 'write', 'READ', 'read ', '__proto__'])('is refused with the kind "%s"', async (kind) => {
    const { project } = await newProject()
    const error = await refusal(createKey(parts, OPERATOR, { project: project.id, kind }))
    expect(error.message).toBe(`The kind of a key must be read, ingest or webhook, not "${kind}".`)
  })

  it('for webhooks is made from its id, and shown as a signing token too', async () => {
    const { project } = await newProject()
    const secretsOf = { ...parts, webhookSecretOf: (id: string) => derivedSecret('webhook', 'ours', id) }
    const made = await createKey(secretsOf, OPERATOR, { project: project.id, kind: 'webhook' })
    expect(made.secret).toBe(derivedSecret('webhook', 'ours', made.key.id))
    expect(made.secret).not.toBe(derivedSecret('webhook', 'theirs', made.key.id))
    expect(await control.keys.authenticate(made.secret)).toMatchObject({ status: 'ok', key: { kind: 'webhook' } })
    expect(Buffer.from(made.signingToken?.slice('whsec_'.length) ?? '', 'base64')).toHaveLength(32)
  })

  it('is called after its kind unless it is given a name', async () => {
    const { project } = await newProject()
    const named = await createKey(parts, OPERATOR, { project: project.id, kind: 'read', name: ' CI ' })
    const unnamed = await createKey(parts, OPERATOR, { project: project.id, kind: 'ingest' })
    expect([named.key.name, unnamed.key.name]).toEqual(['CI', 'ingest'])
  })
})

describe('revoking', () => {
  it('takes effect at once and twice does no harm', async () => {
    const { project } = await newProject()
    const { key, secret } = await createKey(parts, OPERATOR, { project: project.id, kind: 'read' })
    const first = await revokeKey(parts, OPERATOR, { id: key.id })
    expect((await control.keys.authenticate(secret)).status).toBe('revoked')
    const second = await revokeKey(parts, OPERATOR, { id: key.id })
    expect([first.changed, second.changed]).toEqual([true, false])
    expect(second.key.revokedAt).toBe(first.key.revokedAt)
    expect((await refusal(revokeKey(parts, OPERATOR, { id: 'key_nothing' }))).code).toBe('not_found')
  })
})

describe('deleting a project', () => {
  it('kills its keys, touches no other project and frees its name', async () => {
    const [doomed, other] = [await newProject(), await newProject()]
    await deleteProject(parts, OPERATOR, { project: doomed.project.name })
    expect((await control.keys.authenticate(doomed.ingestKey)).status).toBe('project_deleted')
    expect((await control.keys.authenticate(other.ingestKey)).status).toBe('ok')
    expect((await refusal(listKeys(parts, OPERATOR, { project: doomed.project.id }))).code).toBe('not_found')
    const again = await renameProject(parts, OPERATOR, { project: other.project.id, name: doomed.project.name })
    expect(again).toMatchObject({ id: other.project.id, name: doomed.project.name })
  })
})

describe('the usage of a project', () => {
  it('is that of the month and of each day since the first that was counted, today last', async () => {
    const nowMs = Date.UTC(2026, 10, 16, 9)
    const { project } = await newProject()
    const caller = {
      kind: 'person',
      project: (await control.projects.list()).find(({ id }) => id === project.id)!,
      role: 'viewer',
    } as Parameters<typeof showProject>[1]
    const usage = async () => (await showProject({ ...parts, now: () => nowMs }, caller)).usage
    expect(await usage()).toEqual({ month: '2026-11', records: 0, bytes: 0, days: [] })
    const entry = (day: string, records: number) => ({ projectId: project.id, day, records, bytes: records * 10 })
    await control.usage.add(`seg_${project.id}`, [entry('2026-11-13', 2), entry('2026-11-15', 3)], nowMs)
    expect(await usage()).toEqual({
      ...{ month: '2026-11', records: 5, bytes: 50 },
      days: [
        { day: '2026-11-13', records: 2, bytes: 20 },
        { day: '2026-11-14', records: 0, bytes: 0 },
        { day: '2026-11-15', records: 3, bytes: 30 },
        { day: '2026-11-16', records: 0, bytes: 0 },
      ],
    })
  })
})
