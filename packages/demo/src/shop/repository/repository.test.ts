import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeGitRepository } from '../../make-git-repository.ts'
import { RELEASES } from '../releases.ts'
import { applyEdit } from './commit-plan.ts'
import { EVERYDAY_COMMITS } from './everyday-commits.ts'
import { lineOf, makeRepository } from './repository.ts'
import { STORY_COMMITS } from './story-commits.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidemark-shop-'))
const repository = makeRepository(Date.parse('2026-03-18T15:04:05.678Z'))
const git = (...args: string[]) => execFileSync('git', ['-C', join(folder, 'shop.git'), ...args], { encoding: 'utf8' })

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("the shop's repository", () => {
  it('is a real one in which git finds every commit under the sha that was computed', async () => {
    await makeGitRepository(join(folder, 'shop.git'), repository)
    expect(git('rev-list', '--reverse', 'main').trim().split('\n')).toEqual(repository.commits.map(({ sha }) => sha))
    expect(git('fsck', '--strict', '--no-progress')).toBe('')
    expect(git('symbolic-ref', 'HEAD').trim()).toBe('refs/heads/main')
  })

  it('holds the files that the commits hold', async () => {
    await makeGitRepository(join(folder, 'shop.git'), repository)
    for (const commit of repository.commits.slice(-3)) {
      expect(git('ls-tree', '-r', '--name-only', commit.sha).trim().split('\n')).toEqual(
        [...commit.files.keys()].sort(),
      )
      const path = commit.changed[0] ?? ''
      expect(git('show', `${commit.sha}:${path}`)).toBe(commit.files.get(path))
    }
  })

  it('ships every commit there is, each once', () => {
    expect(RELEASES.flatMap(({ commits }) => commits).sort()).toEqual(Object.keys(STORY_COMMITS).sort())
    expect(RELEASES.reduce((sum, { everyday }) => sum + everyday, 0)).toBe(EVERYDAY_COMMITS.length)
  })

  it('has commits whose times rise', () => {
    const times = repository.commits.map(({ author }) => author.atMs)
    expect(times).toEqual([...times].sort((a, b) => a - b))
  })

  it('refuses an edit of text that is not there, and a line that stands twice', () => {
    expect(() => applyEdit(new Map([['a', 'x\n']]), { path: 'a', find: 'y', replace: 'z' })).toThrow(/must stand once/)
    expect(() => applyEdit(new Map(), { path: 'a', add: 'z' })).toThrow(/no file a/)
    const commit = repository.commits[0]
    if (!commit) throw new Error('There is no commit.')
    expect(() => lineOf(commit, 'README.md', 'e')).toThrow(/this line once/)
    expect(lineOf(commit, 'README.md', 'Five services')).toBe(3)
  })
})
