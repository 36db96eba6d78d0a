/** Asks a remote what it has and records whether mirrors have something to fetch. */
import { HOUR_MS, MINUTE_MS } from '@tidemark/wire/time/units'
import { AppError } from '../errors.ts'
import type { Repository } from '../model/repository.ts'
import { backOffMs } from '../pause.ts'
import type { RemoteState } from './list-remote.ts'
import type { Remotes } from './remotes.ts'

/** What this room needs of the control store. */
type CheckedRepositories = {
  recordCheck(
    repository: Repository,
    state: RemoteState & { force: boolean; nextCheckAtMs: number },
    nowMs: number,
  ): Promise<Repository | null>
  recordCheckFailure(
    repository: Repository,
    failure: { message: string; nextCheckAtMs: number },
    nowMs: number,
  ): Promise<void>
}

export type CheckRemote = (repository: Repository, options?: { force?: boolean }) => Promise<Repository | null>

export const CHECK_EVERY_MS = 3 * MINUTE_MS
/** A remote that fails is asked less and less often, but never given up. */
const MAX_CHECK_EVERY_MS = 6 * HOUR_MS

type Parts = { repositories: CheckedRepositories; remotes: Remotes; now?: () => number }

/** Resolves to null when the repository was disconnected meanwhile. `force` makes mirrors fetch in any case. */
export function createCheckRemote({ repositories, remotes, now = Date.now }: Parts): CheckRemote {
  return async (repository, { force = false } = {}) => {
    try {
      const state = await remotes.list(await remotes.reopen(repository), repository.branch)
      const nowMs = now()
      return await repositories.recordCheck(
        repository,
        { ...state, force, nextCheckAtMs: nowMs + CHECK_EVERY_MS },
        nowMs,
      )
    } catch (error) {
      const nowMs = now()
      const nextCheckAtMs = nowMs + backOffMs(repository.failures + 1, CHECK_EVERY_MS, MAX_CHECK_EVERY_MS)
      await repositories.recordCheckFailure(repository, { message: failureMessage(error), nextCheckAtMs }, nowMs)
      throw error
    }
  }
}

export function failureMessage(error: unknown): string {
  if (error instanceof AppError) return error.message
  return "Something unexpected went wrong with the repository: the service's log says what."
}
