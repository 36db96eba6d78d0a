/**
 * Asks the remotes that are due whether they have something new, on one node for all; the mirrors of every node follow by
 * themselves. A remote that fails is asked less often. Repositories of deleted projects are removed, credentials first.
 */
import { MINUTE_MS } from '@tidemark/wire/time/units'
import type { Control } from '../control/open.ts'
import type { Log } from '../log.ts'
import type { CheckRemote } from '../repository/check-remote.ts'
import type { Job } from './schedule.ts'

type Parts = { control: Pick<Control, 'repositories'>; check: CheckRemote; log: Log; now?: () => number }

/** How often it checks whether one is due. */
const LOOK_EVERY_MS = 10_000
/** Stays within the job's lease, however slow the remotes are; the rest is due again at the next check. */
const MAX_RUN_MS = 5 * MINUTE_MS
const REPOSITORIES_AT_ONCE = 4

export function syncRepositories(parts: Parts): Job {
  return { name: 'repositories', everyMs: LOOK_EVERY_MS, run: () => syncDueRepositories(parts) }
}

export async function syncDueRepositories({ control, check, log, now = Date.now }: Parts): Promise<void> {
  const removed = await control.repositories.purgeDeleted()
  if (removed > 0) log.info({ repositories: removed }, 'the repositories of deleted projects are disconnected')
  const due = await control.repositories.listDue(now())
  const endMs = now() + MAX_RUN_MS
  const work = async () => {
    for (let next = due.shift(); next !== undefined && now() < endMs; next = due.shift()) {
      const { projectId, failures } = next
      await check(next).catch((error) =>
        log.warn({ err: error, project: projectId, failures: failures + 1 }, 'a repository could not be checked'),
      )
    }
  }
  await Promise.all(Array.from({ length: REPOSITORIES_AT_ONCE }, work))
}
