/**
 * Keeps the mirrors of this node in step with what the control store says is connected, whoever connected it and on
 * whichever node: it looks every few seconds, copies what is missing or older than its generation, and removes what is no
 * longer connected. Reading never waits for it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CopyState } from '@tidemark/wire/copy-state'
import { HOUR_MS } from '@tidemark/wire/time/units'
import type { Log } from '../log.ts'
import type { ProjectId } from '../model/project.ts'
import type { Repository } from '../model/repository.ts'
import { backOffMs, pause } from '../pause.ts'
import { type CheckRemote, failureMessage } from './check-remote.ts'
import type { Mirrors } from './mirror/mirrors.ts'
import type { Remotes } from './remotes.ts'
import type { RepositoryMirror } from './repository-mirror.ts'

/** `outdated` is set when the copy can be read, but the last attempt to update it failed. */
type MirrorAnswer =
  | { state: 'none' }
  | UncopiedRepository
  | { state: 'ready'; mirror: RepositoryMirror; outdated?: CopyState }
/** Connected, but this node has no copy yet. */
export type UncopiedRepository = { state: 'uncopied'; copy: CopyState }

/** What the keeper needs of the control store. */
type KeptRepositories = {
  list(): Promise<Repository[]>
  /** True for one caller on any node, when the remote was not asked since. */
  claimCheck(projectId: string, notSinceMs: number, nowMs: number): Promise<boolean>
  recordMirror(repository: Repository, nowMs: number): Promise<void>
  recordMirrorFailure(repository: Repository, message: string, nowMs: number): Promise<void>
}

export type MirrorKeeper = {
  /** From memory, at most a few seconds older than the control store. */
  mirrorOf(projectId: ProjectId): Promise<MirrorAnswer>
  /** When this node started to copy the project's repository; null while it does not, and while other copies come first. */
  copyingSince(projectId: ProjectId): string | null
  /** For a revision that is not in the mirror: makes the remote be asked, at most once a minute per project. */
  refreshSoon(projectId: ProjectId): void
  /** Checks now; resolves when the project's mirror is up to date or has failed, and after `waitMs` in any case. */
  follow(projectId: ProjectId, waitMs: number): Promise<void>
  close(): Promise<void>
}

type Parts = {
  repositories: KeptRepositories
  remotes: Remotes
  mirrors: Mirrors
  check: CheckRemote
  log: Log
  now?: () => number
  lookEveryMs?: number
}
type Failure = { generation: number; failures: number; nextAtMs: number; atMs: number; message: string }
type Copying = { done: Promise<void>; sinceMs: number | null }

const LOOK_EVERY_MS = 3_000
const SOON_MS = 60_000
const RETRY_MS = 30_000
const MAX_RETRY_MS = HOUR_MS

export function startMirrorKeeper(parts: Parts): MirrorKeeper {
  const { repositories, remotes, mirrors, check, log, now = Date.now, lookEveryMs = LOOK_EVERY_MS } = parts
  const stopping = new AbortController()
  const underWay = new Map<string, Copying>()
  const failed = new Map<string, Failure>()
  let known = new Map<string, Repository>()

  async function mirror(repository: Repository, onStart: () => void): Promise<void> {
    try {
      await mirrors.refresh(repository, await remotes.reopen(repository), onStart)
      failed.delete(repository.id)
      await repositories.recordMirror(repository, now())
      log.info({ project: repository.projectId, generation: repository.generation }, 'a repository is mirrored')
    } catch (error) {
      if (stopping.signal.aborted) return
      const { generation } = repository
      const failures = (failed.get(repository.id)?.failures ?? 0) + 1
      const [atMs, message] = [now(), failureMessage(error)]
      const nextAtMs = atMs + backOffMs(failures, RETRY_MS, MAX_RETRY_MS)
      failed.set(repository.id, { generation, failures, nextAtMs, atMs, message })
      log.warn({ err: error, project: repository.projectId, failures }, 'mirroring a repository failed')
      await repositories.recordMirrorFailure(repository, message, atMs)
    }
  }

  /** The copy of this node: another node may have one already, or may have failed for a reason of its own. */
  function copyStateOf(repository: Repository, hasCopy: boolean): CopyState {
    const failure = failed.get(repository.id)
    const lastError = failure?.message ?? repository.lastError
    return {
      state: lastError !== null ? 'failing' : hasCopy ? 'ready' : 'mirroring',
      copyingSince: copyingSince(repository.projectId),
      failedAt: failure === undefined ? repository.failedAt : new Date(failure.atMs).toISOString(),
      lastError,
      lastSyncedAt: hasCopy ? repository.lastSyncedAt : null,
    }
  }

  function copyingSince(projectId: ProjectId): string | null {
    const sinceMs = underWay.get(projectId)?.sinceMs ?? null
    return sinceMs === null ? null : new Date(sinceMs).toISOString()
  }

  function isBehind(repository: Repository): boolean {
    const failure = failed.get(repository.id)
    if (failure?.generation === repository.generation && failure.nextAtMs > now()) return false
    return (mirrors.generationOf(repository) ?? -1) < repository.generation
  }

  function start(repository: Repository): void {
    const { projectId } = repository
    const copying: Copying = { sinceMs: null, done: Promise.resolve() }
    underWay.set(projectId, copying)
    const onStart = () => {
      copying.sinceMs = now()
    }
    copying.done = mirror(repository, onStart)
      .catch((error) => log.warn({ err: error, project: projectId }, 'the outcome of mirroring could not be stored'))
      .finally(() => underWay.delete(projectId))
  }

  async function look(): Promise<void> {
    const connected = await repositories.list()
    known = new Map(connected.map((one) => [one.projectId, one]))
    mirrors.keepOnly(new Set([...known.keys(), ...underWay.keys()]))
    const ids = new Set(connected.map(({ id }) => id))
    for (const id of failed.keys()) if (!ids.has(id)) failed.delete(id)
    for (const repository of connected) {
      if (!underWay.has(repository.projectId) && isBehind(repository)) start(repository)
    }
  }

  let looking = Promise.resolve()
  /** One check after the other, so that an older list never replaces a newer one. */
  const lookNow = () => {
    const next = looking.then(look)
    looking = next.catch((error) => log.warn({ err: error }, 'connected repositories could not be looked at'))
    return next
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(lookEveryMs, stopping.signal)
      if (!stopping.signal.aborted) await lookNow().catch(() => {})
    }
  }

  async function checkSoon(projectId: ProjectId): Promise<void> {
    const repository = known.get(projectId)
    if (!repository || !(await repositories.claimCheck(projectId, now() - SOON_MS, now()))) return
    await check(repository)
    await lookNow()
  }

  const first = lookNow().catch(() => {})
  const looping = first.then(loop)

  return {
    async mirrorOf(projectId) {
      await first
      const repository = known.get(projectId)
      if (!repository) return { state: 'none' }
      const mirror = mirrors.open(repository)
      const copy = copyStateOf(repository, mirror !== null)
      if (mirror === null) return { state: 'uncopied', copy }
      return { state: 'ready', mirror, ...(copy.state === 'failing' && { outdated: copy }) }
    },
    copyingSince,
    refreshSoon(projectId) {
      checkSoon(projectId).catch((error) =>
        log.warn({ err: error, project: projectId }, 'a repository was not checked'),
      )
    },
    async follow(projectId, waitMs) {
      const timer = new AbortController()
      let isOver = false
      const waited = sleep(waitMs, undefined, { signal: timer.signal }).then(
        () => {
          isOver = true
        },
        () => {},
      )
      // More than once: what is under way may still be a copy of what was connected before.
      for (;;) {
        await lookNow()
        const copying = underWay.get(projectId)
        if (copying === undefined || isOver) break
        await Promise.race([copying.done, waited])
      }
      timer.abort()
    },
    async close() {
      stopping.abort()
      await looping
      await Promise.allSettled([...underWay.values()].map(({ done }) => done))
    },
  }
}
