import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hashPassword } from '../../control/accounts/password.ts'
import type { Control } from '../../control/open.ts'
import type { Caller } from '../../model/caller.ts'
import type { Person } from '../../model/person.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import { controlBackends } from '../../testing/control.ts'
import { requireMember } from '../access.ts'
import { changeMe } from './change-me.ts'
import { createPasswordReset, createResetAsOperator, previewPasswordReset, resetPassword } from './password-reset.ts'
import { signIn } from './sign-in.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const HOUR = 3_600_000
const OLD = 'the old password'
const NEXT = 'the next password'
const PLACE = { address: '192.0.2.1', replaces: undefined }
const change = { by: 'operator', nowMs: NOW }
const backend = controlBackends()[0]!
let control: Control
let hash: string
let count = 0
let project: ProjectWithSettings
let owner: Person
let member: Person

const at = (nowMs = NOW) => ({ control, now: () => nowMs, publicUrl: 'https://logs.example.com' })
const newPerson = (role: 'owner' | 'member' = 'member') => {
  count += 1
  return control.accounts.create(
    { email: `r${count}@example.com`, name: `R ${count}`, role, passwordHash: hash },
    change,
  )
}
async function newProject(...members: [Person, 'owner' | 'member' | 'viewer'][]): Promise<ProjectWithSettings> {
  count += 1
  const { id } = await control.projects.create({ name: `Project ${count}`, retentionDays: 30 }, change)
  for (const [person, role] of members) await control.members.add(id, person.id, role, change)
  return (await control.projects.get(id))!
}
const as = (person: Person, where = project): Promise<Caller> =>
  requireMember(at(), { person, origin: 'password' }, where.id)
const reset = async (by: Person, whose: Person, where = project) =>
  createPasswordReset(at(), await as(by, where), { project: where.id, personId: whose.id })
const tokenOf = ({ link }: { link: string }) => link.split('#')[1]!
const use = (token: string, { nowMs = NOW, password = NEXT } = {}) =>
  resetPassword(at(nowMs), { token, password }, PLACE)
const enter = ({ email }: Person, password: string) => signIn(at(), { email, password }, PLACE)
const GONE = { code: 'not_found', message: 'This link was used, replaced or has expired. Ask an owner for a new one.' }

beforeAll(async () => {
  control = await backend.open()
  hash = await hashPassword(OLD)
})
afterAll(() => backend.close())
beforeEach(async () => {
  ;[owner, member] = [await newPerson(), await newPerson()]
  project = await newProject([owner, 'owner'], [member, 'member'])
})

describe('a link that resets a password', () => {
  it('sets a new password once, ends every session, and leaves the old password in use until then', async () => {
    const made = await reset(owner, member)
    expect(made).toEqual({
      link: expect.stringMatching(/^https:\/\/logs\.example\.com\/reset-password#[A-Za-z0-9_.-]+$/),
      email: member.email,
      expiresAt: new Date(NOW + 24 * HOUR).toISOString(),
    })
    const token = tokenOf(made)
    expect(await previewPasswordReset(at(), { token }, PLACE.address)).toEqual({
      email: member.email,
      expiresAt: made.expiresAt,
    })
    const session = await enter(member, OLD)

    const opened = await use(token)
    expect(await control.sessions.find(session, NOW)).toBeNull()
    expect(await control.sessions.find(opened, NOW)).toMatchObject({ person: { id: member.id } })
    await expect(enter(member, OLD)).rejects.toMatchObject({ code: 'unauthorized' })
    await enter(member, NEXT)
    await expect(use(token)).rejects.toMatchObject(GONE)
  })

  it('is stored as a hash, works for 24 hours, and ends with the next one', async () => {
    const [first, second] = [tokenOf(await reset(owner, member)), tokenOf(await reset(owner, member))]
    const stored = await control.settings.get(`password_reset:${member.id}`)
    expect(stored).not.toContain(second.split('.')[1])
    await expect(use(first)).rejects.toMatchObject(GONE)
    await expect(use(second, { nowMs: NOW + 24 * HOUR })).rejects.toMatchObject(GONE)
    await use(second, { nowMs: NOW + 24 * HOUR - 1 })
  })

  it('lets one in of many who use it at once', async () => {
    const token = tokenOf(await reset(owner, member))
    const uses = await Promise.allSettled([1, 2, 3].map((n) => use(token, { password: `${NEXT} ${n}` })))
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('survives a refused password, and ends when the member changes the password', async () => {
    const token = tokenOf(await reset(owner, member))
    await expect(use(token, { password: 'password' })).rejects.toMatchObject({ fields: [{ path: 'password' }] })
    const session = { token: await enter(member, OLD), address: PLACE.address }
    const found = (await control.sessions.find(session.token, NOW))!
    const input = { email: member.email, name: member.name, password: NEXT, currentPassword: OLD }
    await changeMe(at(), found, input, session)
    await expect(use(token)).rejects.toMatchObject(GONE)
  })

  it('is refused for anything that is not one', async () => {
    const token = tokenOf(await reset(owner, member))
    for (const other of ['x', `${member.id}.x`, `${owner.id}.${token.split('.')[1]}`, '__proto__.x', `${token}x`])
      await expect(use(other), other).rejects.toMatchObject(GONE)
    await use(token)
  })

  it('is noted in the audit log when it is made and when it is used, without the token', async () => {
    const token = tokenOf(await reset(owner, member))
    await use(token)
    const entries = await control.audit.list({ limit: 4 })
    expect(entries.map(({ action, by, projectId }) => [action, by, projectId])).toEqual([
      ['session.opened', member.id, null],
      ['person.password_changed', member.id, null],
      ['person.reset_link_used', member.id, null],
      ['person.reset_link_created', owner.id, project.id],
    ])
    expect(entries[2]?.details).toEqual({ personId: member.id, createdBy: owner.id })
    expect(JSON.stringify(entries)).not.toContain(token.split('.')[1])
  })
})

describe('who may make one', () => {
  it('is an owner of the project for its members, and no one else', async () => {
    const [viewer, stranger] = [await newPerson(), await newPerson()]
    await control.members.add(project.id, viewer.id, 'viewer', change)
    for (const by of [member, viewer])
      await expect(reset(by, owner), by.name).rejects.toMatchObject({ code: 'forbidden' })
    await expect(reset(owner, stranger)).rejects.toMatchObject({ code: 'not_found' })
    const key: Caller = { kind: 'key', keyId: 'key_1', keyKind: 'read', project }
    await expect(createPasswordReset(at(), key, { project: project.id, personId: member.id })).rejects.toMatchObject({
      code: 'forbidden',
    })
    const foreign = await newProject([stranger, 'owner'], [member, 'viewer'])
    await expect(
      createPasswordReset(at(), await as(owner), { project: foreign.id, personId: member.id }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is not an owner of one project for a person with access to another, except an owner of the instance', async () => {
    const [elsewhere, instanceOwner] = [await newPerson(), await newPerson('owner')]
    await newProject([elsewhere, 'owner'], [member, 'viewer'])
    await expect(reset(owner, member)).rejects.toMatchObject({
      code: 'forbidden',
      message: `${member.email} also has access to a project that you do not own: ask an owner of the instance, or run on the server: tidemark member reset-password ${member.email}`,
    })
    await use(tokenOf(await reset(instanceOwner, member)))
  })

  it('is no one for an owner of the instance, and no one for themselves', async () => {
    const [first, second] = [await newPerson('owner'), await newPerson('owner')]
    for (const by of [owner, second]) {
      await expect(reset(by, first)).rejects.toMatchObject({ message: expect.stringContaining('tidemark owner-link') })
    }
    await expect(reset(owner, owner)).rejects.toMatchObject({ message: expect.stringContaining('your account') })
  })

  it('is decided again when the link is used', async () => {
    const early = tokenOf(await reset(owner, member))
    const elsewhere = await newPerson()
    const other = await newProject([elsewhere, 'owner'], [member, 'member'])
    await expect(use(early)).rejects.toMatchObject(GONE)
    await control.members.remove(other.id, member.id, change)
    const next = tokenOf(await reset(owner, member))
    await control.members.changeRole(project.id, owner.id, 'member', change)
    await expect(use(next)).rejects.toMatchObject(GONE)
  })

  it('is the operator for every member by e-mail, in any letter case', async () => {
    await newProject([await newPerson(), 'owner'], [member, 'member'])
    const made = await createResetAsOperator(at(), { email: member.email.toUpperCase() })
    expect(made.email).toBe(member.email)
    await use(tokenOf(made))
    await expect(createResetAsOperator(at(), { email: 'no-one@example.com' })).rejects.toMatchObject({
      code: 'not_found',
    })
    const { email } = await newPerson('owner')
    await expect(createResetAsOperator(at(), { email })).rejects.toThrow('tidemark owner-link')
  })
})
