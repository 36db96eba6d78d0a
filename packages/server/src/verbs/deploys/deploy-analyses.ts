/** The analyses in the time of a deploy: what it brought, what came back or grew with it, what ended with it. */

import { inBrief, type LikelyCause } from '@tidemark/wire/analyses/cause'
import type { DeployAnalysis } from '@tidemark/wire/deploys/verdict'
import {
  beganOf,
  countsAgainst,
  isGoneWith,
  isWhileItRan,
  type LiveDeploy,
} from '../../analysis/verdict/deploy-concern.ts'
import { doubtOf } from '../../analysis/verdict/signals.ts'
import type { AgainstFacts } from '../../analysis/verdict/verdict-facts.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import type { ExplainedAnalysis } from '../causes/explain-analyses.ts'
import type { Timed } from './deploy-episodes.ts'

/** Of each list; the heaviest causes and the nearest come first. */
const MAX_LISTED = 50

type Told = Timed & { explanation: ExplainedAnalysis }

/** A deploy with the analyses that began near it, those too many to be explained, and all that were seen around it. */
export type Concerned = LiveDeploy & { told: Told[]; rest: Timed[]; all: readonly Timed[]; nowUs: number }

/** The surest first, then the most frequent. */
export function againstOf(known: Concerned): AgainstFacts[] {
  return known.told
    .filter(({ explanation }) => countsAgainst(explanation.likelyCause, known.deploy))
    .map(({ analysis, course, explanation: { likelyCause } }) => ({
      title: analysis.title,
      service: analysis.service,
      began: beganOf({ analysis, course }, known.deploy),
      count: course.count,
      confidence: likelyCause.confidence,
      onsetUs: course.onsetUs,
      evidence: likelyCause.evidenceFor[0] ?? null,
      isAtLine: likelyCause.commit !== null && likelyCause.commit.line !== null,
    }))
    .sort((one, other) => doubtOf(one) - doubtOf(other) || other.count - one.count || one.onsetUs - other.onsetUs)
}

/** As in the answer: `regressed` holds what was known before and came back or grew. */
export type DeployLists = Record<'introduced' | 'regressed' | 'gone', DeployAnalysis[]>

export function listsOf(known: Concerned): DeployLists {
  const begun = begunOf(known)
  return {
    introduced: begun.filter((one) => !wasKnownBefore(one)).slice(0, MAX_LISTED),
    regressed: begun.filter(wasKnownBefore).slice(0, MAX_LISTED),
    gone: known.all
      .filter((one) => isGoneWith(one, known, known.nowUs))
      .slice(0, MAX_LISTED)
      .map((one) => viewOf(one, known, null)),
  }
}

function wasKnownBefore({ began }: DeployAnalysis): boolean {
  return began !== 'first'
}

/** What began because of it, then what began while it ran. */
export function begunOf(known: Concerned): DeployAnalysis[] {
  const told = known.told.map((one) => ({ one, view: viewOf(one, known, one.explanation.likelyCause) }))
  const rest = known.rest.map((one) => ({ one, view: viewOf(one, known, null) }))
  const begun = [...told, ...rest].filter(({ one, view }) => view.countsAgainst || isWhileItRan(one, known))
  return begun.map(({ view }) => view).sort((one, other) => Number(other.countsAgainst) - Number(one.countsAgainst))
}

function viewOf({ analysis, state, course }: Timed, known: Concerned, cause: LikelyCause | null): DeployAnalysis {
  const { id, title, environment, service, level } = analysis
  return {
    ...{ id, title, environment, service, level, state },
    began: beganOf({ analysis, course }, known.deploy),
    onset: formatRfc3339(course.onsetUs),
    count: course.count,
    end: course.isOver ? formatRfc3339(course.untilUs) : null,
    likelyCause: cause && inBrief(cause),
    countsAgainst: cause !== null && countsAgainst(cause, known.deploy),
  }
}
