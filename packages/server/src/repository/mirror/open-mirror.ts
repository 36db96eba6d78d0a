/** Reads a mirror with git. Every value that reaches git is a full hash, or hexadecimal digits that name one. */
import { hasHashForm } from '@tidemark/wire/deploys/revision'
import { AppError } from '../../errors.ts'
import type { ChangedFile, Commit, Hunk, Revisions } from '../../model/repository.ts'
import type { Git } from '../git/git.ts'
import {
  type CommitChanges,
  FULL_HASH,
  MAX_COMMITS_BETWEEN,
  MAX_FILES,
  MAX_HISTORY,
  MAX_SOURCE_BYTES,
  type RepositoryMirror,
} from '../repository-mirror.ts'
import { BoundedCache } from './bounded-cache.ts'
import { brokenMirror } from './fetch-mirror.ts'
import { type FirstParentHistory, readHistory } from './first-parent-history.ts'
import { FUNCTION_LINES } from './function-lines.ts'
import { readChangedFiles, readFilesOfCommits } from './read-changed-files.ts'
import { COMMIT_FORMAT, readCommits } from './read-commits.ts'
import { isPathInside, sourceLines, textFileIn } from './source-file.ts'

type Options = {
  gitDir: string
  branch: string
  headSha: string
  /** Git could not read what a mirror must hold. */
  onBroken: () => void
}

const HISTORY_LINE_BYTES = 80
const MAX_READ_BYTES = 4 * 1024 * 1024
/** The files of `MAX_COMMITS_BETWEEN` commits: some hundred bytes each. */
const MAX_CHANGES_BYTES = 32 * 1024 * 1024
const MAX_PATCH_BYTES = 256 * 1024
const MAX_CACHED = 2_000
/** Names of files, of all revisions together. A page of deploys or analyses reads one revision for each. */
const MAX_CACHED_NAMES = 5 * MAX_FILES

export function openMirror(git: Git, { gitDir, branch, headSha, onBroken }: Options): RepositoryMirror {
  let history: Promise<FirstParentHistory> | undefined
  const revisions = new BoundedCache<string | null>(MAX_CACHED)
  const commits = new BoundedCache<Commit | null>(MAX_CACHED)
  const comparisons = new BoundedCache<Revisions>(MAX_CACHED)
  const ranges = new BoundedCache<{ changes: CommitChanges[]; truncated: boolean }>(MAX_CACHED / 40)
  const changed = new BoundedCache<ChangedFile[]>(MAX_CACHED)
  const patches = new BoundedCache<string>(MAX_CACHED / 20)
  const betweens = new BoundedCache<Hunk[]>(MAX_CACHED / 20)
  const excerpts = new BoundedCache<string[]>(MAX_CACHED / 4)
  const trees = new BoundedCache<string[]>(MAX_CACHED_NAMES, ({ length }) => length)

  /** The output, cut at the limit. */
  async function read(args: readonly string[], { input, config, maxOutputBytes = MAX_READ_BYTES }: ReadOptions = {}) {
    const given = { ...(input !== undefined && { input }), ...(config !== undefined && { config }) }
    const end = await git.local({ gitDir, args, maxOutputBytes, ...given })
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

  const fullHash = async (sha: string): Promise<string | null> => {
    const beginning = sha.toLowerCase()
    return hasHashForm(beginning) ? revisions.get(beginning, () => findRevision(beginning)) : null
  }

  const commit = async (sha: string): Promise<Commit | null> => {
    const full = await fullHash(sha)
    if (full === null) return null
    return commits.get(full, async () => readCommits(await read(['log', '--no-walk', COMMIT_FORMAT, full]))[0] ?? null)
  }

  async function readComparison(from: string, to: string): Promise<Revisions> {
    const counts = await read(['rev-list', '--count', '--left-right', `${from}...${to}`])
    const [behind = 0, ahead = 0] = counts.toString('latin1').trim().split('\t').map(Number)
    const relation = ahead > 0 ? (behind > 0 ? 'diverged' : 'forward') : behind > 0 ? 'back' : 'same'
    return { relation, ahead, behind }
  }

  async function readBetween(from: string, to: string, limit: number) {
    const range = ['log', '--topo-order', `--max-count=${limit + 1}`, COMMIT_FORMAT, to, `^${from}`]
    const found = readCommits(await read(range))
    const shown = found.slice(0, limit)
    const files = await readFiles(shown)
    const changes = shown.map((one) => ({ commit: one, files: files.get(one.sha) ?? [] }))
    return { changes, truncated: found.length > limit }
  }

  async function readFiles(of: readonly Commit[]): Promise<Map<string, ChangedFile[]>> {
    if (of.length === 0) return new Map()
    const args = ['diff-tree', '--stdin', '--root', '-r', '-M', '-z', '--raw', '--no-ext-diff']
    const input = of.map(({ sha }) => `${sha}\n`).join('')
    return readFilesOfCommits(await read(args, { input, maxOutputBytes: MAX_CHANGES_BYTES }))
  }

  const parentOf = ({ sha, parents: [parent] }: Commit): string[] =>
    parent === undefined ? ['--root', '--no-commit-id', sha] : [parent, sha]

  async function readChanges(of: Commit, paths: readonly string[]): Promise<ChangedFile[]> {
    const options = ['-r', '-M', '-z', '--raw', '--patch', '-U0', '--no-ext-diff', '--no-textconv', '--no-color']
    const args = ['--literal-pathspecs', 'diff-tree', ...options, ...parentOf(of), '--', ...paths]
    return readChangedFiles(await read(args, { config: FUNCTION_LINES }))
  }

  async function readPatch(of: Commit, path: string): Promise<string> {
    const options = ['-r', '--patch', '-U3', '--no-ext-diff', '--no-textconv', '--no-color']
    const args = ['--literal-pathspecs', 'diff-tree', ...options, ...parentOf(of), '--', path]
    return (await read(args, { maxOutputBytes: MAX_PATCH_BYTES })).toString('utf8')
  }

  async function readHunks(from: string, to: string, path: string): Promise<Hunk[]> {
    const options = ['-r', '-z', '--raw', '--patch', '-U0', '--no-ext-diff', '--no-textconv', '--no-color']
    const output = await read(['--literal-pathspecs', 'diff-tree', ...options, from, to, '--', path])
    return readChangedFiles(output).flatMap(({ hunks }) => hunks)
  }

  async function readLines(sha: string, path: string, from: number, count: number): Promise<string[]> {
    const listed = await read(['--literal-pathspecs', 'ls-tree', '-l', '-z', sha, '--', path])
    const hash = textFileIn(listed, path)
    if (hash === null) return []
    const content = await read(['cat-file', 'blob', hash], { maxOutputBytes: MAX_SOURCE_BYTES })
    return sourceLines(content, from, count)
  }

  async function readTree(sha: string): Promise<string[]> {
    const names = await read(['ls-tree', '-r', '-z', '--name-only', sha], { maxOutputBytes: MAX_CHANGES_BYTES })
    return names.toString('utf8').split('\0').slice(0, -1).slice(0, MAX_FILES)
  }

  return {
    branch,
    headSha,
    fullHash,
    commit,
    async commitAt(atUs) {
      history ??= readFirstParents().catch((error) => {
        history = undefined
        throw error
      })
      const sha = (await history).at(atUs)
      return sha === null ? null : commit(sha)
    },
    async compare(fromSha, toSha) {
      const [from, to] = await Promise.all([fullHash(fromSha), fullHash(toSha)])
      if (from === null || to === null) {
        const missing = [...(from === null ? [fromSha] : []), ...(to === null ? [toSha] : [])]
        return { relation: 'unknown', missing }
      }
      return comparisons.get(`${from} ${to}`, () => readComparison(from, to))
    },
    async changesBetween(fromSha, toSha, limit) {
      const [from, to] = await Promise.all([fullHash(fromSha), fullHash(toSha)])
      if (from === null || to === null || from === to) return { changes: [], truncated: false }
      const most = Math.max(1, Math.min(limit, MAX_COMMITS_BETWEEN))
      return ranges.get(`${from} ${to} ${most}`, () => readBetween(from, to, most))
    },
    async changedFiles(sha, paths = []) {
      const found = await commit(sha)
      if (found === null || !FULL_HASH.test(found.sha)) return []
      return changed.get([found.sha, ...paths].join('\0'), () => readChanges(found, paths))
    },
    async patch(sha, path) {
      const found = await commit(sha)
      return found === null ? '' : patches.get(`${found.sha}\0${path}`, () => readPatch(found, path))
    },
    async hunksBetween(fromSha, toSha, path) {
      const [from, to] = await Promise.all([fullHash(fromSha), fullHash(toSha)])
      if (from === null || to === null || from === to || !isPathInside(path)) return []
      return betweens.get(`${from} ${to} ${path}`, () => readHunks(from, to, path))
    },
    async linesAt(sha, path, from, count) {
      const full = await fullHash(sha)
      if (full === null || !isPathInside(path)) return []
      return excerpts.get(`${full} ${from} ${count} ${path}`, () => readLines(full, path, from, count))
    },
    async filesAt(sha) {
      const full = await fullHash(sha)
      return full === null ? [] : trees.get(full, () => readTree(full))
    },
  }
}

type ReadOptions = { input?: string; config?: Record<string, string>; maxOutputBytes?: number }
