/** What deploys, commits and other analyses say about an analysis: all that is known without its records. */
import { MINUTE_US } from '@tidemark/wire/time/units'
import type { CauseFacts } from '../../analysis/cause/cause-facts.ts'
import { type Correlation, startOf } from '../../analysis/cause/correlate.ts'
import type { Course } from '../../analysis/cause/course.ts'
import { type Trouble, troubleOf } from '../../analysis/cause/trouble.ts'
import { findStack } from '../../analysis/stack/parse-stack.ts'
import type { Analysis } from '../../model/analysis.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { type CommitEvidence, readCommitEvidence } from './commit-evidence.ts'
import { type Correlator, momentOf } from './correlate-deploy.ts'
import { type Candidate, candidatesBefore, endingDeploy, isRevisionAgain } from './deploy-candidates.ts'

/** Errors that begin this close to each other may have one cause. */
const TOGETHER_US = 10 * MINUTE_US
const MAX_TOGETHER = 50

export type KnownFacts = {
  analysis: Analysis
  course: Course
  correlation: Correlation
  startedUs: number | null
  /** Failed and cancelled, in the same environment, within the hour before; newest first. */
  failedDeploys: Deploy[]
  candidates: Candidate[]
  commits: CommitEvidence
  ended: { deploy: Deploy; isRollback: boolean } | null
  trouble: Trouble | null
  together: CauseFacts['together']
}

export async function readKnownFacts(
  { control, repository }: Pick<ReadingParts, 'control' | 'repository'>,
  analysis: Analysis,
  { course, correlator, nowUs }: { course: Course; correlator: Correlator; nowUs: number },
): Promise<KnownFacts> {
  const { projectId, environment } = analysis
  const moment = momentOf(analysis)
  const [correlation, failedDeploys, ended, together] = await Promise.all([
    correlator.of(moment),
    correlator.failedBefore(moment),
    endingDeploy(control.deploys, projectId, { environment, course, nowUs }),
    beganTogether(control.analyses, analysis, course.onsetUs, nowUs),
  ])
  const correlated = correlation.source === 'recorded' ? correlation.deploy : null
  const { onsetUs } = course
  const candidates = await candidatesBefore(control.deploys, projectId, { environment, onsetUs, correlated })
  const commit = correlation.source === 'inferred' ? correlation.commit : null
  const [commits, isRollback] = await Promise.all([
    readCommitEvidence(repository, analysis, { candidates, commit }),
    ended !== null && isRevisionAgain(control.deploys, ended),
  ])
  return {
    analysis,
    course,
    correlation,
    startedUs: startOf(correlation),
    failedDeploys,
    candidates,
    commits,
    ended: ended && { deploy: ended, isRollback },
    trouble: troubleIn(analysis),
    together,
  }
}

/** The root cause of a chain says most about where the trouble is. */
function troubleIn({ sample, type }: Analysis): Trouble | null {
  const exceptions = findStack(sample.error?.stack || sample.message)?.exceptions ?? []
  const told = [
    ...exceptions.toReversed(),
    sample.error ?? { type, message: '' },
    { type: '', message: sample.message },
  ]
  for (const one of told) {
    const trouble = troubleOf(one)
    if (trouble !== null) return trouble
  }
  return null
}

async function beganTogether(
  analyses: Pick<ReadingParts['control']['analyses'], 'list'>,
  { id, projectId }: Analysis,
  onsetUs: number,
  nowUs: number,
): Promise<CauseFacts['together']> {
  const filter = {
    anchoredFromUs: Math.max(0, onsetUs - TOGETHER_US),
    anchoredToUs: onsetUs + TOGETHER_US,
    sort: 'lastSeen',
    limit: MAX_TOGETHER,
  } as const
  const found = await analyses.list(projectId, filter, nowUs)
  return found
    .filter((one) => one.id !== id)
    .map((one) => ({ service: one.service, environment: one.environment, trouble: troubleIn(one) }))
}
