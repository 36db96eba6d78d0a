/** The mirrors of this node. They are copies: any of them can be deleted and made again. */
import { mkdirSync } from 'node:fs'
import { atMost } from '../../at-most.ts'
import type { Repository } from '../../model/repository.ts'
import type { Git } from '../git/git.ts'
import type { Remote } from '../git/remote.ts'
import { removeLeftWorkFolders } from '../git/work-folder.ts'
import type { RepositoryMirror } from '../repository-mirror.ts'
import { fetchMirror, tidyMirror } from './fetch-mirror.ts'
import {
  gitDirOf,
  type MirrorNote,
  mirroredProjects,
  mirrorFolder,
  newIncoming,
  putInPlace,
  readNote,
  removeLeftMirrors,
  removeMirror,
  writeNote,
} from './mirror-folder.ts'
import { openMirror } from './open-mirror.ts'

export type Mirrors = {
  /** The newest copy this node has of the connection; null while it has none. */
  open(repository: Pick<Repository, 'id' | 'projectId'>): RepositoryMirror | null
  /** The generation of that copy. */
  generationOf(repository: Pick<Repository, 'id' | 'projectId'>): number | null
  /**
   * Copies what the remote has, one repository at a time; `onStart` is called when its turn comes. Until it resolves, and
   * when it fails, readers have what they had before.
   */
  refresh(repository: Repository, remote: Remote, onStart?: () => void): Promise<void>
  /** Removes the mirrors of all other projects. */
  keepOnly(projectIds: ReadonlySet<string>): void
}

type Opened = { note: MirrorNote; mirror: RepositoryMirror }

/** After this many failures in a row the copy itself is suspected, and the next one starts from nothing. */
const FAILURES_UNTIL_ANEW = 2

export function openMirrors(git: Git, nowMs: number): Mirrors {
  const { root } = git
  mkdirSync(root, { recursive: true, mode: 0o700 })
  removeLeftMirrors(root)
  removeLeftWorkFolders(root, nowMs)
  const opened = new Map<string, Opened | null>()
  const failures = new Map<string, number>()
  const inTurn = atMost(1)

  function find({ id, projectId }: Pick<Repository, 'id' | 'projectId'>): Opened | null {
    let found = opened.get(projectId)
    if (found === undefined) {
      const note = readNote(root, projectId)
      found = note === null ? null : { note, mirror: read(projectId, note) }
      opened.set(projectId, found)
    }
    return found?.note.repositoryId === id ? found : null
  }

  function read(projectId: string, { branch, headSha }: MirrorNote): RepositoryMirror {
    const gitDir = gitDirOf(mirrorFolder(root, projectId))
    const onBroken = () => {
      failures.set(projectId, FAILURES_UNTIL_ANEW)
      opened.set(projectId, null)
    }
    return openMirror(git, { gitDir, branch, headSha, onBroken })
  }

  async function copy(repository: Repository, remote: Remote): Promise<void> {
    const { projectId, id: repositoryId, generation, defaultBranch: branch } = repository
    const isNew = find(repository) === null || (failures.get(projectId) ?? 0) >= FAILURES_UNTIL_ANEW
    const folder = isNew ? newIncoming(root) : mirrorFolder(root, projectId)
    try {
      const headSha = await fetchMirror(git, remote, folder, branch)
      writeNote(folder, { repositoryId, generation, branch, headSha })
    } catch (error) {
      if (isNew) removeLeftMirrors(root)
      throw error
    }
    if (isNew) putInPlace(root, projectId, folder)
    // The next reader opens the new copy, with nothing cached from the old one.
    opened.delete(projectId)
    await tidyMirror(git, mirrorFolder(root, projectId))
  }

  return {
    open: (repository) => find(repository)?.mirror ?? null,
    generationOf: (repository) => find(repository)?.note.generation ?? null,
    refresh: (repository, remote, onStart) =>
      inTurn(async () => {
        onStart?.()
        try {
          await copy(repository, remote)
          failures.delete(repository.projectId)
        } catch (error) {
          failures.set(repository.projectId, (failures.get(repository.projectId) ?? 0) + 1)
          throw error
        }
      }),
    keepOnly(projectIds) {
      for (const projectId of mirroredProjects(root)) {
        if (projectIds.has(projectId)) continue
        opened.delete(projectId)
        failures.delete(projectId)
        removeMirror(root, projectId)
      }
    },
  }
}
