/** What an episode of errors has to do with a deploy. */
import type { LikelyCause } from '@tidemark/wire/analyses/cause'
import type { DeployAnalysis } from '@tidemark/wire/deploys/verdict'
import { DAY_US } from '@tidemark/wire/time/units'
import { type Analysis, currentEpisode } from '../../model/analysis.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { Course } from '../cause/error-course.ts'
import { endedWith } from '../cause/error-end.ts'
import { RECORDED_AFTER_US } from '../cause/thresholds.ts'

/** A deploy that went live, and the ones before and after it in its environment, in the order of deploys. */
export type LiveDeploy = { deploy: Deploy; previous: Deploy | null; next: Deploy | null }

/** `analysis` ends with the episode: what came later is left out of it. */
export type Episode = { analysis: Analysis; course: Course }

/** Fewer errors have no rate that could be seen to end. */
const LEAST_GONE = 5
/** Errors of an analysis that began in this time before a deploy were growing without it. */
const GROWING_US = DAY_US

export function countsAgainst(cause: LikelyCause, { id }: Deploy): boolean {
  return cause.kind === 'deploy' && cause.deployId === id
}

export function hasOtherCause(cause: LikelyCause, deploy: Deploy): boolean {
  return cause.kind !== 'unknown' && !countsAgainst(cause, deploy)
}

/** Began in its own environment, from its time until the next one. */
export function isWhileItRan({ analysis, course }: Episode, { deploy, next }: LiveDeploy): boolean {
  if (analysis.environment !== deploy.environment) return false
  return course.onsetUs >= deploy.deployedAtUs && course.onsetUs < (next?.deployedAtUs ?? Number.POSITIVE_INFINITY)
}

export function isGoneWith({ analysis, course }: Episode, { deploy, previous }: LiveDeploy, nowUs: number): boolean {
  if (analysis.environment !== deploy.environment || course.count < LEAST_GONE) return false
  return endedWith(course, deploy, previous, nowUs)
}

/** Errors that came before it and grew with it have their beginning long before. */
export function beganOf({ analysis, course }: Episode, { deployedAtUs }: Deploy): DeployAnalysis['began'] {
  const { anchorUs, began } = currentEpisode(analysis)
  const isBefore = anchorUs < deployedAtUs - RECORDED_AFTER_US
  return isBefore && course.onsetUs > anchorUs ? 'grew' : began
}

/** It was growing before the deploy came, so the deploy is not why there is more of it. */
export function wasGrowing({ course, analysis }: Episode, { deployedAtUs, environment }: Deploy): boolean {
  const { onsetUs, untilUs } = course
  return (
    analysis.environment === environment &&
    onsetUs < deployedAtUs &&
    onsetUs >= deployedAtUs - GROWING_US &&
    untilUs >= deployedAtUs
  )
}
