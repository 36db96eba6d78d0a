/** The analyses in the time of a deploy: what it brought, what came back or grew with it, what ended with it. */
import { inBrief } from '@tidemark/wire/analyses/cause'
import type { DeployAnalysis } from '@tidemark/wire/deploys/verdict'
import { doubtOf } from '../../analysis/verdict/signals.ts'
import type { AgainstFacts } from '../../analysis/verdict/verdict-facts.ts'
import { currentEpisode } from '../../model/analysis.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import { RECORDED_AFTER_US, timeOfEnd } from '../causes/deploy-candidates.ts'
import type { ExplainedAnalysis } from '../causes/explain-analyses.ts'
import type { LiveDeploy, Timed } from './deploy-episodes.ts'

/** Of each list; the heaviest causes and the nearest come first. */
const MAX_LISTED = 50
/** Fewer errors have no rate that could be seen to end. */
const LEAST_GONE = 5

type Told = Timed & { explanation: ExplainedAnalysis }

/** A deploy with the analyses that began near it, those too many to be explained, and all that were seen around it. */
export type Concerned = LiveDeploy & { told: Told[]; rest: Timed[]; all: readonly Timed[]; nowUs: number }

export function countsAgainst({ explanation: { likelyCause } }: Told, { deploy }: Pick<LiveDeploy, 'deploy'>): boolean {
  return likelyCause.kind === 'deploy' && likelyCause.deployId === deploy.id
}

export function hasOtherCause(one: Told, live: Pick<LiveDeploy, 'deploy'>): boolean {
  return one.explanation.likelyCause.kind !== 'unknown' && !countsAgainst(one, live)
}

/** The surest first, then the most frequent. */
export function againstOf(known: Concerned): AgainstFacts[] {
  return known.told
    .filter((one) => countsAgainst(one, known))
    .map(({ analysis, course, explanation: { likelyCause } }) => ({
      title: analysis.title,
      service: analysis.service,
      began: beganOf({ analysis, course }, known),
      count: course.count,
      confidence: likelyCause.confidence,
      onsetUs: course.onsetUs,
      evidence: likelyCause.evidenceFor[0] ?? null,
      isAtLine: likelyCause.commit !== null && likelyCause.commit.line !== null,
    }))
    .sort((one, other) => doubtOf(one) - doubtOf(other) || other.count - one.count || one.onsetUs - other.onsetUs)
}

export type DeployLists = Record<'introduced' | 'regressed' | 'gone', DeployAnalysis[]>

export function listsOf(known: Concerned): DeployLists {
  const told = known.told
    .filter((one) => countsAgainst(one, known) || isWhileItRan(one, known))
    .toSorted((one, other) => Number(countsAgainst(other, known)) - Number(countsAgainst(one, known)))
    .map((one) => viewOf(one, known, one))
  const rest = known.rest.filter((one) => isWhileItRan(one, known)).map((one) => viewOf(one, known, null))
  const begun = [...told, ...rest]
  return {
    introduced: begun.filter(({ began }) => began === 'first').slice(0, MAX_LISTED),
    regressed: begun.filter(({ began }) => began !== 'first').slice(0, MAX_LISTED),
    gone: known.all
      .filter((one) => endedWith(one, known))
      .slice(0, MAX_LISTED)
      .map((one) => viewOf(one, known, null)),
  }
}

/** In its own environment, from its time until the next one. */
function isWhileItRan({ analysis, course }: Timed, { deploy, next }: LiveDeploy): boolean {
  if (analysis.environment !== deploy.environment) return false
  return course.onsetUs >= deploy.deployedAtUs && course.onsetUs < (next?.deployedAtUs ?? Number.POSITIVE_INFINITY)
}

/** The same rule that says with which deploy the errors of an analysis ended. */
function endedWith({ analysis, course }: Timed, { deploy, previous, nowUs }: Concerned): boolean {
  if (analysis.environment !== deploy.environment || course.count < LEAST_GONE) return false
  const around = timeOfEnd(course, nowUs)
  if (around === null) return false
  const isInside = ({ deployedAtUs }: LiveDeploy['deploy']) =>
    deployedAtUs >= around.fromUs && deployedAtUs < around.toUs
  return isInside(deploy) && (previous === null || !isInside(previous))
}

/** Errors that came before it and grew with it have their beginning long before. */
function beganOf(
  { analysis, course }: Pick<Timed, 'analysis' | 'course'>,
  { deploy }: LiveDeploy,
): DeployAnalysis['began'] {
  const { anchorUs, began } = currentEpisode(analysis)
  const isBefore = anchorUs < deploy.deployedAtUs - RECORDED_AFTER_US
  return isBefore && course.onsetUs > anchorUs ? 'grew' : began
}

function viewOf({ analysis, state, course }: Timed, known: Concerned, told: Told | null): DeployAnalysis {
  const cause = told?.explanation.likelyCause
  const { id, title, environment, service, level } = analysis
  return {
    ...{ id, title, environment, service, level, state },
    began: beganOf({ analysis, course }, known),
    onset: formatRfc3339(course.onsetUs),
    count: course.count,
    end: course.isOver ? formatRfc3339(course.untilUs) : null,
    likelyCause: cause ? inBrief(cause) : null,
    countsAgainst: told !== null && countsAgainst(told, known),
  }
}
