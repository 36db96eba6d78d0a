import type { RepositoryAnswer } from '@tidemark/wire/repository'
import type { Caller } from '../../model/caller.ts'
import { requireManager } from '../require-manager.ts'
import type { RepositoryParts } from './repository-parts.ts'
import { repositoryView } from './repository-view.ts'

/** Every member may see it, never the credential. */
export function showRepository({ control }: Pick<RepositoryParts, 'control'>) {
  return async (caller: Caller, input: { project: string }): Promise<RepositoryAnswer> => {
    const { id } = await requireManager(control, caller, { ...input, least: 'viewer' })
    const connected = await control.repositories.get(id)
    return { repository: connected ? repositoryView(connected) : null }
  }
}
