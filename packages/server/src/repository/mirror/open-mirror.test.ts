import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ProjectId } from '../../model/project.ts'
import type { Repository } from '../../model/repository.ts'
import { createRemotes } from '../remotes.ts'
import type { RepositoryMirror } from '../repository-mirror.ts'
import { createSource, type SourceRepository, temporaryFolder } from '../testing/source-repository.ts'
import { openMirrors } from './mirrors.ts'

const PROJECT = 'prj_01990000-0000-7000-8000-000000000001' as ProjectId
const T = 1_760_000_000
const us = (seconds: number) => seconds * 1_000_000

let folder: ReturnType<typeof temporaryFolder>
let source: SourceRepository
beforeEach(() => {
  folder = temporaryFolder()
  source = createSource(folder.path)
})
afterEach(() => folder.remove())

async function mirrorOf(branch = 'main'): Promise<RepositoryMirror> {
  const remotes = createRemotes({
    dataDir: `${folder.path}/data`,
    secretKey: 'k'.repeat(32),
    allowLocal: true,
    checkHost: async () => [],
  })
  const mirrors = openMirrors(remotes.git, Date.now())
  const remote = await remotes.open(source.path, { kind: 'none' })
  const { headSha } = await remotes.list(remote, branch)
  const repository = { id: 'rep_1', projectId: PROJECT, generation: 1, defaultBranch: branch, headSha } as Repository
  await mirrors.refresh(repository, remote)
  return mirrors.open(repository)!
}

describe('the commit at a time', () => {
  it('is the newest one whose committer date is not after it, to the second', async () => {
    const a = source.commit({ committedAt: T })
    const b = source.commit({ committedAt: T + 100 })
    const c = source.commit({ committedAt: T + 200 })
    const mirror = await mirrorOf()
    const table: [number, string | null][] = [
      [us(T) - 1, null],
      [us(T), a],
      [us(T) + 1, a],
      [us(T + 100) - 1, a],
      [us(T + 100), b],
      [us(T + 199.999999), b],
      [us(T + 200), c],
      [us(T + 1e6), c],
      [0, null],
    ]
    for (const [atUs, sha] of table) expect((await mirror.commitAt(atUs))?.sha ?? null, String(atUs)).toBe(sha)
    expect(await mirror.commitAt(us(T + 100))).toEqual({
      sha: b,
      parents: [a],
      authorName: 'Ada',
      authoredAtUs: us(T + 100),
      committedAtUs: us(T + 100),
      subject: 'change',
    })
  })

  it('goes by the committer, not by the author, whose date survives a rebase', async () => {
    const a = source.commit({ committedAt: T })
    source.commit({ committedAt: T + 500, authoredAt: T + 10 })
    expect((await (await mirrorOf()).commitAt(us(T + 100)))?.sha).toBe(a)
  })

  it('follows first parents: what a merged branch did is not there before the merge', async () => {
    const a = source.commit({ committedAt: T })
    source.git('checkout', '-q', '-b', 'topic')
    source.commit({ committedAt: T + 10, files: { 'topic.txt': '1\n' } })
    source.commit({ committedAt: T + 20, files: { 'topic.txt': '2\n' } })
    source.git('checkout', '-q', 'main')
    const b = source.commit({ committedAt: T + 30 })
    source.git('merge', '-q', '--no-ff', '--no-commit', 'topic')
    const merge = source.commit({ committedAt: T + 40, files: {} })
    const mirror = await mirrorOf()
    expect((await mirror.commitAt(us(T + 25)))?.sha).toBe(a)
    expect((await mirror.commitAt(us(T + 35)))?.sha).toBe(b)
    expect(await mirror.commitAt(us(T + 45))).toMatchObject({ sha: merge, parents: [b, expect.any(String)] })
  })

  it('is the newest by history where clocks were wrong, however the dates jump', async () => {
    const a = source.commit({ committedAt: T })
    const ahead = source.commit({ committedAt: T + 10_000 })
    const behind = source.commit({ committedAt: T - 5_000 })
    const d = source.commit({ committedAt: T + 100 })
    const mirror = await mirrorOf()
    const table: [number, string | null][] = [
      [T - 5_001, null],
      // Its clock was behind, so from its own date on it hides the older commits, until a newer one is due.
      [T - 5_000, behind],
      [T, behind],
      [T + 99, behind],
      [T + 100, d],
      [T + 10_000, d],
    ]
    for (const [at, sha] of table) expect((await mirror.commitAt(us(at)))?.sha ?? null, String(at - T)).toBe(sha)
    expect([a, ahead]).not.toContain((await mirror.commitAt(us(T + 20_000)))?.sha)
  })

  it('is asked of the branch that is followed, and does not change while the mirror does not', async () => {
    const a = source.commit({ committedAt: T })
    source.git('checkout', '-q', '-b', 'release/1.x')
    const b = source.commit({ committedAt: T + 10 })
    source.git('checkout', '-q', 'main')
    const mirror = await mirrorOf('release/1.x')
    expect([mirror.branch, mirror.headSha]).toEqual(['release/1.x', b])
    source.commit({ committedAt: T + 20 })
    expect((await mirror.commitAt(us(T + 30)))?.sha).toBe(b)
    expect((await mirror.commitAt(us(T + 5)))?.sha).toBe(a)
  })
})

describe('what is between two revisions', () => {
  it('is what the later one has and the earlier has not, newest first, merged commits included', async () => {
    const a = source.commit()
    source.git('checkout', '-q', '-b', 'topic')
    const topic = source.commit({ files: { 't.txt': 't\n' }, message: 'topic' })
    source.git('checkout', '-q', 'main')
    const b = source.commit({ message: 'main' })
    source.git('merge', '-q', '--no-ff', '--no-commit', 'topic')
    const merge = source.commit({ files: {}, message: 'merge' })
    const mirror = await mirrorOf()
    const { changes, truncated } = await mirror.changesBetween(a, merge, 10)
    expect([changes.map(({ commit }) => commit.sha).sort(), truncated]).toEqual([[merge, b, topic].sort(), false])
    expect(changes[0]?.commit.sha).toBe(merge)
    const files = Object.fromEntries(changes.map(({ commit, files }) => [commit.sha, files.map(({ path }) => path)]))
    expect(files).toEqual({ [merge]: [], [b]: ['a.txt'], [topic]: ['t.txt'] })
    expect(await mirror.changesBetween(a.slice(0, 8), merge.toUpperCase(), 2)).toEqual({
      changes: changes.slice(0, 2),
      truncated: true,
    })
  })

  it('is nothing for a rollback, for the same revision and for one that is not there', async () => {
    const a = source.commit()
    const b = source.commit()
    const mirror = await mirrorOf()
    for (const [from, to] of [
      [b, a],
      [a, a],
      ['f'.repeat(40), b],
      [a, 'v1.2.3'],
    ] as const)
      expect(await mirror.changesBetween(from, to, 10)).toEqual({ changes: [], truncated: false })
  })

  it('tells a step forward from a rollback, another branch, and what is not there', async () => {
    const a = source.commit()
    const b = source.commit()
    source.git('checkout', '-q', '-b', 'hotfix', a)
    const c = source.commit()
    source.git('checkout', '-q', 'main')
    const mirror = await mirrorOf()
    expect(await mirror.compare(a, b)).toEqual({ relation: 'forward', ahead: 1, behind: 0 })
    expect(await mirror.compare(b, a)).toEqual({ relation: 'back', ahead: 0, behind: 1 })
    expect(await mirror.compare(b, c)).toEqual({ relation: 'diverged', ahead: 1, behind: 1 })
    expect(await mirror.compare(b, b.slice(0, 9))).toEqual({ relation: 'same', ahead: 0, behind: 0 })
    expect(await mirror.compare(b, 'v2')).toEqual({ relation: 'unknown', missing: ['v2'] })
  })
})

describe('changed files', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`)

  it('come with what became of which lines', async () => {
    source.commit({ files: { 'src/app.ts': lines.join(''), 'old.ts': lines.join(''), 'gone.ts': 'x\n' } })
    const changed = [...lines]
    changed[2] = 'third\n'
    changed.splice(10, 2, 'a\n', 'b\n', 'c\n')
    changed.splice(16, 1)
    const files = { 'src/app.ts': changed.join(''), 'old.ts': null, 'new.ts': lines.join(''), 'gone.ts': null }
    const sha = source.commit({ files: { ...files, 'added.ts': '1\n2\n' } })
    const mirror = await mirrorOf()
    const app = {
      path: 'src/app.ts',
      previousPath: null,
      change: 'modified',
      hunks: [
        { oldFrom: 3, oldLines: 1, newFrom: 3, newLines: 1, section: '' },
        { oldFrom: 11, oldLines: 2, newFrom: 11, newLines: 3, section: '' },
        { oldFrom: 16, oldLines: 1, newFrom: 16, newLines: 0, section: '' },
      ],
    }
    expect(await mirror.changedFiles(sha)).toMatchObject([
      { path: 'added.ts', change: 'added', hunks: [{ oldFrom: 0, oldLines: 0, newFrom: 1, newLines: 2 }] },
      { path: 'gone.ts', change: 'deleted', hunks: [{ oldFrom: 1, oldLines: 1, newFrom: 0, newLines: 0 }] },
      { path: 'new.ts', previousPath: 'old.ts', change: 'renamed', hunks: [] },
      app,
    ])
    expect(await mirror.changedFiles(sha, ['src/app.ts', 'nowhere.ts', ':(glob)**'])).toEqual([app])
    expect(await mirror.patch(sha, 'src/app.ts')).toContain('\n-line 3\n+third\n line 4\n')
    expect(await mirror.filesAt(sha)).toEqual(['added.ts', 'new.ts', 'src/app.ts'])
    expect(await mirror.filesAt('0'.repeat(40))).toEqual([])
  })

  it.each([
    [
      'cart.ts',
      'export class Cart {\n  async total(items: Item[]): Promise<number> {\n    a()\n    if (x) {\n      b()\n    }\n  }\n}\n',
      'total',
    ],
    [
      'cart.js',
      'const a = 1\nexport const total = async (items) => {\n  a()\n  for (const x of y) {\n    b()\n  }\n}\n',
      'total',
    ],
    ['cart.py', 'class Cart:\n    def total(self):\n        a()\n        for x in y:\n            b()\n', 'total'],
    [
      'Cart.java',
      'class Cart {\n  public int total(List<Item> items) {\n    a();\n    for (;;) {\n      b();\n    }\n  }\n}\n',
      'total',
    ],
    [
      'Cart.kt',
      'class Cart {\n  fun total(items: List<Item>): Int {\n    a()\n    for (x in y) {\n      b()\n    }\n  }\n}\n',
      'total',
    ],
    ['cart.go', 'package cart\n\nfunc (c *Cart) Total() int {\n\ta()\n\tfor {\n\t\tb()\n\t}\n}\n', 'Total'],
    [
      'Cart.cs',
      'class Cart {\n  public int Total(List<Item> items) {\n    a();\n    foreach (var x in y) {\n      b();\n    }\n  }\n}\n',
      'Total',
    ],
    ['cart.rb', 'class Cart\n  def total\n    a\n    each do |x|\n      b\n    end\n  end\nend\n', 'total'],
    [
      'cart.php',
      '<?php\nclass Cart {\n  public function total() {\n    a();\n    foreach ($x as $y) {\n      b();\n    }\n  }\n}\n',
      'total',
    ],
    [
      'cart.rs',
      'impl Cart {\n    pub fn total(&self) -> u32 {\n        a();\n        loop {\n            b();\n        }\n    }\n}\n',
      'total',
    ],
  ])('of %s name the function they stand in', async (path, content, name) => {
    source.commit({ files: { [path]: content } })
    const sha = source.commit({ files: { [path]: content.replace(/\bb\b/, 'c') } })
    const [file] = await (await mirrorOf()).changedFiles(sha)
    expect(file?.hunks[0]?.section).toContain(name)
  })

  it('of a first commit are all it has, of a merge what it brought to its first parent', async () => {
    const a = source.commit({ files: { 'a.txt': '1\n' } })
    source.git('checkout', '-q', '-b', 'topic')
    source.commit({ files: { 'topic.txt': '1\n2\n' } })
    source.git('checkout', '-q', 'main')
    source.commit({ files: { 'a.txt': '2\n' } })
    source.git('merge', '-q', '--no-ff', '--no-commit', 'topic')
    const merge = source.commit({ files: {} })
    const mirror = await mirrorOf()
    expect(await mirror.changedFiles(a)).toMatchObject([{ path: 'a.txt', change: 'added', hunks: [{ newLines: 1 }] }])
    expect(await mirror.changedFiles(merge)).toMatchObject([
      { path: 'topic.txt', hunks: [{ newFrom: 1, newLines: 2 }] },
    ])
    expect(await mirror.changedFiles('0'.repeat(40))).toEqual([])
  })
})

describe('a revision', () => {
  it('is found by its whole hash and by an unambiguous beginning, in any letter case', async () => {
    const sha = source.commit()
    const mirror = await mirrorOf()
    for (const text of [sha, sha.slice(0, 7), sha.slice(0, 12).toUpperCase()])
      expect(await mirror.fullHash(text)).toBe(sha)
  })

  it('is not a tree, a branch or anything but a hash, and never an option', async () => {
    const sha = source.commit()
    const tree = source.git('rev-parse', 'HEAD^{tree}')
    source.git('branch', 'abcdef0')
    source.git('branch', 'deadbeefcafe')
    const mirror = await mirrorOf()
    for (const text of [
      tree,
      'abcdef0',
      'deadbeefcafe',
      'main',
      'HEAD',
      '--all',
      sha.slice(0, 6),
      '',
      `${sha}^`,
      `${sha}0`,
    ])
      expect(await mirror.fullHash(text), text).toBeNull()
    expect(await mirror.commit('main')).toBeNull()
  })
})

describe('secrets', () => {
  const token = `ghp${'_'}${'aB3'.repeat(12)}`

  it('are redacted in the title and the author of a commit, in its hunks and in its lines, which keep their numbers', async () => {
    const dashes = '-'.repeat(5)
    const key = [`${dashes}BEGIN PRIVATE KEY${dashes}`, 'MIIEvQIBADANBgkqh', `${dashes}END PRIVATE KEY${dashes}`]
    const text = ['const a = 1', ...key, `function sign() { return '${token}' }`, 'last']
    source.commit({ files: { 'src/s.js': `${text.join('\n')}\n` } })
    const changed = `${[...text.slice(0, 5), '  b', 'last'].join('\n')}\n`
    const sha = source.commit({ message: `use ${token}`, author: `Ada ${token}`, files: { 'src/s.js': changed } })
    const mirror = await mirrorOf()
    expect(await mirror.commit(sha)).toMatchObject({
      subject: 'use [REDACTED:github-token]',
      authorName: 'Ada [REDACTED:github-token]',
    })
    const lines = await mirror.linesAt(sha, 'src/s.js', 3, 9)
    const hidden = '[REDACTED:private-key]'
    expect(lines).toEqual([hidden, hidden, "function sign() { return '[REDACTED:github-token]' }", '  b', 'last'])
    expect(JSON.stringify(await mirror.changedFiles(sha))).not.toContain(token)
  })
})

describe('the lines of a file', () => {
  it('are those of the revision, as many as there are', async () => {
    const old = source.commit({ files: { 'src/a.ts': 'one\ntwo\nthree\n' } })
    const now = source.commit({ files: { 'src/a.ts': 'zero\none\n\ttwo\nthree' } })
    const mirror = await mirrorOf()
    expect(await mirror.linesAt(old, 'src/a.ts', 1, 9)).toEqual(['one', 'two', 'three'])
    expect(await mirror.linesAt(now, 'src/a.ts', 2, 2)).toEqual(['one', '  two'])
    expect(await mirror.linesAt(now, 'src/a.ts', 4, 9)).toEqual(['three'])
    expect(await mirror.linesAt(now, 'src/a.ts', 9, 9)).toEqual([])
    expect(await mirror.linesAt('f'.repeat(40), 'src/a.ts', 1, 9)).toEqual([])
  })

  it('are none of what is no plain text file: a folder, a link, bytes, something very large, something else', async () => {
    symlinkSync('/etc/passwd', join(source.path, 'link'))
    const sha = source.commit({
      files: { 'src/a.ts': 'one\n', bytes: 'a\0b\n', large: `${'x'.repeat(99)}\n`.repeat(11_000) },
    })
    const mirror = await mirrorOf()
    for (const path of ['src', 'link', 'bytes', 'large', 'src/*.ts', ':(glob)src/a.ts', '../a.ts', '-l', '']) {
      expect(await mirror.linesAt(sha, path, 1, 5), path).toEqual([])
    }
    expect(await mirror.linesAt(sha, 'src/a.ts', 1, 5), 'the copy is not taken for broken').toEqual(['one'])
  })

  it('are cut, and show what cannot be seen', async () => {
    const sha = source.commit({ files: { 'a.ts': `${'x'.repeat(5_000)}\nuser\u202egnp.exe\u001b[31m\r\n` } })
    const [long = '', hidden] = await (await mirrorOf()).linesAt(sha, 'a.ts', 1, 5)
    expect(long).toHaveLength(240)
    expect(hidden).toBe('user\ufffdgnp.exe\ufffd[31m')
  })

  it('are followed from one revision to another', async () => {
    const old = source.commit({ files: { 'a.ts': 'one\ntwo\nthree\n', 'b.ts': '1\n' } })
    const now = source.commit({ files: { 'a.ts': 'zero\none\n2\nthree\n', 'b.ts': '2\n' } })
    const mirror = await mirrorOf()
    const hunks = await mirror.hunksBetween(old, now, 'a.ts')
    expect(hunks.map(({ oldFrom, oldLines, newFrom, newLines }) => [oldFrom, oldLines, newFrom, newLines])).toEqual([
      [0, 0, 1, 1],
      [2, 1, 3, 1],
    ])
    expect(await mirror.hunksBetween(old, old, 'a.ts')).toEqual([])
    expect(await mirror.hunksBetween(old, now, 'none.ts')).toEqual([])
  })
})
