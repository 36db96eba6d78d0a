/** One page of analyses in the order asked for, with the trend and the rank of each. */

import type { AnalysisSort } from '@tidemark/wire/analyses/analysis'
import { OPEN_STATES } from '@tidemark/wire/analyses/analysis-state'
import type { Warning } from '@tidemark/wire/reading/question'
import { withCommas } from '@tidemark/wire/text/counted'
import { byRank, RANKED_WITH_DEPLOY_US, type Rank, rankOf } from '../../analysis/rank/rank.ts'
import type { AnalysisFilter } from '../../control/analyses/filter.ts'
import { type Analysis, currentEpisode, stateOf } from '../../model/analysis.ts'
import type { RuleEffect } from '../../model/grouping-rule.ts'
import type { ProjectId, ProjectWithSettings } from '../../model/project.ts'
import type { TimeRange } from '../../model/time-range.ts'
import type { AnalysisPosition } from '../reading/cursor.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { trendsOf } from './analysis-trends.ts'

/** Only this many, the newest of the window, are ranked; the answer says so when there are more. */
const MAX_CANDIDATES = 1_000

type PageQuestion = {
  project: ProjectWithSettings
  filter: Omit<AnalysisFilter, 'limit' | 'sort'>
  rules: readonly RuleEffect[]
  range: TimeRange
  nowUs: number
  limit: number
  after: AnalysisPosition | undefined
  signal: AbortSignal | undefined
}

type ListedAnalysis = { analysis: Analysis; value: number; trend: number[]; reason: string }
type AnalysesPage = { ranked: ListedAnalysis[]; hasMore: boolean; warnings: Warning[] }

/** By rank, which is computed over all candidates for every page: the same window always gives the same order. */
export async function rankedPage(parts: ReadingParts, question: PageQuestion): Promise<AnalysesPage> {
  const { project, filter, nowUs, limit, after } = question
  const wanted = { ...filter, sort: 'lastSeen', limit: MAX_CANDIDATES + 1 } as const
  const found = await listWanted(parts, project.id, wanted, nowUs)
  const candidates = found.slice(0, MAX_CANDIDATES)
  const ranked = await withRank(parts, question, candidates)
  const rest = ranked
    .map(({ rank, ...one }) => ({
      ...one,
      value: rank.score,
      reason: rank.reason,
      id: one.analysis.id,
      score: rank.score,
    }))
    .sort(byRank)
    .filter((one) => after === undefined || byRank({ id: after.id, score: after.value }, one) < 0)
  const page = rest.slice(0, limit).map(({ analysis, value, trend, reason }) => ({ analysis, value, trend, reason }))
  const message = `More than ${withCommas(MAX_CANDIDATES)} analyses are in this window: the ${withCommas(MAX_CANDIDATES)} that were seen last are ranked. Narrow the window, or sort by lastSeen to page through all.`
  return { ranked: page, hasMore: rest.length > limit, warnings: found.length > MAX_CANDIDATES ? [{ message }] : [] }
}

export async function sortedPage(
  parts: ReadingParts,
  question: PageQuestion,
  sort: Exclude<AnalysisSort, 'rank'>,
): Promise<AnalysesPage> {
  const { project, filter, nowUs, limit, after } = question
  const found = await listWanted(parts, project.id, { ...filter, sort, limit: limit + 1, after }, nowUs)
  const ranked = await withRank(parts, question, found.slice(0, limit))
  return {
    ranked: ranked.map(({ analysis, trend, rank }) => ({
      analysis,
      trend,
      value: SORTED_BY[sort](analysis),
      reason: rank.reason,
    })),
    hasMore: found.length > limit,
    warnings: [],
  }
}

const SORTED_BY: Record<Exclude<AnalysisSort, 'rank'>, (analysis: Analysis) => number> = {
  lastSeen: ({ lastSeenUs }) => lastSeenUs,
  firstSeen: ({ firstSeenUs }) => firstSeenUs,
  count: ({ count }) => count,
}

/** Without a state, those that are open, which need attention; for what one deploy brought, all of them. */
export async function listWanted(
  { control: { analyses } }: Pick<ReadingParts, 'control'>,
  projectId: ProjectId,
  filter: AnalysisFilter,
  nowUs: number,
): Promise<Analysis[]> {
  if (filter.state !== undefined || filter.ids !== undefined) return analyses.list(projectId, filter, nowUs)
  const found = await Promise.all(OPEN_STATES.map((state) => analyses.list(projectId, { ...filter, state }, nowUs)))
  const sortedBy = SORTED_BY[filter.sort]
  return found
    .flat()
    .sort((a, b) => byRank({ id: a.id, score: sortedBy(a) }, { id: b.id, score: sortedBy(b) }))
    .slice(0, filter.limit)
}

type Ranked = { analysis: Analysis; trend: number[]; rank: Rank }

async function withRank(parts: ReadingParts, question: PageQuestion, analyses: readonly Analysis[]): Promise<Ranked[]> {
  if (analyses.length === 0) return []
  const { project, range, rules, nowUs, signal } = question
  const asked = { range, rules, retention: project, nowUs, signal }
  const [trends, elapsed] = await Promise.all([
    trendsOf(parts.logStore.project(project.id), analyses, asked),
    elapsedSinceDeploy(parts, project.id, analyses, nowUs),
  ])
  return analyses.map((analysis) => {
    const trend = trends.get(analysis.id)
    const rank = rankOf({
      state: stateOf(analysis, nowUs),
      began: currentEpisode(analysis).began,
      level: analysis.level,
      firstSeenUs: analysis.firstSeenUs,
      lastSeenUs: analysis.lastSeenUs,
      range,
      elapsedUs: elapsed.get(analysis.id) ?? null,
      trend: trend ?? null,
      count: analysis.count,
    })
    return { analysis, trend: trend ?? [], rank }
  })
}

/** Only for those that are new or came back does a deploy change the rank, and only one just before. */
async function elapsedSinceDeploy(
  { control }: ReadingParts,
  projectId: ProjectId,
  analyses: readonly Analysis[],
  nowUs: number,
): Promise<Map<string, number>> {
  const begun = analyses
    .filter((analysis) => ['new', 'regressed'].includes(stateOf(analysis, nowUs)))
    .map((analysis) => ({
      id: analysis.id,
      environment: analysis.environment,
      atUs: currentEpisode(analysis).anchorUs,
    }))
  const deploys = await control.deploys.latestSucceededNear(projectId, begun, RANKED_WITH_DEPLOY_US)
  return new Map(begun.flatMap(({ id, atUs }, at) => (deploys[at] ? [[id, atUs - deploys[at].deployedAtUs]] : [])))
}
