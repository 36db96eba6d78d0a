import { DAY_MS } from '@tidemark/wire/time/units'

/** Branded so that only code that authenticated a caller, or made the project, can hold one. */
export type ProjectId = string & { readonly __brand: 'ProjectId' }

/**
 * Records from before it are past a retention. Days are whole, as ingest counts them when it sets when the store may
 * delete a record: a retention never cuts a day short. Arrival is stricter, and counts to the moment.
 */
export function keptSinceUs(retentionDays: number, nowMs: number): number {
  return Math.max(0, Math.floor(nowMs / DAY_MS) - retentionDays) * DAY_MS * 1_000
}

export type Project = {
  id: ProjectId
  name: string
  defaultEnvironment: string
  retentionDays: number
  createdAt: string
}

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
