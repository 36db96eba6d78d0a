import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Control } from '../../control/open.ts'
import { AppError } from '../../errors.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { ProjectId } from '../../model/project.ts'
import { createGit } from '../../repository/git/git.ts'
import { openMirror } from '../../repository/mirror/open-mirror.ts'
import { createSource, type SourceRepository, temporaryFolder } from '../../repository/testing/source-repository.ts'
import { controlBackends } from '../../testing/control.ts'
import { type ConnectedRepository, NO_REPOSITORY } from '../reading/reading-parts.ts'
import { isRollback } from './is-rollback.ts'

const backend = controlBackends()[0]!
let control: Control
let projectId: ProjectId
let made = 0

beforeAll(async () => {
  control = await backend.open()
})
afterAll(() => backend.close())
beforeEach(async () => {
  made += 1
  const change = { by: 'operator', nowMs: 0 }
  projectId = (await control.projects.create({ name: `p${made}`, retentionDays: 30 }, change)).id
})

async function deployed(sha: string, atUs: number, some: Partial<Deploy> = {}): Promise<Deploy> {
  const input = { sha, environment: 'production', deployedAtUs: atUs, ...some }
  return (await control.deploys.record(projectId, input, atUs)).deploy
}

const parts = (repository: ConnectedRepository = NO_REPOSITORY) => ({ control, repository })

/** Whether the last of them is one. */
async function told(shas: readonly string[], repository?: ConnectedRepository): Promise<boolean> {
  made += 1
  let last: Deploy | undefined
  for (const [at, sha] of shas.entries()) last = await deployed(sha, at, { environment: `production-${made}` })
  return isRollback(parts(repository), last!)
}

describe('without a repository a deploy is a rollback', () => {
  it('when it brings back what ran before another revision', async () => {
    expect(await told(['v1', 'v2', 'v1'])).toBe(true)
  })

  it('however long the names of the revisions are', async () => {
    const [first, second] = ['4f2a9c1d8e', 'b7b7b7b7b7']
    expect(await told([first, second, first.slice(0, 7)])).toBe(true)
    expect(await told([first.slice(0, 7), second, first.toUpperCase()])).toBe(true)
    expect(await told([second, first, first.slice(0, 7)])).toBe(false)
  })

  it('but not when the same revision is deployed again, is new, is the first, or ran elsewhere', async () => {
    expect(await told(['v1', 'v1'])).toBe(false)
    expect(await told(['v2', 'v3'])).toBe(false)
    await deployed('v9', 0, { environment: 'staging' })
    expect(await told(['v4', 'v9'])).toBe(false)
  })

  it('but not when either of them never went live', async () => {
    await deployed('v1', 1)
    await deployed('v2', 2)
    const failed = await deployed('v1', 3, { status: 'failed' })
    expect(await isRollback(parts(), failed)).toBe(false)
    await deployed('v3', 4, { status: 'failed' })
    await deployed('v4', 5)
    expect(await isRollback(parts(), await deployed('v3', 6))).toBe(false)
  })

  it('also of the same moment as the one it replaced', async () => {
    await deployed('v1', 1)
    const input = { environment: 'production', deployedAtUs: 2 }
    const bad = await control.deploys.record(projectId, { ...input, sha: 'v2' }, 1_000)
    const again = await control.deploys.record(projectId, { ...input, sha: 'v1' }, 2_000)
    expect(await isRollback(parts(), bad.deploy)).toBe(false)
    expect(await isRollback(parts(), again.deploy)).toBe(true)
  })
})

describe('with a repository a deploy is a rollback', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let source: SourceRepository
  beforeEach(() => {
    folder = temporaryFolder()
    source = createSource(folder.path)
  })
  afterEach(() => folder.remove())

  function repository(): ConnectedRepository {
    const git = createGit({ root: folder.path })
    const headSha = source.git('rev-parse', 'HEAD')
    const mirror = openMirror(git, { gitDir: `${source.path}/.git`, branch: 'main', headSha, onBroken() {} })
    return { mirrorOf: async () => ({ state: 'ready', mirror }), refreshSoon: () => {} }
  }

  it('when it goes back in history, also to a revision that never ran', async () => {
    const [a, b] = [source.commit({ message: 'one' }), source.commit({ message: 'two' })]
    expect(await told([b, a], repository())).toBe(true)
  })

  it('but not when it goes forward again to what a rollback had replaced', async () => {
    const [a, b] = [source.commit({ message: 'one' }), source.commit({ message: 'two' })]
    expect(await told([a, b, a], repository())).toBe(true)
    expect(await told([a, b, a, b], repository())).toBe(false)
  })

  it('by what ran where history does not say: another line, a revision that is not there, a repository that is away', async () => {
    const base = source.commit({ message: 'base' })
    const a = source.commit({ message: 'one' })
    source.git('checkout', '-q', '-b', 'other', base)
    const b = source.commit({ message: 'other' })
    expect(await told([a, b], repository())).toBe(false)
    expect(await told([a, b, a], repository())).toBe(true)
    expect(await told(['v1', 'v2', 'v1'], repository())).toBe(true)
    const away: ConnectedRepository = {
      mirrorOf: async () => {
        throw new AppError('unavailable', 'The copy of the repository cannot be read. Ask again.')
      },
      refreshSoon: () => {},
    }
    expect(await told(['v3', 'v4', 'v3'], away)).toBe(true)
  })
})
