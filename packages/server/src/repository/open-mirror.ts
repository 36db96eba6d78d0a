/** Reads a mirror with git. Every value that reaches git is a full hash, or hexadecimal digits that name one. */
import { AppError } from '../errors.ts'
import type { ChangedFile, Commit } from '../model/repository.ts'
import { BoundedCache } from './bounded-cache.ts'
import { brokenMirror } from './fetch-mirror.ts'
import { type FirstParentHistory, readHistory } from './first-parent-history.ts'
import type { Git } from './git.ts'
import { readChangedFiles } from './read-changed-files.ts'
import { COMMIT_FORMAT, readCommits } from './read-commits.ts'
import { FULL_HASH, MAX_COMMITS_BETWEEN, MAX_HISTORY, type RepositoryMirror } from './repository-mirror.ts'

type Options = {
  gitDir: string
  branch: string
  headSha: string
  /** Git could not read what a mirror must hold. */
  onBroken: () => void
}

/** Shorter ones could too easily be something else. */
const HASH_BEGINNING = /^[0-9a-f]{7,64}$/
const HISTORY_LINE_BYTES = 80
const MAX_READ_BYTES = 4 * 1024 * 1024
const MAX_CACHED = 2_000

export function openMirror(git: Git, { gitDir, branch, headSha, onBroken }: Options): RepositoryMirror {
  let history: Promise<FirstParentHistory> | undefined
  const revisions = new BoundedCache<string | null>(MAX_CACHED)
  const commits = new BoundedCache<Commit | null>(MAX_CACHED)
  const ranges = new BoundedCache<{ commits: Commit[]; truncated: boolean }>(MAX_CACHED / 40)
  const changes = new BoundedCache<ChangedFile[]>(MAX_CACHED / 10)

  /** The output, cut at the limit. */
  async function read(args: readonly string[], { input, maxOutputBytes = MAX_READ_BYTES }: ReadOptions = {}) {
    const end = await git.local({ gitDir, args, maxOutputBytes, ...(input !== undefined && { input }) })
    if (end.ended === 'output' || (end.ended === 'exit' && end.code === 0)) return end.stdout
    const cause = new Error(`git ${args[0]} ended with ${end.ended} ${end.code ?? ''}: ${end.stderr}`)
    if (end.ended !== 'exit')
      throw new AppError('unavailable', 'Reading the repository took too long: try again.', { cause })
    onBroken()
    throw brokenMirror(cause)
  }

  async function readFirstParents() {
    const args = ['rev-list', '--first-parent', '--timestamp', `--max-count=${MAX_HISTORY}`, headSha]
    return readHistory(await read(args, { maxOutputBytes: MAX_HISTORY * HISTORY_LINE_BYTES }))
  }

  /** Looks up objects, not names: a branch may be named like a hash. */
  async function findRevision(beginning: string): Promise<string | null> {
    const found = await read(['rev-parse', `--disambiguate=${beginning}`], { maxOutputBytes: 64 * 1024 })
    const kinds = await read(['cat-file', '--batch-check=%(objectname) %(objecttype)'], { input: found.toString() })
    const [only, ...others] = [...kinds.toString('latin1').matchAll(/^([0-9a-f]+) commit$/gm)]
    return others.length === 0 ? (only?.[1] ?? null) : null
  }

  const hasRevision = async (sha: string): Promise<string | null> => {
    const beginning = sha.toLowerCase()
    return HASH_BEGINNING.test(beginning) ? revisions.get(beginning, () => findRevision(beginning)) : null
  }

  const commit = async (sha: string): Promise<Commit | null> => {
    const full = await hasRevision(sha)
    if (full === null) return null
    return commits.get(full, async () => readCommits(await read(['log', '--no-walk', COMMIT_FORMAT, full]))[0] ?? null)
  }

  async function readBetween(from: string, to: string, limit: number) {
    const range = ['log', `--max-count=${limit + 1}`, COMMIT_FORMAT, to, `^${from}`]
    const found = readCommits(await read(range))
    return { commits: found.slice(0, limit), truncated: found.length > limit }
  }

  async function readChanges({ sha, parents: [parent] }: Commit): Promise<ChangedFile[]> {
    const between = parent === undefined ? ['--root', '--no-commit-id', sha] : [parent, sha]
    const options = ['-r', '-M', '-z', '--raw', '--patch', '-U0', '--no-ext-diff', '--no-textconv', '--no-color']
    return readChangedFiles(await read(['diff-tree', ...options, ...between]))
  }

  return {
    branch,
    headSha,
    hasRevision,
    commit,
    async commitAt(atUs) {
      history ??= readFirstParents().catch((error) => {
        history = undefined
        throw error
      })
      const sha = (await history).at(atUs)
      return sha === null ? null : commit(sha)
    },
    async commitsBetween(fromSha, toSha, limit) {
      const [from, to] = await Promise.all([hasRevision(fromSha), hasRevision(toSha)])
      if (from === null || to === null || from === to) return { commits: [], truncated: false }
      const most = Math.max(1, Math.min(limit, MAX_COMMITS_BETWEEN))
      return ranges.get(`${from} ${to} ${most}`, () => readBetween(from, to, most))
    },
    async changedFiles(sha) {
      const found = await commit(sha)
      if (found === null || !FULL_HASH.test(found.sha)) return []
      return changes.get(found.sha, () => readChanges(found))
    },
  }
}

type ReadOptions = { input?: string; maxOutputBytes?: number }
