import type { AnalysisItem } from '@tidemark/wire/analyses/analysis'
import type { LikelyCause } from '@tidemark/wire/analyses/cause'
import { isCorrelatedCause } from '@tidemark/wire/analyses/is-correlated-cause'
import { printQuery } from '@tidemark/wire/query/print'
import { type SummaryFacts, summaryOf } from '../../analysis/cause/summary.ts'
import { environmentQuery, recordsText } from '../../analysis/group/records-query.ts'
import { type Analysis, currentEpisode, OVERFLOW_FINGERPRINT, stateOf } from '../../model/analysis.ts'
import type { RuleEffect } from '../../model/grouping-rule.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import type { ExplainedAnalysis } from '../causes/explain-analyses.ts'

type ItemFacts = {
  explained: ExplainedAnalysis
  rules: readonly RuleEffect[]
  nowUs: number
  trend: number[]
  rankReason: string
  notes: AnalysisItem['notes']
}

/** An analysis as a list shows it. */
export function toAnalysisItem(analysis: Analysis, facts: ItemFacts): AnalysisItem {
  const { explained, nowUs, trend, rankReason, rules, notes } = facts
  const nothingRead = { rates: null, affected: null, isIncomplete: false }
  return {
    ...analysisFacts(analysis, nowUs),
    onset: explained.course.onset,
    summary: summaryOf({ ...summaryFacts(analysis, { explained, rules, nowUs }), ...nothingRead }).text,
    activity: explained.activity,
    likelyCause: explained.likelyCause,
    ...explained.view,
    trend,
    rankReason,
    notes,
  }
}

/** What the stored analysis itself says. */
export function analysisFacts(analysis: Analysis, nowUs: number) {
  const { id, title, type, environment, service, level, count, where } = analysis
  return {
    id,
    title,
    type,
    state: stateOf(analysis, nowUs),
    environment,
    service,
    level,
    count,
    firstSeen: formatRfc3339(analysis.firstSeenUs),
    lastSeen: formatRfc3339(analysis.lastSeenUs),
    anchor: formatRfc3339(currentEpisode(analysis).anchorUs),
    where,
  }
}

export function summaryFacts(
  analysis: Analysis,
  { explained, rules, nowUs }: Pick<ItemFacts, 'explained' | 'rules' | 'nowUs'>,
): Omit<SummaryFacts, 'rates' | 'affected' | 'isIncomplete'> {
  const { anchorUs, began } = currentEpisode(analysis)
  return {
    nowUs,
    environment: analysis.environment,
    service: analysis.service,
    began,
    anchorUs,
    firstSeenUs: analysis.firstSeenUs,
    lastSeenUs: analysis.lastSeenUs,
    count: analysis.count,
    quietSinceUs: analysis.episodes.at(-2)?.lastSeenUs ?? null,
    correlation: explained.correlation,
    otherCause: otherCauseOf(explained),
    failedDeploys: explained.failedDeploys,
    recordsQuery: recordsText(analysis, rules),
    environmentQuery: printQuery(environmentQuery(analysis.environment)),
    isOverflow: analysis.fingerprint === OVERFLOW_FINGERPRINT,
  }
}

/** A deploy that is to blame instead is weighed against this one where causes are told; the summary says what came before. */
const NOT_TOLD: readonly LikelyCause['kind'][] = ['deploy', 'commit']

function otherCauseOf({ likelyCause, view: { correlatedDeploy } }: ExplainedAnalysis): SummaryFacts['otherCause'] {
  if (likelyCause.kind === 'unknown') return likelyCause
  const isTold = !NOT_TOLD.includes(likelyCause.kind) && likelyCause.confidence !== 'low'
  return isTold && !isCorrelatedCause({ likelyCause, correlatedDeploy }) ? likelyCause : null
}
