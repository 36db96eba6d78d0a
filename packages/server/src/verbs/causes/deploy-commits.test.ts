import type { CopyState } from '@tidemark/wire/copy-state'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Deploy } from '../../model/deploy.ts'
import type { ProjectId } from '../../model/project.ts'
import { createGit } from '../../repository/git/git.ts'
import { openMirror } from '../../repository/mirror/open-mirror.ts'
import { createSource, type SourceRepository, temporaryFolder } from '../../repository/testing/source-repository.ts'
import { copyState } from '../../testing/connected-repository.ts'
import type { ConnectedRepository } from '../reading/reading-parts.ts'
import { deployCommits } from './deploy-commits.ts'

let folder: ReturnType<typeof temporaryFolder>
let source: SourceRepository
let asked: number
beforeEach(() => {
  folder = temporaryFolder()
  source = createSource(folder.path)
  asked = 0
})
afterEach(() => folder.remove())

function repository(): ConnectedRepository {
  const git = createGit({ root: folder.path })
  const options = {
    gitDir: `${source.path}/.git`,
    branch: 'main',
    headSha: source.git('rev-parse', 'HEAD'),
    onBroken() {},
  }
  const refreshSoon = () => {
    asked += 1
  }
  return { mirrorOf: async () => ({ state: 'ready', mirror: openMirror(git, options) }), refreshSoon }
}

const AT = '2026-01-31T12:00:00.000Z'
const FAILED = copyState({ state: 'failing', failedAt: AT, lastError: 'Git has no room.' })
const deployOf = (sha: string, status: Deploy['status'] = 'succeeded') =>
  ({ id: 'dep_1', projectId: 'prj_1', sha, status }) as Deploy
const commitsOf = (sha: string, previous: string | null, status?: Deploy['status']) =>
  deployCommits(repository(), deployOf(sha, status), previous === null ? null : deployOf(previous))

describe('the commits of a deploy', () => {
  it('are those since the deploy before, newest first, with their files', async () => {
    const a = source.commit({ files: { 'a.ts': '1\n' } })
    source.commit({ files: { 'b.ts': '1\n' }, message: 'Add b\n\nBecause.', author: 'Grace' })
    const c = source.commit({ files: { 'a.ts': '2\n', 'c.ts': '1\n' }, message: 'Change a' })
    const found = await commitsOf(c.slice(0, 10), a)
    expect(found).toMatchObject({ step: 'forward', total: 2, summary: `2 commits since ${a.slice(0, 7)}.` })
    expect(found?.commits.map(({ title, author, files, paths }) => [title, author, files, paths])).toEqual([
      ['Change a', 'Ada', 2, ['a.ts', 'c.ts']],
      ['Add b', 'Grace', 1, ['b.ts']],
    ])
    expect(found?.commits[0]?.committedAt).toMatch(/^\d{4}-\d\d-\d\dT/)
  })

  it('of a rollback are those it took back', async () => {
    const a = source.commit({ message: 'good' })
    const b = source.commit({ message: 'bad' })
    expect(await commitsOf(a, b)).toMatchObject({
      step: 'rollback',
      summary: `Rolled back from ${b.slice(0, 7)} to ${a.slice(0, 7)}: 1 commit was taken back.`,
      commits: [{ title: 'bad' }],
    })
  })

  it('of a deploy that failed on the way back are not said to be taken back', async () => {
    const a = source.commit({ message: 'good' })
    const b = source.commit({ message: 'bad' })
    expect((await commitsOf(a, b, 'failed'))?.summary).toBe(
      `Would lead back from ${b.slice(0, 7)} to ${a.slice(0, 7)}: 1 commit would be taken back.`,
    )
  })

  it('of another line of history say so', async () => {
    const a = source.commit()
    const b = source.commit({ message: 'left behind' })
    source.git('checkout', '-q', '-b', 'rewritten', a)
    const c = source.commit({ message: 'instead' })
    source.git('checkout', '-q', 'main')
    const found = await commitsOf(c, b)
    expect(found).toMatchObject({ step: 'diverged', total: 1, commits: [{ title: 'instead' }] })
    expect(found?.summary).toMatch(/does not follow .* without 1 commit of it\. The history was rewritten/)
  })

  it('are none for the revision that ran already, and the commit itself for the first deploy', async () => {
    const a = source.commit({ message: 'only' })
    expect(await commitsOf(a, a)).toMatchObject({ step: 'same', total: 0, commits: [] })
    expect(await commitsOf(a, null)).toMatchObject({ step: 'first', total: 1, commits: [{ title: 'only' }] })
    expect(asked).toBe(0)
  })

  it('of a revision the copy does not have say so, and have the remote asked', async () => {
    const a = source.commit()
    const missing = `${'f'.repeat(39)}1`
    expect(await commitsOf(missing, a)).toMatchObject({
      step: 'unknown',
      total: 0,
      summary: expect.stringMatching(/^The repository has no commit fffffff: /),
    })
    expect(await commitsOf('v1.2.3', null)).toMatchObject({
      step: 'unknown',
      summary: expect.stringContaining('no commit v1.2.3'),
    })
    expect(asked).toBe(2)
  })

  it('are unknown without a copy, with its true state, and nothing without a repository', async () => {
    const summaryOf = async (copy: CopyState) => {
      const uncopied = { mirrorOf: async () => ({ state: 'uncopied', copy }) as const, refreshSoon() {} }
      return (await deployCommits(uncopied, deployOf('a'), null))?.summary
    }
    expect(await summaryOf(copyState({ copyingSince: AT }))).toBe(
      `The repository is being copied since ${AT}. Try again in a moment.`,
    )
    expect(await summaryOf(FAILED)).toBe(`The repository is not copied: the attempt at ${AT} failed. Git has no room.`)
    const none = { mirrorOf: async () => ({ state: 'none' }) as const, refreshSoon() {} }
    expect(await deployCommits(none, deployOf('a'), null)).toBeNull()
  })

  it('of a revision that a copy which cannot be updated does not have name that as the reason', async () => {
    source.commit()
    const found = { ...(await repository().mirrorOf('prj_1' as ProjectId)), outdated: FAILED }
    const outdated = { ...repository(), mirrorOf: async () => found } as ConnectedRepository
    expect((await deployCommits(outdated, deployOf('f'.repeat(40)), null))?.summary).toBe(
      `The copy of the repository has no commit fffffff. The repository is not copied: the attempt at ${AT} failed. Git has no room.`,
    )
    expect(asked).toBe(1)
  })
})
