/** The shop's git repository as a value: every commit with its sha and all files at it, one line of history on `main`. */
import { HOUR_MS, MINUTE_MS } from '@tidemark/wire/time/units'
import { momentMs } from '../moment.ts'
import { RELEASES, type Release } from '../releases.ts'
import { AUTHORS, applyEdit, type CommitPlan } from './commit-plan.ts'
import { EVERYDAY_COMMITS } from './everyday-commits.ts'
import { commitSha, type Signature, treeSha } from './git-objects.ts'
import { ALL_FILES } from './sources/all-files.ts'
import { STORY_COMMITS, type StoryCommit } from './story-commits.ts'

export type Commit = {
  sha: string
  parent: string | null
  /** The second parent of a merge. */
  merged?: string
  author: Signature
  message: string
  /** Written or changed by this commit. */
  changed: readonly string[]
  /** Moved away or deleted by this commit. */
  removed?: readonly string[]
  files: ReadonlyMap<string, string>
}

export type Repository = {
  /** Oldest first. */
  commits: readonly Commit[]
  /** The last commit of a release. */
  headOf(release: string): Commit
  storyCommit(name: StoryCommit): Commit
  commit(sha: string): Commit
}

const IMPORTED_BEFORE_MS = 40 * 24 * HOUR_MS
/** How long before its first deploy the work on a release began, and how long before it the last commit was made. */
const WORK_MS = 6 * HOUR_MS
const REVIEW_MS = 12 * MINUTE_MS

export function makeRepository(nowMs: number): Repository {
  const history = new History()
  const files = Object.entries(ALL_FILES).map(([path, content]) => ({ path, content }))
  history.commit({ author: 'ada', message: 'Import the shop\n', edits: files }, nowMs - IMPORTED_BEFORE_MS)
  const heads = new Map<string, Commit>()
  const byStory = new Map<string, Commit>()
  let everyday = 0
  let workSinceMs = 0
  for (const release of RELEASES) {
    const firstDeployMs = firstDeployOf(release, nowMs)
    const plans: [string, CommitPlan][] = [
      ...EVERYDAY_COMMITS.slice(everyday, everyday + release.everyday).map((plan): [string, CommitPlan] => ['', plan]),
      ...release.commits.map((name): [string, CommitPlan] => [name, STORY_COMMITS[name]]),
    ]
    everyday += release.everyday
    const fromMs = Math.max(workSinceMs, firstDeployMs - WORK_MS)
    const stepMs = (firstDeployMs - REVIEW_MS - fromMs) / plans.length
    for (const [at, [name, plan]] of plans.entries()) {
      const made = history.commit(plan, fromMs + stepMs * (at + 1))
      if (name !== '') byStory.set(name, made)
      heads.set(release.name, made)
    }
    workSinceMs = firstDeployMs - REVIEW_MS
  }
  return {
    commits: history.commits,
    headOf: (release) => found(heads.get(release), release),
    storyCommit: (name) => found(byStory.get(name), name),
    commit: (sha) => found(history.bySha.get(sha), sha),
  }
}

/** 1 for the first line of a file at a commit. The text must be on exactly one line. */
export function lineOf(commit: Commit, path: string, code: string): number {
  const lines = (commit.files.get(path) ?? '').split('\n')
  const at = lines.findIndex((line) => line.includes(code))
  if (at === -1 || lines.slice(at + 1).some((line) => line.includes(code)))
    throw new Error(`${path} at ${commit.sha} does not hold this line once: ${code}`)
  return at + 1
}

class History {
  readonly commits: Commit[] = []
  readonly bySha = new Map<string, Commit>()
  readonly #files = new Map<string, string>()
  readonly #blobs = new Map<string, string>()

  commit({ author, message, edits }: CommitPlan, atMs: number): Commit {
    for (const edit of edits) applyEdit(this.#files, edit)
    const signature = { ...AUTHORS[author], atMs: Math.floor(atMs / 1_000) * 1_000 }
    const parent = this.commits.at(-1)?.sha ?? null
    const tree = treeSha(this.#files, this.#blobs)
    const sha = commitSha({ tree, parent, author: signature, message })
    const changed = [...new Set(edits.map(({ path }) => path))]
    const made = { sha, parent, author: signature, message, changed, files: new Map(this.#files) }
    this.commits.push(made)
    this.bySha.set(sha, made)
    return made
  }
}

function firstDeployOf({ deploys }: Release, nowMs: number): number {
  return Math.min(...deploys.map(({ at }) => momentMs(at, nowMs)))
}

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`The shop's repository has no ${name}.`)
  return value
}
