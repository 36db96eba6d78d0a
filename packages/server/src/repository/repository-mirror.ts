import type { ChangedFile, Commit, Hunk, Revisions } from '../model/repository.ts'

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
  /** Whether `toSha` comes after `fromSha`, before it, or from another line of history. */
  compare(fromSha: string, toSha: string): Promise<Revisions>
  /**
   * What `toSha` has and `fromSha` has not, newest first, at most `limit` commits with their files, without hunks: what a
   * deploy brought. Empty for a rollback, which is found by asking the other way round. Merges have no files of their
   * own; the commits they bring are in the list. `truncated` when there are more.
   */
  changesBetween(
    fromSha: string,
    toSha: string,
    limit: number,
  ): Promise<{ changes: CommitChanges[]; truncated: boolean }>
  commit(sha: string): Promise<Commit | null>
  /** With hunks, against the first parent, of these files or of all; at most `MAX_CHANGED_FILES`. */
  changedFiles(sha: string, paths?: readonly string[]): Promise<ChangedFile[]>
  /** The patch of one file with three lines around each change, cut at 256 KiB. */
  patch(sha: string, path: string): Promise<string>
  /** What changed in one file from one revision to another, in order; empty when nothing did. */
  hunksBetween(fromSha: string, toSha: string, path: string): Promise<Hunk[]>
  /**
   * Lines of a file as it was at a revision, the first of them `from`, at most `count`: each without its tabs and what
   * cannot be seen, cut at `MAX_SOURCE_LINE_CHARACTERS`. Empty for what is no text, is a link or another repository, or is
   * larger than `MAX_SOURCE_BYTES`.
   */
  linesAt(sha: string, path: string, from: number, count: number): Promise<string[]>
  /** The names of all files of a revision; at most `MAX_FILES`. */
  filesAt(sha: string): Promise<string[]>
  /** The full hash of a commit, from the full or an unambiguous abbreviated one of at least 7 characters; null without one. */
  fullHash(sha: string): Promise<string | null>
}

/** A whole hash, of either kind that git knows, as the source of a pattern. */
export const HASH = '(?:[0-9a-f]{40}|[0-9a-f]{64})'
export const FULL_HASH: RegExp = new RegExp(`^${HASH}$`)
export type CommitChanges = { commit: Commit; files: ChangedFile[] }

/** Some 28 bytes each. */
export const MAX_HISTORY = 500_000
export const MAX_CHANGED_FILES = 1_000
export const MAX_COMMITS_BETWEEN = 2_000
export const MAX_FILES = 200_000
export const MAX_SOURCE_BYTES = 1024 * 1024
export const MAX_SOURCE_LINE_CHARACTERS = 240
