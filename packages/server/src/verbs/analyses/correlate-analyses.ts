/**
 * What ran when each of some analyses began, and how far it explains them. Lists and details of every door ask this one
 * function, so the confidence and its evidence cannot differ between them.
 */
import type { CorrelatedDeploy } from '@tidemark/wire/analysis'
import { type ConfidenceFacts, confidenceOf } from '../../analysis/cause/confidence.ts'
import { type Correlation, INFERRED_WARNING } from '../../analysis/cause/correlate.ts'
import type { Rates } from '../../analysis/cause/rates.ts'
import { atMost } from '../../at-most.ts'
import { type Analysis, currentEpisode } from '../../model/analysis.ts'
import type { Deploy } from '../../model/deploy.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { createCorrelator, momentOf, startOf } from './correlate-deploy.ts'
import { type CorrelationQuestion, type Evidence, NO_EVIDENCE, readEvidence } from './correlation-evidence.ts'

const CORRELATED_AT_ONCE = 4

export type CorrelatedView = { correlatedDeploy: CorrelatedDeploy | null; correlatedDeployReason: string | null }

export type CorrelatedAnalysis = {
  correlation: Correlation
  /** Failed and cancelled, in the same environment, within the hour before; newest first. */
  failedDeploys: Deploy[]
  rates: Rates | null
  /** As every door shows it: `correlatedDeploy` and, when there is none, why. */
  view: CorrelatedView
}

export type CorrelatedAnalyses = {
  of(analysis: Analysis): CorrelatedAnalysis
  /** The log store did not answer, so the evidence comes from times and deploys alone. */
  isIncomplete: boolean
}

export async function correlateAnalyses(
  parts: ReadingParts,
  analyses: readonly Analysis[],
  question: CorrelationQuestion,
): Promise<CorrelatedAnalyses> {
  const correlator = createCorrelator(parts, question.project.id)
  const ask = atMost(CORRELATED_AT_ONCE)
  const found = await Promise.all(
    analyses.map((analysis) =>
      ask(async () => {
        const moment = momentOf(analysis)
        const [correlation, failedDeploys] = await Promise.all([correlator.of(moment), correlator.failedBefore(moment)])
        return { analysis, correlation, failedDeploys }
      }),
    ),
  )
  const evidence = await readEvidence(parts, found, question)
  const correlated = new Map(
    found.map(({ analysis, correlation, failedDeploys }) => {
      const read = evidence.byId.get(analysis.id) ?? NO_EVIDENCE
      const view = viewOf(analysis, correlation, { ...read, failedDeploys })
      return [analysis.id, { correlation, failedDeploys, rates: read.rates, view }]
    }),
  )
  return { of: (analysis) => correlated.get(analysis.id)!, isIncomplete: evidence.isIncomplete }
}

function viewOf(
  analysis: Analysis,
  correlation: Correlation,
  known: Evidence & Pick<ConfidenceFacts, 'failedDeploys'>,
): CorrelatedView {
  if (correlation.source === null) return { correlatedDeploy: null, correlatedDeployReason: correlation.reason }
  const { environment, firstSeenUs, sample } = analysis
  const { anchorUs, began } = currentEpisode(analysis)
  const revision = revisionOf(correlation)
  const { confidence, evidenceFor, evidenceAgainst } = confidenceOf({
    ...known,
    source: correlation.source,
    sha: revision.sha,
    ref: revision.ref,
    startedUs: startOf(correlation) ?? anchorUs,
    anchorUs,
    firstSeenUs,
    began,
    environment,
    environmentDefaulted: sample.environmentDefaulted,
  })
  const correlatedDeploy = {
    source: correlation.source,
    deployId: revision.deployId,
    sha: revision.sha,
    ref: revision.ref,
    environment,
    deployedAt: revision.deployedAt,
    committedAt: revision.committedAt,
    elapsedSeconds: correlation.elapsedUs / 1e6,
    confidence,
    evidenceFor,
    evidenceAgainst,
    warning: correlation.source === 'inferred' ? INFERRED_WARNING : null,
    message: revision.message,
    author: revision.author,
    url: revision.url,
  }
  return { correlatedDeploy, correlatedDeployReason: null }
}

function revisionOf(correlation: Exclude<Correlation, { source: null }>) {
  if (correlation.source === 'recorded') {
    const { id, sha, ref, deployedAtUs, message, author, url } = correlation.deploy
    const deployedAt = formatRfc3339(deployedAtUs)
    return { deployId: id, sha, ref, deployedAt, committedAt: null, message, author, url }
  }
  const { sha, branch, committedAtUs, subject, author } = correlation.commit
  const committedAt = formatRfc3339(committedAtUs)
  return { deployId: null, sha, ref: branch, deployedAt: null, committedAt, message: subject, author, url: null }
}
