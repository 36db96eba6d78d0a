/** Repositories written to harm whoever copies or shows them. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ProjectId } from '../model/project.ts'
import type { Repository } from '../model/repository.ts'
import type { GitOptions } from './git/git.ts'
import { folderBytes } from './git/run-git.ts'
import { openMirrors } from './mirror/mirrors.ts'
import { createRemotes } from './remotes.ts'
import { createSource, type SourceRepository, temporaryFolder } from './testing/source-repository.ts'

const PROJECT = 'prj_01990000-0000-7000-8000-000000000002' as ProjectId
const ESC = String.fromCharCode(27)

let folder: ReturnType<typeof temporaryFolder>
let source: SourceRepository
beforeEach(() => {
  folder = temporaryFolder()
  source = createSource(folder.path)
})
afterEach(() => folder.remove())

async function open(options: Partial<GitOptions> = {}) {
  const dataDir = join(folder.path, 'data')
  const remotes = createRemotes({
    dataDir,
    secretKey: 's'.repeat(32),
    allowLocal: true,
    checkHost: async () => [],
    ...options,
  })
  const mirrors = openMirrors(remotes.git, Date.now())
  let generation = 0
  const refresh = async () => {
    const remote = await remotes.open(source.path, { kind: 'none' })
    const { branch, headSha } = await remotes.list(remote, null)
    generation += 1
    const repository = { id: 'rep_1', projectId: PROJECT, generation, defaultBranch: branch, headSha } as Repository
    await mirrors.refresh(repository, remote)
    return mirrors.open(repository)!
  }
  return { root: remotes.git.root, mirrors, refresh }
}

describe('a hostile repository', () => {
  it('cannot send escapes, markup that runs, or hidden directions through its commits', async () => {
    const subject = `${ESC}[31mred${ESC}]8;;http://evil${ESC}\\ <script>alert(1)</script> \u202egnp.exe \u200bzero`
    const sha = source.commit({
      message: `${subject}\r\rsecond\n\nbody`,
      author: `Eve\u202e${ESC}[2J`,
      files: { 'a\nb\tc': '1\n', [`${ESC}[0m.ts`]: '1\n', 'x\u202etxt.exe': '1\n' },
    })
    const mirror = await (await open()).refresh()
    const commit = await mirror.commit(sha)
    const files = await mirror.changedFiles(sha)
    const text = JSON.stringify([commit, files])
    expect(text).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u200b]|\\u00|\\[nrt]/)
    // Markup is text; who shows it shows it as such.
    expect(commit?.subject).toContain('<script>alert(1)</script>')
    expect(files.map(({ path }) => path).sort()).toEqual(['a\ufffdb\ufffdc', 'x\ufffdtxt.exe', '\ufffd[0m.ts'])
  })

  it('cannot write more than a bounded line, or fewer fields, into a commit', async () => {
    const long = source.commit({ message: 'x'.repeat(100_000), author: 'y'.repeat(1_000) })
    const empty = source.commit({ message: ' ' })
    const mirror = await (await open()).refresh()
    expect((await mirror.commit(long))?.subject).toHaveLength(500)
    expect((await mirror.commit(long))?.authorName).toHaveLength(120)
    expect(await mirror.commit(empty)).toMatchObject({ sha: empty, parents: [long] })
    expect((await mirror.changesBetween(long, empty, 5)).changes).toHaveLength(1)
  })

  it('cannot pass off the name or content of a file as lines of another', async () => {
    source.commit({ files: { real: 'a\n' } })
    const sha = source.commit({
      files: {
        'diff --git a/real b/real': '@@ -1,1 +1,900 @@\ndiff --git a/real b/real\n@@ -1 +50,60 @@\n',
        real: 'a\n@@ -1 +70 @@\n',
        binary: 'a\0b\n@@ -1 +5,5 @@\n',
      },
    })
    const files = await (await (await open()).refresh()).changedFiles(sha)
    const lines = files.map(({ path, hunks }) => [path, hunks.map(({ newFrom, newLines }) => [newFrom, newLines])])
    expect(lines).toEqual([
      ['binary', []],
      ['diff --git a/real b/real', [[1, 3]]],
      ['real', [[2, 1]]],
    ])
  })

  it('cannot run hooks, filters, drivers or configuration of its own', async () => {
    const canary = join(folder.path, 'canary')
    const run = `touch ${canary}`
    for (const name of ['post-update', 'post-receive', 'reference-transaction', 'post-checkout'])
      writeFileSync(join(source.path, '.git/hooks', name), `#!/bin/sh\n${run}\n`, { mode: 0o755 })
    const sha = source.commit({
      files: {
        '.gitattributes': '* diff=evil filter=evil merge=evil\n',
        '.gitconfig': `[diff "evil"]\n\ttextconv = ${run}\n\tcommand = ${run}\n`,
        '.lfsconfig': `[lfs]\n\turl = ${run}\n`,
        config: `[core]\n\tfsmonitor = ${run}\n\tsshCommand = ${run}\n`,
      },
    })
    // The source's own commands above ran its hooks; from here on nothing may.
    execFileSync('rm', ['-f', canary])
    const { root, refresh } = await open()
    const mirror = await refresh()
    expect((await mirror.changedFiles(sha)).length).toBe(4)
    expect(existsSync(canary)).toBe(false)
    const made = join(root, PROJECT, 'mirror.git')
    expect(readFileSync(join(made, 'config'), 'utf8')).not.toContain('evil')
    expect(existsSync(join(made, 'hooks'))).toBe(false)
    expect(readdirSync(join(root, PROJECT)).sort()).toEqual(['mirror.git', 'mirror.json'])
  })

  it('with submodule and symlink tricks is refused or copied as dead objects, and nothing of it is followed', async () => {
    const canary = join(folder.path, 'canary')
    source.commit({ files: { 'a.txt': '1\n' } })
    symlinkSync('/etc', join(source.path, 'etc'))
    symlinkSync('../../../../..', join(source.path, 'up'))
    source.commit({ files: { 'b.txt': '1\n' } })
    const { root, refresh } = await open()
    const mirror = await refresh()
    const [...files] = await mirror.changedFiles(mirror.headSha)
    expect(files.map(({ path }) => path)).toEqual(['b.txt', 'etc', 'up'])
    expect(existsSync(join(root, PROJECT, 'etc'))).toBe(false)
    source.commit({
      files: {
        '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = --upload-pack=touch ${canary}\n\tupdate = !touch ${canary}\n`,
      },
    })
    await expect(refresh()).rejects.toMatchObject({ code: 'invalid_request' })
    expect(existsSync(canary)).toBe(false)
    expect((await mirror.commit(mirror.headSha))?.sha).toBe(mirror.headSha)
  })

  it('with odd names of branches and tags is copied, and none of them is taken for an option', async () => {
    source.commit()
    const sha = source.git('rev-parse', 'HEAD')
    const names = ['--output=canary', '-c', '--upload-pack=x', 'a%0ab', 'ü', '$(id)', '`id`', ';id', 'x'.repeat(200)]
    for (const name of names) source.git('update-ref', `refs/heads/${name}`, sha)
    for (const name of names) source.git('update-ref', `refs/tags/${name}`, sha)
    source.git('update-ref', 'refs/pull/1/head', sha)
    source.git('update-ref', `refs/replace/${sha}`, sha)
    const { root, refresh } = await open()
    const mirror = await refresh()
    expect((await mirror.commitAt(4e15))?.sha).toBe(sha)
    const copied = execFileSync('git', [
      '--git-dir',
      join(root, PROJECT, 'mirror.git'),
      'for-each-ref',
      '--format=%(refname)',
    ])
    expect(copied.toString().split('\n').filter(Boolean)).toHaveLength(2 * names.length + 1)
    expect(copied.toString()).not.toMatch(/pull|replace/)
    expect(existsSync(join(folder.path, 'data/canary'))).toBe(false)
  })

  it('that is larger than the limit is given up, leaves nothing behind, and does not harm the copy before', async () => {
    const maxMirrorBytes = 3 * 1024 * 1024
    const small = source.commit()
    const { root, refresh } = await open({ maxMirrorBytes })
    const mirror = await refresh()
    const before = folderBytes(root)
    mkdirSync(join(source.path, 'big'))
    execFileSync('sh', ['-c', `head -c 5000000 /dev/urandom > '${source.path}/big/file'`])
    source.commit({ files: {} })
    await expect(refresh()).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'The repository is larger than the 3 MiB that a mirror may have: connect a smaller one.',
    })
    expect(folderBytes(root)).toBeLessThan(before + 10_000)
    expect((await mirror.commit(small))?.sha).toBe(small)
    await expect(refresh()).rejects.toMatchObject({ code: 'invalid_request' })
    // The third attempt starts from nothing, and leaves nothing either.
    await expect(refresh()).rejects.toMatchObject({ code: 'invalid_request' })
    expect(readdirSync(root)).toEqual([PROJECT])
  })
})
