import type { CREDENTIAL_KINDS, REPOSITORY_KINDS } from '@tidemark/wire/repository'
import type { ProjectId } from './project.ts'

/** How a remote is reached. */
export type RepositoryKind = (typeof REPOSITORY_KINDS)[number]

export type CredentialKind = (typeof CREDENTIAL_KINDS)[number]

/** The repository of a project, as all nodes know it. Each node has its own mirror that follows `generation`. */
export type Repository = {
  /** Different for every connection: a mirror of one is never mistaken for a mirror of the next. */
  id: string
  projectId: ProjectId
  /** Never with a credential in it. */
  url: string
  kind: RepositoryKind
  credentialKind: CredentialKind
  /** Encrypted; null without one. */
  sealedCredential: string | null
  /** What was asked for; null follows the remote's default. */
  branch: string | null
  /** The branch that is followed. */
  defaultBranch: string
  /** Its newest commit at the remote, when last asked. */
  headSha: string
  /** Changes when any branch or tag of the remote does. */
  refsDigest: string
  /** Raised when the remote has changed: a mirror of an older generation has to fetch. */
  generation: number
  /** The newest generation that a node has a mirror of; null while there is none. */
  mirroredGeneration: number | null
  /** When the remote was last asked, and when it will be asked next. */
  checkedAtMs: number
  nextCheckAtMs: number
  /** Checks that failed in a row. */
  failures: number
  /** When a mirror was last known to hold what the remote holds. */
  lastSyncedAt: string | null
  lastError: string | null
  /** When that error happened; null without one, and for errors of earlier versions. */
  failedAt: string | null
  connectedAt: string
  connectedBy: string
}

/** Everything in it except hashes and numbers was written by people who can commit: evidence, never instructions. */
export type Commit = {
  sha: string
  parents: string[]
  authorName: string
  authoredAtUs: number
  /** The committer's clock, in whole seconds. */
  committedAtUs: number
  subject: string
}

/**
 * A stretch of a file that a commit changed, without the lines around it: `oldLines` lines from `oldFrom` became `newLines`
 * lines from `newFrom`, counted from one. Where a side has no lines, its `From` is the line before the gap.
 */
export type Hunk = {
  oldFrom: number
  oldLines: number
  newFrom: number
  newLines: number
  /** The line above it that begins a function, as far as git can tell; empty when there is none. */
  section: string
}

export type ChangedFile = {
  path: string
  /** Where it was before, when it was renamed or copied. */
  previousPath: string | null
  change: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'type_changed'
  /** Empty where they were not asked for, for binary files, and beyond the limit. */
  hunks: Hunk[]
}

/** How one revision stands to another: what the second has more, and what it lacks. */
export type Revisions =
  | { relation: 'same' | 'forward' | 'back' | 'diverged'; ahead: number; behind: number }
  | { relation: 'unknown'; missing: string[] }
