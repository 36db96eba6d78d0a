/**
 * Which episodes of analyses fall into the time of which deploys. An analysis that came back has several; each is looked
 * at by itself, so what is said of a deploy does not change because its errors come back with a later one.
 */

import { isAlike } from '@tidemark/wire/environment-alike'
import { HOUR_US } from '@tidemark/wire/time/units'
import { REACH_US, RECORDED_AFTER_US } from '../../analysis/cause/thresholds.ts'
import { kindsOf } from '../../analysis/group/records-query.ts'
import type { Episode, LiveDeploy } from '../../analysis/verdict/deploy-concern.ts'
import { type Analysis, type AnalysisState, currentEpisode, isTelling, stateOf } from '../../model/analysis.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { ErrorKind, RuleEffect } from '../../model/grouping-rule.ts'
import type { ProjectId } from '../../model/project.ts'
import type { TimeRange } from '../../model/time-range.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'

/** Of all that were seen around the deploys; the answer says when there were more. */
export const MAX_SEEN = 1_000
/** Explained for one deploy: those that began nearest to it. */
const MAX_EXPLAINED = 12

/** `state` is the one the analysis has now. */
export type Timed = Episode & { state: AnalysisState; kinds: ErrorKind[] }
type Subject = Omit<Timed, 'course'>

export async function liveDeploy(
  deploys: Pick<ReadingParts['control']['deploys'], 'replaced' | 'next'>,
  deploy: Deploy,
): Promise<LiveDeploy> {
  const [previous, next] = await Promise.all([deploys.replaced(deploy), deploys.next(deploy)])
  return { deploy, previous, next }
}

/** What was last seen longer before a deploy did not end with it. */
const ENDED_BEFORE_US = 6 * HOUR_US

/** Errors that begin in this time may be because of it: while it ran, and a day at least. */
function reachOf({ deploy, next }: LiveDeploy, nowUs: number): TimeRange {
  const { deployedAtUs } = deploy
  const toUs = Math.max(next?.deployedAtUs ?? nowUs, deployedAtUs + REACH_US)
  return { fromUs: deployedAtUs - RECORDED_AFTER_US, toUs: Math.min(nowUs, toUs) }
}

/** The same whichever other deploys are asked about. */
function isAround(analysis: Analysis, live: LiveDeploy, nowUs: number): boolean {
  const { environment, deployedAtUs } = live.deploy
  const { anchorUs, lastSeenUs } = currentEpisode(analysis)
  return (
    isOfPlace(analysis, environment) &&
    anchorUs < reachOf(live, nowUs).toUs &&
    lastSeenUs >= deployedAtUs - ENDED_BEFORE_US
  )
}

type SubjectQuestion = {
  live: readonly LiveDeploy[]
  rules: readonly RuleEffect[]
  nowUs: number
  isWanted: (analysis: Analysis) => boolean
}

export async function readSubjects(
  analyses: Pick<ReadingParts['control']['analyses'], 'list'>,
  projectId: ProjectId,
  { live, rules, nowUs, isWanted }: SubjectQuestion,
): Promise<{ subjects: Subject[]; isCut: boolean }> {
  if (live.length === 0) return { subjects: [], isCut: false }
  const filter = {
    fromUs: Math.max(0, Math.min(...live.map(({ deploy }) => deploy.deployedAtUs)) - ENDED_BEFORE_US),
    toUs: Math.max(...live.map((one) => reachOf(one, nowUs).toUs)),
    sort: 'lastSeen',
    limit: MAX_SEEN + 1,
  } as const
  const found = await analyses.list(projectId, filter, nowUs)
  const subjects = found
    .slice(0, MAX_SEEN)
    .filter(isWanted)
    .flatMap((analysis) => {
      const [state, kinds] = [stateOf(analysis, nowUs), kindsOf(analysis, rules)]
      return analysis.episodes
        .map((_, at) => asOf(analysis, at))
        .filter((one) => live.some((deploy) => isAround(one, deploy, nowUs)))
        .map((one) => ({ analysis: one, state, kinds }))
    })
  return { subjects, isCut: found.length > MAX_SEEN }
}

function asOf(analysis: Analysis, at: number): Analysis {
  if (at === analysis.episodes.length - 1) return analysis
  const episodes = analysis.episodes.slice(0, at + 1)
  return { ...analysis, episodes, lastSeenUs: currentEpisode({ episodes }).lastSeenUs }
}

/** Deploys are recorded under names that only look like the one of the errors. */
function isOfPlace({ environment }: Analysis, place: string): boolean {
  return environment === place || isAlike(environment, place)
}

export type Near = {
  /** Those that may be because of it, the nearest first. */
  explained: Timed[]
  /** More of those: too many to be explained, or of those that tell nothing. */
  rest: Timed[]
  /** All that were seen around it. */
  all: Timed[]
}

export function nearOf(live: LiveDeploy, subjects: readonly Timed[], nowUs: number): Near {
  const { fromUs, toUs } = reachOf(live, nowUs)
  const distance = ({ course }: Timed) => Math.abs(course.onsetUs - live.deploy.deployedAtUs)
  const all = subjects.filter(({ analysis }) => isAround(analysis, live, nowUs))
  const near = all
    .filter(({ course: { onsetUs } }) => onsetUs >= fromUs && onsetUs < toUs)
    .sort((one, other) => distance(one) - distance(other) || (one.analysis.id < other.analysis.id ? -1 : 1))
  const explained = near.filter(({ analysis }) => isTelling(analysis)).slice(0, MAX_EXPLAINED)
  return { explained, rest: near.filter((one) => !explained.includes(one)), all }
}
