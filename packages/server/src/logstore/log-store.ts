/** Opening a project is the only way to records, so a query without a tenant cannot be written. */
import type { LogRecord } from '../model/log-record.ts'
import type { ProjectId } from '../model/project.ts'

export interface LogStore {
  /**
   * Resolves once the segment's records of the given days are durable. The same segment twice stores them once. When it
   * rejects, each day is stored whole or not at all; which ones, `loadedDays` tells.
   */
  load(segment: Segment): Promise<void>
  /** For each segment the UTC days (since 1970) of which the store has records; segments without any are left out. */
  loadedDays(segmentIds: readonly string[]): Promise<Map<string, Set<number>>>
  project(id: ProjectId): ProjectLogs
  /** What is known now, without asking the engine. */
  health(): EngineHealth
  /** Lets running calls fail and ends the engine. Nothing that was acknowledged is lost. */
  close(): Promise<void>
}

export interface ProjectLogs {
  count(range?: TimeRange): Promise<number>
  /** Newest first, ties by id. At most `limit`. */
  newest(limit: number): Promise<StoredRecord[]>
  /** Newest first. An id that is unknown, malformed or another project's is left out. At most `MAX_IDS` of them. */
  byIds(ids: readonly string[]): Promise<StoredRecord[]>
}

export const MAX_IDS = 1_000

/** A sealed spool file, RowBinary as `encodeRecord` and `headerRow` write it. */
export type Segment = {
  /** Ours, never a sender's: it is the deduplication token. */
  id: string
  path: string
  /** The UTC days to load, since 1970. */
  days: readonly { day: number; records: number }[]
  bytes: number
}

/** From the first microsecond, to before the last. */
export type TimeRange = { fromUs: number; toUs: number }

export type StoredRecord = LogRecord & {
  id: string
  /** 16 hexadecimal digits. */
  pattern: string
  /** 16 hexadecimal digits; null for a record that is no error. */
  fingerprint: string | null
  receivedMs: number
}

export type EngineHealth = {
  /** `failed`: it keeps dying; it is still being restarted, and a person should look. */
  state: 'starting' | 'ready' | 'restarting' | 'failed' | 'closed'
  kind: 'embedded' | 'server'
  /** True when the engine runs under an emulator, many times slower. */
  emulated: boolean
  restarts: number
  /** Parts the engine put aside because their files are damaged: records that cannot be read. Null until known. */
  detachedParts: number | null
}
