import type { RetentionRule } from '@tidemark/wire/retention'

/** Branded so that only code that authenticated a caller, or made the project, can hold one. */
export type ProjectId = string & { readonly __brand: 'ProjectId' }

export type Project = {
  id: ProjectId
  name: string
  defaultEnvironment: string
  retentionDays: number
  retentionRules: readonly RetentionRule[]
  createdAt: string
}

/** A null limit means the service's default; a null quota means none. */
export type ProjectSettings = {
  defaultEnvironment: string
  retentionDays: number
  /** Of several that apply to a record the first one counts; without one, `retentionDays`. */
  retentionRules: readonly RetentionRule[]
  monthlyQuotaRecords: number | null
  maxBytesPerSecond: number | null
  maxRequestsPerSecond: number | null
  redaction: Record<string, unknown>
}

/** A project with all that a door needs to serve its key, so that one look-up answers everything. */
export type ProjectWithSettings = Project & ProjectSettings
