/** What deploys, commits and other analyses say about an analysis: all that is known without its records. */
import { MINUTE_US } from '@tidemark/wire/time/units'
import type { CauseFacts } from '../../analysis/cause/cause-facts.ts'
import { type Correlation, startOf } from '../../analysis/cause/correlation.ts'
import type { Course } from '../../analysis/cause/error-course.ts'
import { type Trouble, troubleOf } from '../../analysis/cause/outside-trouble.ts'
import { stackOf } from '../../analysis/stack/parse-stack.ts'
import type { Analysis } from '../../model/analysis.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { type Correlator, momentOf } from './correlate-deploy.ts'
import { type Candidate, candidatesBefore, endingDeploy } from './deploy-candidates.ts'
import { type RepositoryFacts, readRepositoryFacts } from './facts-from-repository.ts'
import { isRollback } from './is-rollback.ts'

/** Errors that begin this close to each other may have one cause. */
const ALONGSIDE_US = 10 * MINUTE_US
const MAX_ALONGSIDE = 50

export type FactsWithoutRecords = {
  analysis: Analysis
  course: Course
  correlation: Correlation
  startedUs: number | null
  /** Failed and cancelled, in the same environment, within the hour before; newest first. */
  failedDeploys: Deploy[]
  candidates: (Candidate & { isRollback: boolean })[]
  commits: RepositoryFacts
  ended: { deploy: Deploy; isRollback: boolean } | null
  trouble: Trouble | null
  alongside: CauseFacts['alongside']
}

export async function readFactsWithoutRecords(
  { control, repository }: Pick<ReadingParts, 'control' | 'repository'>,
  analysis: Analysis,
  { course, correlator, nowUs }: { course: Course; correlator: Correlator; nowUs: number },
): Promise<FactsWithoutRecords> {
  const { projectId, environment } = analysis
  const moment = momentOf(analysis)
  const [correlation, failedDeploys, ended, alongside] = await Promise.all([
    correlator.of(moment),
    correlator.failedBefore(moment),
    endingDeploy(control.deploys, projectId, { environment, course, nowUs }),
    analysesAlongside(control.analyses, analysis, course.onsetUs, nowUs),
  ])
  const correlated = correlation.source === 'recorded' ? correlation.deploy : null
  const { onsetUs } = course
  const candidates = await candidatesBefore(control.deploys, projectId, { environment, onsetUs, correlated })
  const commit = correlation.source === 'inferred' ? correlation.commit : null
  const parts = { control, repository }
  const [commits, rollbacks, isRolledBack] = await Promise.all([
    readRepositoryFacts(parts, analysis, { candidates, commit }),
    Promise.all(candidates.map(({ deploy }) => isRollback(parts, deploy))),
    ended !== null && isRollback(parts, ended),
  ])
  return {
    analysis,
    course,
    correlation,
    startedUs: startOf(correlation),
    failedDeploys,
    candidates: candidates.map((one, at) => ({ ...one, isRollback: rollbacks[at]! })),
    commits,
    ended: ended && { deploy: ended, isRollback: isRolledBack },
    trouble: troubleIn(analysis),
    alongside,
  }
}

/** The root cause of a chain says most about where the trouble is. */
function troubleIn({ sample, type }: Analysis): Trouble | null {
  const exceptions = stackOf(sample)?.exceptions ?? []
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

async function analysesAlongside(
  analyses: Pick<ReadingParts['control']['analyses'], 'list'>,
  { id, projectId }: Analysis,
  onsetUs: number,
  nowUs: number,
): Promise<CauseFacts['alongside']> {
  const filter = {
    anchoredFromUs: Math.max(0, onsetUs - ALONGSIDE_US),
    anchoredToUs: onsetUs + ALONGSIDE_US,
    sort: 'lastSeen',
    limit: MAX_ALONGSIDE,
  } as const
  const found = await analyses.list(projectId, filter, nowUs)
  return found
    .filter((one) => one.id !== id)
    .map((one) => ({ service: one.service, environment: one.environment, trouble: troubleIn(one) }))
}
