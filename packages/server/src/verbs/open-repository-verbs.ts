/** What people and the operator can do with the repository of a project. */
import { connectRepository } from './repository/connect-repository.ts'
import { disconnectRepository } from './repository/disconnect-repository.ts'
import type { RepositoryParts } from './repository/repository-parts.ts'
import { showRepository } from './repository/show-repository.ts'
import { syncRepository } from './repository/sync-repository.ts'

export type RepositoryVerbs = ReturnType<typeof openRepositoryVerbs>

export function openRepositoryVerbs(parts: RepositoryParts) {
  return {
    show: showRepository(parts),
    connect: connectRepository(parts),
    sync: syncRepository(parts),
    disconnect: disconnectRepository(parts),
  }
}
