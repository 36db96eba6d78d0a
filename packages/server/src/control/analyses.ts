import type { Analysis, AnalysisSample, AnalysisState, AnalysisStatus } from '../model/analysis.ts'
import type { Level } from '../model/level.ts'
import type { ProjectId } from '../model/project.ts'
import type { Change } from './audit.ts'

/** Errors of one group in one segment on one UTC day. */
export type ErrorGroup = {
  projectId: ProjectId
  environment: string
  fingerprint: string
  splitValue: string
  count: number
  firstUs: number
  firstLogId: string
  lastUs: number
  /** Of the first record; what a new analysis is made from. */
  title: string
  type: string
  where: string
  service: string
  level: Level
  grouping: string
  sample: AnalysisSample
}

/** Groups of one segment, which count once however often they are recorded. */
export type SegmentErrors = { segmentId: string; groups: readonly ErrorGroup[] }

/** An analysis was resolved at `atUs`, between the first and the last error of the group: the caller must split it. */
export type NeededSplit = { segmentId: string; group: ErrorGroup; atUs: number }

export type AnalysisFilter = {
  limit: number
  /** Seen at or after it … */
  fromUs?: number | undefined
  /** … and first seen before it. */
  toUs?: number | undefined
  environment?: string | undefined
  service?: string | undefined
  state?: AnalysisState | undefined
  /** Words that must all stand in title, type, message or place, whatever their case. */
  words?: readonly string[] | undefined
  /** Current episode began in [from, to). */
  anchoredFromUs?: number | undefined
  anchoredToUs?: number | undefined
  sort: 'lastSeen' | 'firstSeen' | 'count'
  /** The last of the page before. */
  after?: { value: number; id: string } | undefined
}

export type Analyses = {
  /**
   * Counts the errors of segments into their analyses, all or nothing. A segment that was recorded before, on any node,
   * adds nothing. Makes analyses that do not exist, up to the bounds per project and minute; what is beyond goes into the
   * overflow analysis of its environment. When an answer names splits, nothing was recorded: split and call again.
   */
  record(segments: readonly SegmentErrors[], nowMs: number): Promise<{ splits: NeededSplit[] }>
  get(projectId: ProjectId, id: string): Promise<Analysis | null>
  /** Those of the ids that exist in the project. */
  existing(projectId: ProjectId, ids: readonly string[]): Promise<Set<string>>
  /** In the order of `sort`, largest or newest first, ties by id. */
  list(projectId: ProjectId, filter: AnalysisFilter, nowUs: number): Promise<Analysis[]>
  countByState(projectId: ProjectId, filter: AnalysisFilter, nowUs: number): Promise<Record<AnalysisState, number>>
  /** Null when there is no such analysis. Resolving sets the bound after which an error is a regression. */
  setStatus(projectId: ProjectId, id: string, status: AnalysisStatus, change: Change): Promise<Analysis | null>
}
