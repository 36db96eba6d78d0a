import type { RepositoryState, Repository as RepositoryView } from '@tidemark/wire/repository'
import type { Repository } from '../../model/repository.ts'

/** Field by field: what is not named here, the credential above all, cannot slip out. */
export function repositoryView(repository: Repository): RepositoryView {
  return {
    url: repository.url,
    kind: repository.kind,
    credential: repository.credentialKind,
    branch: repository.branch,
    defaultBranch: repository.defaultBranch,
    headSha: repository.headSha,
    state: stateOf(repository),
    lastSyncedAt: repository.lastSyncedAt,
    lastError: repository.lastError,
    connectedAt: repository.connectedAt,
    connectedBy: repository.connectedBy,
  }
}

function stateOf({ lastError, mirroredGeneration }: Repository): RepositoryState {
  if (lastError !== null) return 'failing'
  return mirroredGeneration === null ? 'mirroring' : 'ready'
}
