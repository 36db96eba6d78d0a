/** Throw-away repositories made with real git, with exact dates and contents. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

type CommitInput = {
  message?: string
  files?: Record<string, string | null>
  /** Seconds since 1970. */
  committedAt?: number
  authoredAt?: number
  author?: string
}

export type SourceRepository = {
  readonly path: string
  git(...args: string[]): string
  /** Returns the hash. A null file is removed. */
  commit(input?: CommitInput): string
}

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'tidemark-git-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export function createSource(folder: string, name = 'source'): SourceRepository {
  const path = join(folder, name)
  let clock = 1_760_000_000
  let env: Record<string, string> = {}
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: path,
      encoding: 'utf8',
      stdio: 'pipe',
      env: {
        PATH: process.env.PATH,
        HOME: '/nonexistent',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_AUTHOR_NAME: 'Ada',
        GIT_AUTHOR_EMAIL: 'ada@example.com',
        GIT_COMMITTER_NAME: 'Ada',
        GIT_COMMITTER_EMAIL: 'ada@example.com',
        ...env,
      },
    }).trimEnd()
  mkdirSync(path, { recursive: true })
  git('init', '--quiet', '--initial-branch=main')

  return {
    path,
    git,
    commit({ message = 'change', files = { 'a.txt': `${clock}\n` }, committedAt, authoredAt, author } = {}) {
      clock += 60
      const at = committedAt ?? clock
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(path, name)), { recursive: true })
        if (content === null) rmSync(join(path, name))
        else writeFileSync(join(path, name), content)
      }
      env = {
        GIT_COMMITTER_DATE: `${at} +0000`,
        GIT_AUTHOR_DATE: `${authoredAt ?? at} +0000`,
        ...(author !== undefined && { GIT_AUTHOR_NAME: author }),
      }
      git('add', '--all')
      git('commit', '--quiet', '--allow-empty', '--cleanup=verbatim', '-m', message)
      return git('rev-parse', 'HEAD')
    },
  }
}
