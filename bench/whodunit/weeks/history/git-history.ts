/** The shop's history as git has it: a main line, and side lines that are merged into it. */
import { AUTHORS, type AuthorKey } from '../../../../packages/demo/src/shop/repository/commit-plan.ts'
import { commitSha, treeSha } from '../../../../packages/demo/src/shop/repository/git-objects.ts'
import type { Commit } from '../../../../packages/demo/src/shop/repository/repository.ts'
import type { Change, Files } from './change.ts'

/** A branch that is being worked on. */
type SideLine = { tip: Commit; files: Files; changes: Change[] }

export class GitHistory {
  /** Oldest first: parents stand before their children. */
  readonly commits: Commit[] = []
  readonly #bySha = new Map<string, Commit>()
  readonly #blobs = new Map<string, string>()
  #files: Files
  #tip: Commit

  constructor(files: Files, atMs: number) {
    this.#files = files
    this.#tip = this.#add({ author: 'ada', message: 'Import the shop\n', files, before: null, atMs })
  }

  get tip(): Commit {
    return this.#tip
  }

  commit(sha: string): Commit {
    const commit = this.#bySha.get(sha)
    if (!commit) throw new Error(`There is no commit ${sha}.`)
    return commit
  }

  onMain(change: Change, atMs: number): Commit {
    this.#tip = this.#changed(this.#files, this.#tip, change, atMs)
    return this.#tip
  }

  branch(): SideLine {
    return { tip: this.#tip, files: new Map(this.#files), changes: [] }
  }

  onSide(line: SideLine, change: Change, atMs: number): Commit {
    line.tip = this.#changed(line.files, line.tip, change, atMs)
    line.changes.push(change)
    return line.tip
  }

  merge(line: SideLine, { author, message, atMs }: { author: AuthorKey; message: string; atMs: number }): Commit {
    for (const { apply } of line.changes) apply(this.#files)
    const given = { author, message, files: this.#files, before: this.#tip, atMs, merged: line.tip.sha }
    this.#tip = this.#add(given)
    return this.#tip
  }

  #changed(files: Files, before: Commit, { author, message, apply }: Change, atMs: number): Commit {
    apply(files)
    return this.#add({ author, message, files, before, atMs })
  }

  #add(given: {
    author: AuthorKey
    message: string
    files: Files
    before: Commit | null
    atMs: number
    merged?: string
  }): Commit {
    const { message, files, before, merged } = given
    const author = { ...AUTHORS[given.author], atMs: Math.floor(given.atMs / 1_000) * 1_000 }
    const parent = before?.sha ?? null
    const tree = treeSha(files, this.#blobs)
    const second = merged === undefined ? {} : { merged }
    const sha = commitSha({ tree, parent, ...second, author, message })
    const old = before?.files ?? new Map<string, string>()
    const changed = [...files.keys()].filter((path) => files.get(path) !== old.get(path))
    const removed = [...old.keys()].filter((path) => !files.has(path))
    const commit = { sha, parent, ...second, author, message, changed, removed, files: new Map(files) }
    this.commits.push(commit)
    this.#bySha.set(sha, commit)
    return commit
  }
}
