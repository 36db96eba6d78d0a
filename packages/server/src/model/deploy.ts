import type { DeployStatus } from '@tidemark/wire/deploys/deploy-status'
import type { ProjectId } from './project.ts'

export type Deploy = {
  id: string
  projectId: ProjectId
  sha: string
  /** Kept exactly as sent: never trimmed, never mapped. */
  environment: string
  /** Microseconds since 1970, UTC: the same clock as a record's time, so the two compare exactly. */
  deployedAtUs: number
  status: DeployStatus
  ref: string | null
  message: string | null
  author: string | null
  externalId: string | null
  url: string | null
  metadata: Record<string, unknown> | null
  createdAt: string
  updatedAt: string
}

/** On an update an omitted optional field keeps its value and null clears it; an omitted status is `succeeded`. */
export type DeployInput = {
  sha: string
  environment: string
  deployedAtUs: number
  status?: DeployStatus | undefined
  ref?: string | null | undefined
  message?: string | null | undefined
  author?: string | null | undefined
  externalId?: string | null | undefined
  url?: string | null | undefined
  metadata?: Record<string, unknown> | null | undefined
}
