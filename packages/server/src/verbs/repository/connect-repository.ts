import type { ConnectRepositoryInput, Repository as RepositoryView } from '@tidemark/wire/repository'
import type { Caller } from '../../model/caller.ts'
import { CHECK_EVERY_MS } from '../../repository/check-remote.ts'
import { changeBy, requireManager } from '../require-manager.ts'
import { FOLLOW_MS, type RepositoryParts } from './repository-parts.ts'
import { repositoryView } from './repository-view.ts'
import { verifyRepository } from './verify-repository.ts'

/**
 * Asks the remote first, so that nothing that cannot be read is stored; replaces what was connected. The answer knows
 * the branch and its newest commit at once; `state` says whether the copy is there already.
 */
export function connectRepository(parts: RepositoryParts) {
  return async (caller: Caller, { project, ...input }: ConnectRepositoryInput & { project: string }) => {
    const { control, remotes, keeper } = parts
    const { id } = await requireManager(control, caller, { project, least: 'owner' })
    const { remote, state, branch } = await verifyRepository(parts, id, input)
    const change = changeBy(caller)
    const connected = await control.repositories.connect(
      id,
      {
        url: remote.address.url,
        kind: remote.address.kind,
        credentialKind: remote.credential.kind,
        sealedCredential: remotes.seal(id, remote),
        branch,
        defaultBranch: state.branch,
        headSha: state.headSha,
        refsDigest: state.refsDigest,
        nextCheckAtMs: change.nowMs + CHECK_EVERY_MS,
      },
      change,
    )
    await keeper?.follow(id, FOLLOW_MS)
    return repositoryView((await control.repositories.get(id)) ?? connected) satisfies RepositoryView
  }
}
