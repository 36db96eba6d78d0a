/**
 * Updates a mirror to what the remote has: branches and tags, nothing else, in a bare repository of our own.
 * There is no checkout, no hook, no submodule and no configuration from the remote, so nothing in a repository can run.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE_MS } from '@tidemark/wire/time/units'
import { AppError } from '../../errors.ts'
import type { Git } from '../git/git.ts'
import type { Remote } from '../git/remote.ts'
import { ATTRIBUTES } from './function-lines.ts'
import { gitDirOf, removeUnfinished } from './mirror-folder.ts'

const REFSPECS = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']
const MAX_FETCH_OUTPUT_BYTES = 1024 * 1024
const TIDY_TIMEOUT_MS = 5 * MINUTE_MS
/** Commits that a forced push left behind are kept this long: they may be deployed. */
const KEEP_UNREACHABLE = '90.days.ago'

/** Resolves to the newest commit of the branch. After a failure the mirror holds what it held before. */
export async function fetchMirror(git: Git, remote: Remote, folder: string, branch: string): Promise<string> {
  const gitDir = gitDirOf(folder)
  if (!existsSync(gitDir)) {
    const made = await git.local({
      args: ['init', '--quiet', '--bare', '--template=', '--', gitDir],
      maxOutputBytes: 1_000,
    })
    if (made.code !== 0) throw brokenMirror(made.stderr)
  }
  mkdirSync(join(gitDir, 'info'), { recursive: true })
  writeFileSync(join(gitDir, 'info', 'attributes'), ATTRIBUTES)
  removeUnfinished(gitDir)
  try {
    await git.withRemote(remote, {
      gitDir,
      quotaFolder: folder,
      args: [
        ...['fetch', '--quiet', '--prune', '--force', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'],
        ...['--no-auto-maintenance', '--', remote.address.url, ...REFSPECS],
      ],
      // Packs only, so that the limit on a file's size holds; the graph makes walking the history quick.
      config: { 'fetch.unpackLimit': '1', 'fetch.writeCommitGraph': 'true' },
      maxOutputBytes: MAX_FETCH_OUTPUT_BYTES,
    })
  } catch (error) {
    removeUnfinished(gitDir)
    throw error
  }
  const head = await git.local({
    gitDir,
    args: ['rev-parse', '--verify', '--quiet', '--end-of-options', `refs/heads/${branch}^{commit}`],
    maxOutputBytes: 1_000,
  })
  if (head.ended !== 'exit' || head.code !== 0) {
    throw new AppError('invalid_request', 'The branch that is followed is gone from the remote: connect another one.')
  }
  return head.stdout.toString('latin1').trim()
}

/** Many small packs make reading slow. A failure here costs nothing but time, so it is logged, not thrown. */
export async function tidyMirror(git: Git, folder: string): Promise<boolean> {
  const { ended, code } = await git.local({
    gitDir: gitDirOf(folder),
    args: ['gc', '--auto', '--quiet'],
    config: { 'gc.auto': '6700', 'gc.autoDetach': 'false', 'gc.pruneExpire': KEEP_UNREACHABLE, 'pack.threads': '1' },
    maxOutputBytes: MAX_FETCH_OUTPUT_BYTES,
    timeoutMs: TIDY_TIMEOUT_MS,
  })
  return ended === 'exit' && code === 0
}

export function brokenMirror(cause: unknown): AppError {
  return new AppError(
    'unavailable',
    'The mirror of the repository cannot be used; it is being made again. Try again soon.',
    {
      cause,
    },
  )
}
