import { setTimeout as sleep } from 'node:timers/promises'
import type { Repository as RepositoryView } from '@tidemark/wire/repository'
import { AppError } from '../../errors.ts'
import type { Caller } from '../../model/caller.ts'
import type { ProjectId } from '../../model/project.ts'
import { requireManager } from '../require-manager.ts'
import { FOLLOW_MS, type RepositoryParts } from './repository-parts.ts'
import { repositoryView } from './repository-view.ts'

/** A remote is asked on a person's word so often at most; who comes sooner waits a little. */
const SYNC_AT_MOST_EVERY_MS = 1_000
const WAIT_MS = 250
const MAX_WAITS = 8

/** Asks the remote now, and has every node copy what it has. */
export function syncRepository({ control, check, keeper }: RepositoryParts) {
  return async (caller: Caller, input: { project: string }): Promise<RepositoryView> => {
    const { id } = await requireManager(control, caller, { ...input, least: 'member' })
    const connected = await control.repositories.get(id)
    if (!connected) throw noRepository()
    await takeTurn(control, id)
    const checked = await check(connected, { force: true })
    if (!checked) throw noRepository()
    await keeper?.follow(id, FOLLOW_MS)
    return repositoryView((await control.repositories.get(id)) ?? checked)
  }
}

async function takeTurn(control: RepositoryParts['control'], id: ProjectId): Promise<void> {
  for (let wait = 0; wait < MAX_WAITS; wait += 1) {
    const nowMs = Date.now()
    if (await control.repositories.claimCheck(id, nowMs - SYNC_AT_MOST_EVERY_MS, nowMs)) return
    await sleep(WAIT_MS)
  }
  throw new AppError('rate_limited', 'Others are syncing the repository at this moment: it is done for you too.')
}

function noRepository(): AppError {
  return new AppError('not_found', 'No repository is connected to this project: connect one first.')
}
