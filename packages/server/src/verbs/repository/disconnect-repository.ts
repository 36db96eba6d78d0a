import type { Caller } from '../../model/caller.ts'
import { changeBy, requireManager } from '../require-manager.ts'
import type { RepositoryParts } from './repository-parts.ts'

/** Forgets the credential at once; mirrors are removed within seconds, on every node. False when none was connected. */
export function disconnectRepository({ control, keeper }: RepositoryParts) {
  return async (caller: Caller, input: { project: string }): Promise<{ changed: boolean }> => {
    const { id } = await requireManager(control, caller, { ...input, least: 'owner' })
    const changed = await control.repositories.disconnect(id, changeBy(caller))
    await keeper?.follow(id, 0)
    return { changed }
  }
}
