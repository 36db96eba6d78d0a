import { type ANALYSIS_STATES, type EPISODE_BEGINNINGS, QUIET_WINDOW_US } from '@tidemark/wire/analyses/analysis-state'
import type { Level } from '@tidemark/wire/level'
import { DAY_US } from '@tidemark/wire/time/units'
import type { ProjectId } from './project.ts'

/** What people decided. The state shown follows from it, the episode and the clock: `stateOf`. */
export type AnalysisStatus = 'open' | 'resolved' | 'ignored'

export type AnalysisState = (typeof ANALYSIS_STATES)[number]

export type EpisodeBegan = (typeof EPISODE_BEGINNINGS)[number]

/** A stretch of errors of one analysis. Times are microseconds since 1970. */
export type Episode = {
  /** Errors at or before it belong to an earlier episode. Fixed when the episode begins; null for no bound. */
  floorUs: number | null
  began: EpisodeBegan
  /** Its first error: what deploys are correlated with. A late error moves it back, never past the floor. */
  anchorUs: number
  anchorLogId: string
  lastSeenUs: number
  count: number
}

/** The first record that was seen of it, kept because the analysis outlives the records. */
export type AnalysisSample = {
  logId: string
  message: string
  error: { type: string; message: string; stack: string } | null
  environmentDefaulted: boolean
  /** Its stack by source positions, in the form of Node's; undefined where no source map applied. */
  sourceStack?: string | undefined
  /** What the record named as its release; undefined where it named none. */
  release?: string | undefined
}

export type Analysis = {
  id: string
  projectId: ProjectId
  /** Exactly as sent. */
  environment: string
  /** 16 hexadecimal digits, or `overflow` for the group of errors of too many kinds to tell apart. */
  fingerprint: string
  /** What a split rule tells apart; empty without one. */
  splitValue: string
  title: string
  type: string
  where: string
  service: string
  level: Level
  grouping: string
  status: AnalysisStatus
  firstSeenUs: number
  lastSeenUs: number
  count: number
  /** Oldest first, at least one. The last is the current one. */
  episodes: Episode[]
  sample: AnalysisSample
  /** Set while it is resolved. */
  resolvedAtUs: number | null
  stateChangedAt: string | null
  stateChangedBy: string | null
  createdAt: string
}

/** The fingerprint of the group for errors of more kinds than can be told apart. */
export const OVERFLOW_FINGERPRINT = 'overflow'

/** What was ignored, or holds errors of too many kinds, says nothing about what happened at a time. */
export function isTelling({ status, fingerprint }: Pick<Analysis, 'status' | 'fingerprint'>): boolean {
  return status !== 'ignored' && fingerprint !== OVERFLOW_FINGERPRINT
}

/** How long an analysis is called new. */
export const NEW_FOR_US = DAY_US

export function currentEpisode({ episodes }: Pick<Analysis, 'episodes'>): Episode {
  const current = episodes.at(-1)
  if (current === undefined) throw new Error('an analysis has at least one episode')
  return current
}

/** A regression stays one for the quiet window; then it is ongoing like others. */
export function stateOf(analysis: Pick<Analysis, 'status' | 'episodes'>, nowUs: number): AnalysisState {
  if (analysis.status !== 'open') return analysis.status
  const ageUs = nowUs - currentEpisode(analysis).anchorUs
  if (analysis.episodes.length > 1) return ageUs < QUIET_WINDOW_US ? 'regressed' : 'ongoing'
  return ageUs < NEW_FOR_US ? 'new' : 'ongoing'
}
