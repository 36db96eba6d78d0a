import type { AnalysisItem } from '@tidemark/wire/analysis'
import { printQuery } from '@tidemark/wire/query/print'
import { environmentQuery, recordsText } from '../../analysis/cause/evidence.ts'
import { type SummaryFacts, summaryOf } from '../../analysis/cause/summary.ts'
import { type Analysis, currentEpisode, OVERFLOW_FINGERPRINT, stateOf } from '../../model/analysis.ts'
import type { RuleEffect } from '../../model/grouping-rule.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import type { CorrelatedAnalysis } from './correlate-analyses.ts'

export type ItemFacts = {
  correlated: CorrelatedAnalysis
  rules: readonly RuleEffect[]
  nowUs: number
  trend: number[]
  rankReason: string
}

/** An analysis as a list shows it. */
export function toAnalysisItem(analysis: Analysis, facts: ItemFacts): AnalysisItem {
  const { correlated, nowUs, trend, rankReason, rules } = facts
  const nothingRead = { rates: null, affected: null, isIncomplete: false }
  return {
    ...analysisFacts(analysis, nowUs),
    summary: summaryOf({ ...summaryFacts(analysis, { correlated, rules, nowUs }), ...nothingRead }).text,
    ...correlated.view,
    trend,
    rankReason,
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
  { correlated, rules, nowUs }: Pick<ItemFacts, 'correlated' | 'rules' | 'nowUs'>,
): Omit<SummaryFacts, 'rates' | 'affected' | 'isIncomplete'> {
  const { anchorUs, began } = currentEpisode(analysis)
  return {
    nowUs,
    environment: analysis.environment,
    began,
    anchorUs,
    firstSeenUs: analysis.firstSeenUs,
    lastSeenUs: analysis.lastSeenUs,
    count: analysis.count,
    quietSinceUs: analysis.episodes.at(-2)?.lastSeenUs ?? null,
    correlation: correlated.correlation,
    failedDeploys: correlated.failedDeploys,
    recordsQuery: recordsText(analysis, rules),
    environmentQuery: printQuery(environmentQuery(analysis.environment)),
    isOverflow: analysis.fingerprint === OVERFLOW_FINGERPRINT,
  }
}
