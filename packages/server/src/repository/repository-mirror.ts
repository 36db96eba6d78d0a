import type { ChangedFile, Commit } from '../model/repository.ts'

/**
 * A project's repository as this node has copied it, immutable: a later copy is another one. Answers are cached, so
 * that asking on every read of an analysis is cheap. All text in them is a stranger's. Revisions are hashes in
 * hexadecimal; what is not one, or not there, is null or an empty list, never an error.
 */
export interface RepositoryMirror {
  /** The branch that is followed, and its newest commit. */
  readonly branch: string
  readonly headSha: string
  /**
   * The commit of the branch at a time: the newest one along first parents whose committer date is not after it. Newest
   * means by history, not by date: where a clock was wrong, a child still counts as newer than its parent. Null when the
   * branch is younger. Beyond the limit of `MAX_HISTORY` commits it is null too.
   */
  commitAt(atUs: number): Promise<Commit | null>
  /**
   * Commits that `toSha` has and `fromSha` does not, newest first, at most `limit`: what a deploy brought. Empty for a
   * rollback, which is found by asking the other way round. `truncated` when there are more.
   */
  commitsBetween(fromSha: string, toSha: string, limit: number): Promise<{ commits: Commit[]; truncated: boolean }>
  commit(sha: string): Promise<Commit | null>
  /** Against the first parent; all files of a first commit. At most `MAX_CHANGED_FILES`, without lines for huge changes. */
  changedFiles(sha: string): Promise<ChangedFile[]>
  /** The full hash of a commit, from the full or an unambiguous abbreviated one of at least 7 characters. */
  hasRevision(sha: string): Promise<string | null>
}

/** A whole hash, of either kind that git knows. */
export const FULL_HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** Some 28 bytes each. */
export const MAX_HISTORY = 500_000
export const MAX_CHANGED_FILES = 1_000
export const MAX_COMMITS_BETWEEN = 1_000
