import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Control } from '../control/open.ts'
import { syncDueRepositories } from '../jobs/sync-repositories.ts'
import type { Caller } from '../model/caller.ts'
import type { ProjectId } from '../model/project.ts'
import { controlBackends } from '../testing/control.ts'
import { openRepositoryVerbs } from '../verbs/repository.ts'
import { CHECK_EVERY_MS, createCheckRemote } from './check-remote.ts'
import type { GitOptions } from './git/git.ts'
import { openMirrors } from './mirror/mirrors.ts'
import { type MirrorKeeper, startMirrorKeeper } from './mirror-keeper.ts'
import { createRemotes } from './remotes.ts'
import { createSource, type SourceRepository, temporaryFolder } from './testing/source-repository.ts'

const log = pino({ level: 'silent' })
const OPERATOR: Caller = { kind: 'operator' }
const PATIENCE = { timeout: 20_000 }
const backend = controlBackends()[0]!
let control: Control
let folder: ReturnType<typeof temporaryFolder>
let source: SourceRepository
let project: { id: ProjectId }
let keepers: MirrorKeeper[]
let nowMs: number
let count = 0

beforeAll(async () => {
  control = await backend.open()
})
afterAll(() => backend.close())
beforeEach(async () => {
  folder = temporaryFolder()
  source = createSource(folder.path)
  keepers = []
  nowMs = Date.now()
  count += 1
  project = await control.projects.create({ name: `Project ${count}`, retentionDays: 30 }, { by: 'test', nowMs })
})
afterEach(async () => {
  for (const keeper of keepers) await keeper.close()
  await control.projects.delete(project.id, { by: 'test', nowMs }).catch(() => {})
  await control.repositories.purgeDeleted()
  folder.remove()
})

/** One node: its own data folder on the shared control store. */
function startNode(name: string, options: Partial<GitOptions> = {}) {
  const now = () => nowMs
  const dataDir = join(folder.path, name)
  const secretKey = 's'.repeat(32)
  const remotes = createRemotes({ dataDir, secretKey, allowLocal: true, checkHost: async () => [], ...options })
  const { repositories } = control
  const check = createCheckRemote({ repositories, remotes, now })
  const mirrors = openMirrors(remotes.git, nowMs)
  const keeper = startMirrorKeeper({ repositories, remotes, mirrors, check, log, now, lookEveryMs: 100 })
  keepers.push(keeper)
  const verbs = openRepositoryVerbs({ control, remotes, check, keeper, now: Date.now })
  return { keeper, check, verbs, root: remotes.git.root, remotes }
}

/** The command line: no mirrors of its own. */
function commandLine() {
  const dataDir = join(folder.path, 'cli')
  const remotes = createRemotes({ dataDir, secretKey: 's'.repeat(32), allowLocal: true, checkHost: async () => [] })
  return openRepositoryVerbs({
    control,
    remotes,
    check: createCheckRemote({ repositories: control.repositories, remotes }),
    now: Date.now,
  })
}

const headOf = async (keeper: MirrorKeeper) => {
  const answer = await keeper.mirrorOf(project.id)
  return answer.state === 'ready' ? answer.mirror.headSha : answer.state
}

describe('a node', () => {
  it('copies what is connected on it at once, and answers with branch, commit and state', async () => {
    const sha = source.commit()
    const { keeper, verbs } = startNode('a')
    expect(await headOf(keeper)).toBe('none')
    const connected = await verbs.connect(OPERATOR, { project: project.id, url: source.path })
    expect(connected).toMatchObject({ defaultBranch: 'main', headSha: sha, state: 'ready', lastError: null })
    expect(await headOf(keeper)).toBe(sha)
  })

  it('follows what the command line connects, syncs and disconnects, and other nodes do too', async () => {
    const first = source.commit()
    const [a, b, cli] = [startNode('a'), startNode('b'), commandLine()]
    expect(await cli.connect(OPERATOR, { project: project.id, url: source.path })).toMatchObject({
      state: 'mirroring',
      copyingSince: null,
    })
    for (const { keeper } of [a, b]) await expect.poll(() => headOf(keeper), PATIENCE).toBe(first)
    await expect
      .poll(async () => (await cli.show(OPERATOR, { project: project.id })).repository?.state, PATIENCE)
      .toBe('ready')

    const second = source.commit()
    expect(await cli.sync(OPERATOR, { project: project.id })).toMatchObject({ headSha: second })
    for (const { keeper } of [a, b]) await expect.poll(() => headOf(keeper), PATIENCE).toBe(second)

    expect(await cli.disconnect(OPERATOR, { project: project.id })).toEqual({ changed: true })
    for (const { keeper, root } of [a, b]) {
      await expect.poll(() => headOf(keeper), PATIENCE).toBe('none')
      await expect.poll(() => readdirSync(root), PATIENCE).toEqual([])
    }
    expect(await cli.disconnect(OPERATOR, { project: project.id })).toEqual({ changed: false })
  })

  it('has its mirror again after a restart without copying anything', async () => {
    const sha = source.commit()
    const before = startNode('a')
    await before.verbs.connect(OPERATOR, { project: project.id, url: source.path })
    await before.keeper.close()
    rmSync(source.path, { recursive: true })
    expect(await headOf(startNode('a').keeper)).toBe(sha)
  })

  it('never takes the mirror of one repository for that of the next', async () => {
    source.commit()
    const { keeper, verbs } = startNode('a')
    await verbs.connect(OPERATOR, { project: project.id, url: source.path })
    const other = createSource(folder.path, 'other')
    const sha = other.commit({ message: 'other' })
    const foreign = source.git('rev-parse', 'HEAD')
    await verbs.connect(OPERATOR, { project: project.id, url: other.path })
    const answer = await keeper.mirrorOf(project.id)
    expect(answer.state === 'ready' && [answer.mirror.headSha, await answer.mirror.fullHash(foreign)]).toEqual([
      sha,
      null,
    ])
  })

  it('removes the mirror of a deleted project, and the job its credential', async () => {
    source.commit()
    const { check, verbs, root } = startNode('a')
    await verbs.connect(OPERATOR, { project: project.id, url: source.path })
    expect(readdirSync(root)).toEqual([project.id])
    await control.projects.delete(project.id, { by: 'test', nowMs })
    await expect.poll(() => readdirSync(root), PATIENCE).toEqual([])
    await syncDueRepositories({ control, check, log, now: () => nowMs })
    expect(await control.repositories.get(project.id)).toBeNull()
  })

  it('makes a mirror anew that something has damaged', async () => {
    const sha = source.commit()
    const { keeper, verbs, root } = startNode('a')
    await verbs.connect(OPERATOR, { project: project.id, url: source.path })
    const packs = join(root, project.id, 'mirror.git/objects/pack')
    for (const name of readdirSync(packs)) writeFileSync(join(packs, name), 'damaged', { mode: 0o600 })
    const answer = await keeper.mirrorOf(project.id)
    if (answer.state !== 'ready') expect.unreachable()
    await expect(answer.mirror.commitAt(4e15)).rejects.toMatchObject({ code: 'unavailable' })
    const commit = async () => {
      const again = await keeper.mirrorOf(project.id)
      return again.state === 'ready' ? (await again.mirror.commitAt(4e15))?.sha : again.state
    }
    await expect.poll(commit, PATIENCE).toBe(sha)
  })
})

describe('a remote that fails', () => {
  it('leaves what was copied readable, says why, is asked less and less often, and recovers', async () => {
    const first = source.commit()
    const { keeper, check, verbs } = startNode('a')
    await verbs.connect(OPERATOR, { project: project.id, url: source.path })
    const run = () => syncDueRepositories({ control, check, log, now: () => nowMs })
    const row = async () => (await control.repositories.get(project.id))!
    source.git('branch', '-m', 'main', 'renamed')
    rmSync(join(source.path, '.git/HEAD'))
    const waits: number[] = []
    for (let failure = 0; failure < 3; failure += 1) {
      nowMs = (await row()).nextCheckAtMs
      await run()
      waits.push((await row()).nextCheckAtMs - nowMs)
    }
    expect(waits).toEqual([CHECK_EVERY_MS, 2 * CHECK_EVERY_MS, 4 * CHECK_EVERY_MS])
    expect((await verbs.show(OPERATOR, { project: project.id })).repository).toMatchObject({
      state: 'failing',
      lastError: expect.stringContaining("isn't a git repository"),
    })
    expect(await headOf(keeper)).toBe(first)

    writeFileSync(join(source.path, '.git/HEAD'), 'ref: refs/heads/renamed\n')
    const second = source.commit()
    nowMs = (await row()).nextCheckAtMs
    await run()
    await expect.poll(() => headOf(keeper), PATIENCE).toBe(second)
    await expect.poll(async () => (await row()).lastError, PATIENCE).toBeNull()
    expect(await row()).toMatchObject({ defaultBranch: 'renamed', failures: 0 })
  })

  it('cannot be connected, and what was connected before stays', async () => {
    source.commit()
    const { verbs } = startNode('a')
    const before = await verbs.connect(OPERATOR, { project: project.id, url: source.path })
    const attempts = [
      { url: join(folder.path, 'none') },
      { url: source.path, branch: 'none' },
      { url: source.path, token: 'x' },
      { url: 'ext::sh' },
      { url: source.path, token: 'x', deployKey: 'y' },
      { url: join(folder.path, 'none'), keepCredential: true },
    ]
    for (const attempt of attempts)
      await expect(verbs.connect(OPERATOR, { project: project.id, ...attempt })).rejects.toMatchObject({
        code: 'invalid_request',
      })
    expect((await verbs.show(OPERATOR, { project: project.id })).repository).toEqual(before)
  })
})

describe('a copy that fails', () => {
  const copyOf = async (keeper: MirrorKeeper) => {
    const answer = await keeper.mirrorOf(project.id)
    return answer.state === 'uncopied' ? answer.copy : answer.state
  }
  const connect = (node: ReturnType<typeof startNode>) =>
    node.verbs.connect(OPERATOR, { project: project.id, url: source.path })

  it('is reported as failed, with the time and what git found, until a later one succeeds', async () => {
    const sha = source.commit({ files: { 'a.txt': 'the only copy\n' } })
    const blob = source.git('rev-parse', 'HEAD:a.txt')
    rmSync(join(source.path, '.git/objects', blob.slice(0, 2), blob.slice(2)))
    const node = startNode('a')
    const failedAt = new Date(nowMs).toISOString()
    const failed = await connect(node)
    expect(failed).toMatchObject({ state: 'failing', failedAt, lastSyncedAt: null, copyingSince: null })
    expect(await copyOf(node.keeper)).toMatchObject({ state: 'failing', failedAt, lastError: failed.lastError })
    expect(failed.lastError).toBe(
      `Git could not read every object of ${source.path}: some are missing or damaged. Find them there with git fsck, and repair it or connect a complete clone.`,
    )
    writeFileSync(join(source.path, 'again.txt'), 'the only copy\n')
    source.git('hash-object', '-w', 'again.txt')
    expect(await node.verbs.sync(OPERATOR, { project: project.id })).toMatchObject({
      state: 'ready',
      failedAt: null,
      lastError: null,
    })
    expect(await headOf(node.keeper)).toBe(sha)
  })

  it('names a damaged object, a path that became unreadable, and one that was deleted', async () => {
    source.commit({ files: { 'a.txt': 'text\n' } })
    const blob = source.git('rev-parse', 'HEAD:a.txt')
    const file = join(source.path, '.git/objects', blob.slice(0, 2), blob.slice(2))
    rmSync(file)
    writeFileSync(file, 'garbage')
    const node = startNode('a')
    expect((await connect(node)).lastError).toContain('some are missing or damaged')
    const refusal = () => node.check(repositoryRow!).catch(({ message }: Error) => message)
    const repositoryRow = await control.repositories.get(project.id)
    renameSync(join(source.path, '.git'), join(source.path, 'moved'))
    expect(await refusal()).toContain("isn't a git repository")
    rmSync(source.path, { recursive: true })
    expect(await refusal()).toContain(`There is no ${source.path} on the machine of the service`)
  })

  it('leaves the older copy readable, and reports that it is out of date', async () => {
    const first = source.commit()
    const node = startNode('a')
    await connect(node)
    const second = source.commit({ files: { 'b.txt': 'newer\n' } })
    const blob = source.git('rev-parse', 'HEAD:b.txt')
    rmSync(join(source.path, '.git/objects', blob.slice(0, 2), blob.slice(2)))
    nowMs += 60_000
    const synced = await node.verbs.sync(OPERATOR, { project: project.id })
    expect(synced).toMatchObject({ state: 'failing', headSha: second, failedAt: new Date(nowMs).toISOString() })
    const answer = await node.keeper.mirrorOf(project.id)
    expect(answer).toMatchObject({
      state: 'ready',
      mirror: { headSha: first },
      outdated: { lastSyncedAt: synced.lastSyncedAt, lastError: synced.lastError },
    })
  })

  it('is under way since its turn came', async () => {
    source.commit()
    const node = startNode('a')
    const { git } = node.remotes
    const withRemote = git.withRemote
    let copying: string | null | undefined
    git.withRemote = (...call) => {
      copying ??= node.keeper.copyingSince(project.id)
      return withRemote(...call)
    }
    await connect(node)
    expect(copying).toBe(new Date(nowMs).toISOString())
    expect(node.keeper.copyingSince(project.id)).toBeNull()
  })
})

describe('an unknown revision', () => {
  it('has the remote asked soon, at most once a minute', async () => {
    source.commit()
    const { keeper, verbs } = startNode('a')
    await verbs.connect(OPERATOR, { project: project.id, url: source.path })
    nowMs += 61_000
    const second = source.commit()
    keeper.refreshSoon(project.id)
    await expect.poll(() => headOf(keeper), PATIENCE).toBe(second)
    source.commit()
    nowMs += 59_000
    keeper.refreshSoon(project.id)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect((await control.repositories.get(project.id))?.headSha).toBe(second)
  })
})

describe('who may', () => {
  const as = async (role: 'owner' | 'member' | 'viewer'): Promise<Caller> => {
    const found = await control.projects.get(project.id)
    return { kind: 'person', personId: 'usr_1', role, project: found! }
  }

  it('connect and disconnect is an owner; members sync, viewers see; keys do nothing', async () => {
    source.commit()
    const { verbs } = startNode('a')
    const input = { project: project.id, url: source.path }
    for (const role of ['member', 'viewer'] as const) {
      await expect(verbs.connect(await as(role), input)).rejects.toMatchObject({ code: 'forbidden' })
      await expect(verbs.disconnect(await as(role), input)).rejects.toMatchObject({ code: 'forbidden' })
    }
    expect(await verbs.connect(await as('owner'), input)).toMatchObject({ connectedBy: 'usr_1' })
    expect((await verbs.show(await as('viewer'), input)).repository?.url).toBe(source.path)
    await expect(verbs.sync(await as('viewer'), input)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(verbs.sync(await as('member'), { project: 'prj_other' })).rejects.toMatchObject({ code: 'not_found' })
    const key = {
      kind: 'key',
      keyId: 'key_1',
      keyKind: 'read',
      project: (await control.projects.get(project.id))!,
    } as const
    await expect(verbs.show(key, input)).rejects.toMatchObject({ code: 'forbidden' })
    expect(existsSync(join(folder.path, 'a/repositories', project.id))).toBe(true)
  })
})
