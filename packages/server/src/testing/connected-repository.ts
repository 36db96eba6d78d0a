import type { CopyState } from '@tidemark/wire/copy-state'
import type { CommitFound } from '../analysis/cause/correlation.ts'
import type { RepositoryMirror } from '../repository/repository-mirror.ts'
import type { ConnectedRepository } from '../verbs/reading/reading-parts.ts'

export function copyState(some: Partial<CopyState> = {}): CopyState {
  return { state: 'mirroring', copyingSince: null, failedAt: null, lastError: null, lastSyncedAt: null, ...some }
}

/** A repository whose branch holds one commit. None without a commit, still being copied with a reason. */
export function repositoryWith(found: CommitFound): ConnectedRepository {
  const refreshSoon = () => {}
  if (found === null) return { mirrorOf: async () => ({ state: 'none' }), refreshSoon }
  if ('reason' in found) return { mirrorOf: async () => ({ state: 'uncopied', copy: copyState() }), refreshSoon }
  const { sha, committedAtUs, subject, author: authorName, branch } = found
  const commit = { sha, parents: [], authorName, authoredAtUs: committedAtUs, committedAtUs, subject }
  const mirror: RepositoryMirror = {
    branch,
    headSha: sha,
    commitAt: async (atUs) => (committedAtUs <= atUs ? commit : null),
    compare: async (from, to) => ({ relation: 'unknown', missing: [from, to] }),
    changesBetween: async () => ({ changes: [], truncated: false }),
    commit: async (asked) => (asked === sha ? commit : null),
    changedFiles: async () => [],
    patch: async () => '',
    filesAt: async () => [],
    hunksBetween: async () => [],
    linesAt: async () => [],
    fullHash: async (asked) => (asked === sha ? sha : null),
  }
  return { mirrorOf: async () => ({ state: 'ready', mirror }), refreshSoon }
}
