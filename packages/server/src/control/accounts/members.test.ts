import { MAX_OPEN_INVITATIONS } from '@tidemark/wire/limits'
import { beforeAll, describe, expect, it } from 'vitest'
import { controlBackends } from '../../testing/control.ts'
import { useBackend } from '../../testing/use-backend.ts'
import { chunks } from '../database/database.ts'
import type { Control } from '../open.ts'
import { LINK_MS } from './token.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const change = { by: 'operator', nowMs: NOW }

describe.each(controlBackends())('members and invitations on $name', (backend) => {
  let control: Control
  let other: Control
  let count = 0
  const newProject = () => control.projects.create({ name: `Project ${count++}`, retentionDays: 30 }, change)
  const newPerson = (more: object = {}) => {
    count += 1
    const email = `m${count}@example.com`
    const input = { email, name: `M ${String(count).padStart(4, '0')}`, role: 'member', passwordHash: 'x' } as const
    return control.accounts.create({ ...input, ...more }, change)
  }
  const openSession = (personId: string) =>
    control.sessions.open({ personId, origin: 'password', replaces: undefined, address: '' }, NOW)
  const invite = (projectId: string, email: string, role: 'owner' | 'member' | 'viewer' = 'member') =>
    control.invitations.create({ projectId, email, role }, change)

  beforeAll(async () => {
    if (backend.unavailable !== undefined) return
    ;[control, other] = await Promise.all([backend.open(), backend.open()])
  })
  useBackend(backend)

  it('are invited by a limited number of open invitations, of a project and by a person', async () => {
    const [full, free] = [await newProject(), await newProject()]
    await invite(full.id, 'first@example.com')
    const bare = await backend.openBare()
    const row = await bare.db
      .selectFrom('invitations')
      .selectAll()
      .where('project_id', '=', full.id)
      .executeTakeFirstOrThrow()
    const add = async (projectId: string, count: number, expiresAt = row.expires_at) => {
      const rows = Array.from({ length: count }, (_, at) => {
        const name = `${projectId}-${at}-${expiresAt}`
        return { ...row, id: name, project_id: projectId, email_key: name, token_sha256: name, expires_at: expiresAt }
      })
      for (const some of chunks(rows, 500)) await bare.db.insertInto('invitations').values(some).execute()
    }
    await add(full.id, MAX_OPEN_INVITATIONS - 1)
    await add(free.id, 10, NOW - 1)
    await invite(full.id, 'first@example.com')
    await expect(invite(full.id, 'one-more@example.com')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('A project has at most 500 open invitations. Revoke some'),
    })
    await invite(free.id, 'one@example.com')
    for (let at = 1; at < 9; at++) await add((await newProject()).id, MAX_OPEN_INVITATIONS)
    await add((await newProject()).id, MAX_OPEN_INVITATIONS - 1)
    await expect(invite(free.id, 'two@example.com')).rejects.toThrow('A person has at most 5,000 open invitations.')
    // Others are not affected, and a deleted project frees its places.
    const elsewhere = { projectId: free.id, email: 'three@example.com', role: 'member' } as const
    await control.invitations.create(elsewhere, { ...change, by: (await newPerson()).id })
    await control.projects.delete(full.id, change)
    await invite(free.id, 'two@example.com')
    await invite(free.id, 'one@example.com')
    await bare.db.deleteFrom('invitations').execute()
  })

  it('see their own projects alone, with their role, until the project is deleted', async () => {
    const [mine, foreign, person] = [await newProject(), await newProject(), await newPerson()]
    await control.members.add(mine.id, person.id, 'viewer', change)
    expect(await other.members.access(person, mine.id)).toEqual({ project: mine, role: 'viewer' })
    expect(await other.members.access(person, foreign.id)).toBeNull()
    expect(await other.members.access(person, 'prj_none')).toBeNull()
    expect(await other.members.projectsOf(person)).toEqual([{ project: mine, role: 'viewer' }])
    await control.projects.delete(mine.id, change)
    expect(await other.members.access(person, mine.id)).toBeNull()
    expect(await other.members.projectsOf(person)).toEqual([])
  })

  it('of the instance own every project and can be neither changed nor removed', async () => {
    const [project, owner] = [await newProject(), await newPerson({ role: 'owner' })]
    expect(await control.members.access(owner, project.id)).toEqual({ project, role: 'owner' })
    expect((await control.members.projectsOf(owner)).map((one) => one.project.id)).toContain(project.id)
    expect(await control.members.list(project.id)).toContainEqual({
      personId: owner.id,
      email: owner.email,
      name: owner.name,
      role: 'owner',
      isInstanceOwner: true,
      joinedAt: null,
    })
    const attempts = [
      () => control.members.changeRole(project.id, owner.id, 'viewer', change),
      () => control.members.remove(project.id, owner.id, change),
      () => invite(project.id, owner.email),
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'conflict' })
  })

  it('change role and go with an entry in the audit log, and lose their sessions when they go', async () => {
    const [project, elsewhere, person] = [await newProject(), await newProject(), await newPerson()]
    await control.members.add(project.id, person.id, 'viewer', change)
    await control.members.add(project.id, person.id, 'owner', change)
    expect((await control.members.access(person, project.id))?.role).toBe('viewer')
    const changed = await control.members.changeRole(project.id, person.id, 'member', change)
    expect(changed).toMatchObject({ personId: person.id, role: 'member', isInstanceOwner: false })
    const token = await openSession(person.id)
    await expect(control.members.remove(elsewhere.id, person.id, change)).rejects.toMatchObject({ code: 'not_found' })
    expect(await other.sessions.find(token, NOW)).not.toBeNull()
    await control.members.remove(project.id, person.id, change)
    expect(await other.sessions.find(token, NOW)).toBeNull()
    expect(await other.members.access(person, project.id)).toBeNull()
    const entries = await control.audit.list({ projectId: project.id, limit: 10 })
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['member.removed', { personId: person.id, role: 'member' }],
      ['member.role_changed', { personId: person.id, from: 'viewer', to: 'member' }],
      ['member.added', { personId: person.id, role: 'viewer' }],
      ['project.created', { name: project.name }],
    ])
    await expect(control.members.changeRole(project.id, person.id, 'owner', change)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('come by an invitation that makes one account, however many use it at once', async () => {
    const project = await newProject()
    const { token, invitation } = await invite(project.id, 'New@example.com', 'viewer')
    expect(await other.invitations.find(token, NOW)).toEqual({
      invitation,
      projectName: project.name,
      hasAccount: false,
    })
    const uses = await Promise.allSettled(
      [control, other, control, other].map((node) =>
        node.invitations.accept(token, { name: 'New', passwordHash: 'x' }, NOW),
      ),
    )
    const made = uses.filter((use) => use.status === 'fulfilled')
    expect(made).toHaveLength(1)
    const person = made[0]!.value
    expect(person).toMatchObject({ email: 'New@example.com', role: 'member', hasPassword: true })
    expect((await other.members.access(person, project.id))?.role).toBe('viewer')
    expect(await other.invitations.find(token, NOW)).toBeNull()
    expect(await control.invitations.list(project.id, NOW)).toEqual([])
  })

  it('join a second project with the account they have, and nobody joins in their place', async () => {
    const [project, person, stranger] = [await newProject(), await newPerson(), await newPerson()]
    const { token } = await invite(project.id, person.email.toUpperCase())
    expect((await control.invitations.find(token, NOW))?.hasAccount).toBe(true)
    await expect(control.invitations.accept(token, { person: stranger }, NOW)).rejects.toMatchObject({
      code: 'forbidden',
    })
    const second = control.invitations.accept(token, { name: 'Other', passwordHash: 'x' }, NOW)
    await expect(second).rejects.toMatchObject({ code: 'conflict' })
    expect(await control.invitations.accept(token, { person }, NOW)).toEqual(person)
    expect((await control.members.access(person, project.id))?.role).toBe('member')
    await expect(invite(project.id, person.email)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('cannot come by a link that is replaced, revoked, older than 72 hours, or of a deleted project', async () => {
    const [project, doomed] = [await newProject(), await newProject()]
    const replaced = await invite(project.id, 'a@example.com')
    const current = await invite(project.id, 'A@example.com', 'owner')
    const revoked = await invite(project.id, 'b@example.com')
    await expect(control.invitations.revoke(doomed.id, revoked.invitation.id, change)).rejects.toMatchObject({
      code: 'not_found',
    })
    await control.invitations.revoke(project.id, revoked.invitation.id, change)
    const orphan = await invite(doomed.id, 'c@example.com')
    await control.projects.delete(doomed.id, change)
    for (const { token } of [replaced, revoked, orphan]) {
      expect(await other.invitations.find(token, NOW)).toBeNull()
      await expect(other.invitations.accept(token, { name: 'X', passwordHash: 'x' }, NOW)).rejects.toMatchObject({
        code: 'not_found',
      })
    }
    expect(await control.invitations.list(project.id, NOW)).toEqual([current.invitation])
    expect(await other.invitations.find(current.token, NOW + LINK_MS - 1)).not.toBeNull()
    expect(await other.invitations.find(current.token, NOW + LINK_MS)).toBeNull()
    expect(await control.invitations.list(project.id, NOW + LINK_MS)).toEqual([])
  })

  it('are invited by tokens that are stored as a hash only', async () => {
    const { token } = await invite((await newProject()).id, 'hash@example.com')
    const bare = await backend.openBare()
    const stored = await Promise.all([
      bare.db.selectFrom('invitations').selectAll().execute(),
      bare.db.selectFrom('audit_log').selectAll().execute(),
    ])
    expect(JSON.stringify(stored)).not.toContain(token)
  })
})
