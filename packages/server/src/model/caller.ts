import type { KeyKind } from './key.ts'
import type { ProjectRole } from './person.ts'
import type { Project } from './project.ts'

/** A null limit means the service's default; a null quota means none. */
export type ProjectSettings = {
  defaultEnvironment: string
  retentionDays: number
  monthlyQuotaRecords: number | null
  maxBytesPerSecond: number | null
  maxRequestsPerSecond: number | null
  redaction: Record<string, unknown>
}

/** A project with all that a door needs to serve its key, so that one look-up answers everything. */
export type ProjectWithSettings = Project & ProjectSettings

/**
 * Who is asking. A person asks inside one project, with the role they have there; the operator is whoever can open the
 * control store itself: the command line on the machine.
 */
export type Caller =
  | { kind: 'key'; keyId: string; keyKind: KeyKind; project: ProjectWithSettings }
  | { kind: 'person'; personId: string; role: ProjectRole; project: ProjectWithSettings }
  | { kind: 'operator' }
