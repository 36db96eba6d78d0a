import { beforeAll, describe, expect, it } from 'vitest'
import { controlBackends } from '../testing/control.ts'
import { useBackend } from '../testing/use-backend.ts'
import type { Control } from './open.ts'
import type { NewRepository } from './repositories.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const change = { by: 'operator', nowMs: NOW }
const input: NewRepository = {
  url: 'https://github.com/acme/shop.git',
  kind: 'https',
  credentialKind: 'token',
  sealedCredential: 'v1.sealed',
  branch: null,
  defaultBranch: 'main',
  headSha: 'a'.repeat(40),
  refsDigest: 'one',
  nextCheckAtMs: NOW + 1_000,
}
const remote = { branch: 'main', headSha: 'a'.repeat(40), refsDigest: 'one', force: false, nextCheckAtMs: NOW + 9_000 }

describe.each(controlBackends())('repositories on $name', (backend) => {
  let control: Control
  let other: Control
  let count = 0
  const newProject = () => control.projects.create({ name: `Project ${count++}`, retentionDays: 30 }, change)
  const connectOne = async (more: Partial<NewRepository> = {}) => {
    const { id } = await newProject()
    return control.repositories.connect(id, { ...input, ...more }, change)
  }

  beforeAll(async () => {
    if (backend.unavailable !== undefined) return
    ;[control, other] = await Promise.all([backend.open(), backend.open()])
  })
  useBackend(backend)

  it('are one per project, seen by every node as they were connected', async () => {
    const project = await newProject()
    expect(await control.repositories.get(project.id)).toBeNull()
    const connected = await control.repositories.connect(project.id, input, change)
    const { nextCheckAtMs, ...rest } = input
    expect(connected).toEqual({
      ...rest,
      id: expect.stringMatching(/^rep_/),
      projectId: project.id,
      generation: 1,
      mirroredGeneration: null,
      checkedAtMs: NOW,
      nextCheckAtMs,
      failures: 0,
      lastSyncedAt: null,
      lastError: null,
      failedAt: null,
      connectedAt: new Date(NOW).toISOString(),
      connectedBy: 'operator',
    })
    expect(await other.repositories.get(project.id)).toEqual(connected)
    expect(await other.repositories.list()).toContainEqual(connected)
  })

  it('are replaced as a whole by the next, whoever connects at once, and disconnected once', async () => {
    const { projectId, id } = await connectOne()
    const next = {
      ...input,
      url: 'https://gitlab.com/acme/shop.git',
      credentialKind: 'none',
      sealedCredential: null,
    } as const
    await Promise.all([control, other].map((node) => node.repositories.connect(projectId, next, change)))
    const replaced = await control.repositories.get(projectId)
    expect(replaced).toMatchObject({ url: next.url, sealedCredential: null, generation: 1 })
    expect(replaced?.id).not.toBe(id)
    const gone = await Promise.all([control, other].map((node) => node.repositories.disconnect(projectId, change)))
    expect(gone.sort()).toEqual([false, true])
    expect(await other.repositories.get(projectId)).toBeNull()
    const entries = await control.audit.list({ projectId, limit: 10 })
    expect(entries.map(({ action }) => action)).toEqual([
      'repository.disconnected',
      'repository.connected',
      'repository.connected',
      'repository.connected',
      'project.created',
    ])
    expect(JSON.stringify(entries)).not.toContain('sealed')
    expect(entries[1]?.details).toEqual({ url: next.url, branch: null, credential: 'none' })
  })

  it('raise their generation when the remote has changed, or when that is asked for, and only then', async () => {
    const connected = await connectOne()
    const check = (more: Partial<typeof remote>) =>
      control.repositories.recordCheck(connected, { ...remote, ...more }, NOW + 5)
    expect(await check({})).toMatchObject({ generation: 1, checkedAtMs: NOW + 5, nextCheckAtMs: NOW + 9_000 })
    expect(await check({ refsDigest: 'two', headSha: 'b'.repeat(40) })).toMatchObject({
      generation: 2,
      headSha: 'b'.repeat(40),
      refsDigest: 'two',
    })
    expect(await check({ refsDigest: 'two' })).toMatchObject({ generation: 2 })
    expect(await check({ refsDigest: 'two', branch: 'trunk' })).toMatchObject({ generation: 3, defaultBranch: 'trunk' })
    expect(await check({ refsDigest: 'two', branch: 'trunk', force: true })).toMatchObject({ generation: 4 })
  })

  it('are in step once a mirror holds the newest generation, and stay so while the remote does not change', async () => {
    const first = await connectOne()
    await control.repositories.recordMirrorFailure(first, 'too large', NOW + 5)
    const second = (await control.repositories.recordCheck(first, { ...remote, force: true }, NOW + 1))!
    // The remote answers, but no mirror has what it has: the error stays.
    expect(second).toMatchObject({
      lastError: 'too large',
      failedAt: new Date(NOW + 5).toISOString(),
      lastSyncedAt: null,
    })
    await control.repositories.recordMirror(second, NOW + 2)
    await control.repositories.recordMirror(first, NOW + 3)
    expect(await other.repositories.get(first.projectId)).toMatchObject({
      mirroredGeneration: 2,
      lastError: null,
      failedAt: null,
      lastSyncedAt: new Date(NOW + 2).toISOString(),
    })
    await control.repositories.recordCheckFailure(second, { message: 'away', nextCheckAtMs: NOW + 50 }, NOW + 4)
    await control.repositories.recordCheckFailure(second, { message: 'away', nextCheckAtMs: NOW + 60 }, NOW + 5)
    expect(await control.repositories.get(first.projectId)).toMatchObject({
      lastError: 'away',
      failedAt: new Date(NOW + 5).toISOString(),
      failures: 2,
      nextCheckAtMs: NOW + 60,
    })
    expect(await control.repositories.recordCheck(second, remote, NOW + 6)).toMatchObject({
      lastError: null,
      failedAt: null,
      failures: 0,
      lastSyncedAt: new Date(NOW + 6).toISOString(),
    })
  })

  it('drop what is written about a connection that is gone', async () => {
    const old = await connectOne()
    const present = await control.repositories.connect(old.projectId, input, change)
    expect(await control.repositories.recordCheck(old, { ...remote, refsDigest: 'x' }, NOW)).toBeNull()
    await control.repositories.recordMirror(old, NOW)
    await control.repositories.recordMirrorFailure(old, 'x', NOW)
    await control.repositories.recordCheckFailure(old, { message: 'x', nextCheckAtMs: 1 }, NOW)
    expect(await control.repositories.get(old.projectId)).toEqual(present)
  })

  it('are due by their own time, and claimed by one of many', async () => {
    const soon = await connectOne({ nextCheckAtMs: NOW - 500_000 })
    const later = await connectOne({ nextCheckAtMs: NOW - 400_000 })
    const due = async (at: number) => (await other.repositories.listDue(at)).map(({ projectId }) => projectId)
    expect(await due(NOW - 400_001)).toEqual([soon.projectId])
    expect(await due(NOW - 400_000)).toEqual([soon.projectId, later.projectId])
    const claims = await Promise.all(
      [control, other, control, other].map((node) => node.repositories.claimCheck(soon.projectId, NOW, NOW + 10)),
    )
    expect(claims.filter(Boolean)).toHaveLength(1)
    expect(await control.repositories.claimCheck(soon.projectId, NOW + 9, NOW + 20)).toBe(false)
    expect(await control.repositories.claimCheck(soon.projectId, NOW + 10, NOW + 20)).toBe(true)
  })

  it('of deleted projects are listed no more and go with their credential', async () => {
    const { projectId } = await connectOne()
    await control.projects.delete(projectId, change)
    expect((await other.repositories.list()).map((one) => one.projectId)).not.toContain(projectId)
    expect(await other.repositories.purgeDeleted()).toBe(1)
    expect(await other.repositories.purgeDeleted()).toBe(0)
    expect(await control.repositories.get(projectId)).toBeNull()
  })
})
