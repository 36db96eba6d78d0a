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
import { errorsKeptSinceUs } from '../../model/retention.ts'
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
/** `outside`: matched by the control store, but without an error in the window. */
type AnalysesPage = { ranked: ListedAnalysis[]; outside: Analysis[]; hasMore: boolean; warnings: Warning[] }

/** By rank, which is computed over all candidates for every page: the same window always gives the same order. */
export async function rankedPage(parts: ReadingParts, question: PageQuestion): Promise<AnalysesPage> {
  const { project, filter, nowUs, limit, after } = question
  const wanted = { ...filter, sort: 'lastSeen', limit: MAX_CANDIDATES + 1 } as const
  const found = await listWanted(parts, project.id, wanted, nowUs)
  const candidates = found.slice(0, MAX_CANDIDATES)
  const { ranked, outside } = await withRank(parts, question, candidates)
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
  const warnings = found.length > MAX_CANDIDATES ? [{ message }] : []
  return { ranked: page, outside, hasMore: rest.length > limit, warnings }
}

export async function sortedPage(
  parts: ReadingParts,
  question: PageQuestion,
  sort: Exclude<AnalysisSort, 'rank'>,
): Promise<AnalysesPage> {
  const { project, filter, range, nowUs, limit, after } = question
  const size = range.toUs < nowUs ? Math.max(limit, MAX_CANDIDATES) : limit
  const found = await listWanted(parts, project.id, { ...filter, sort, limit: size + 1, after }, nowUs)
  const { ranked, outside } = await withRank(parts, question, found.slice(0, size))
  return {
    ranked: ranked.slice(0, limit).map(({ analysis, trend, rank }) => ({
      analysis,
      trend,
      value: SORTED_BY[sort](analysis),
      reason: rank.reason,
    })),
    outside,
    hasMore: ranked.length > limit || found.length > size,
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

async function withRank(
  parts: ReadingParts,
  question: PageQuestion,
  analyses: readonly Analysis[],
): Promise<{ ranked: Ranked[]; outside: Analysis[] }> {
  if (analyses.length === 0) return { ranked: [], outside: [] }
  const { project, range, rules, nowUs, signal } = question
  const asked = { range, rules, retention: project, nowUs, signal }
  const endUs = Math.min(nowUs, range.toUs)
  const atEnd = new Map(analyses.map((analysis) => [analysis.id, asOf(analysis, range.toUs)]))
  const [trends, elapsed] = await Promise.all([
    trendsOf(parts.logStore.project(project.id), analyses, asked),
    elapsedSinceDeploy(parts, project.id, [...atEnd.values()], endUs),
  ])
  const outside = range.toUs < nowUs ? analyses.filter((one) => !isInside(one)) : []
  const inside = outside.length === 0 ? analyses : analyses.filter((one) => !outside.includes(one))
  const ranked = inside.map((analysis) => {
    const trend = trends.get(analysis.id)
    const { began, anchorUs } = currentEpisode(atEnd.get(analysis.id)!)
    const rank = rankOf({
      state: stateOf(atEnd.get(analysis.id)!, endUs),
      began,
      beganInside: anchorUs >= range.fromUs,
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
  return { ranked, outside }

  /** The filter compares only the first and the last error. An analysis may have been silent for all of the window between them. */
  function isInside({ id, episodes, environment }: Analysis): boolean {
    const { fromUs, toUs } = range
    const during = episodes.filter(({ anchorUs, lastSeenUs }) => anchorUs < toUs && lastSeenUs >= fromUs)
    if (during.some(({ anchorUs, lastSeenUs }) => anchorUs >= fromUs || lastSeenUs < toUs)) return true
    const trend = trends.get(id)
    const isCounted = trend !== undefined && errorsKeptSinceUs(project, environment, nowUs / 1_000) <= fromUs
    return during.length > 0 && !(isCounted && trend.every((count) => count === 0))
  }
}

/** Without the episodes that started at or after a time. One that has no others stays as it is. */
function asOf(analysis: Analysis, toUs: number): Analysis {
  const episodes = analysis.episodes.filter(({ anchorUs }) => anchorUs < toUs)
  return episodes.length === 0 || episodes.length === analysis.episodes.length ? analysis : { ...analysis, episodes }
}

/** Only for those that are new or came back does a deploy change the rank, and only one just before. */
async function elapsedSinceDeploy(
  { control }: ReadingParts,
  projectId: ProjectId,
  analyses: readonly Analysis[],
  atUs: number,
): Promise<Map<string, number>> {
  const begun = analyses
    .filter((analysis) => ['new', 'regressed'].includes(stateOf(analysis, atUs)))
    .map((analysis) => ({
      id: analysis.id,
      environment: analysis.environment,
      atUs: currentEpisode(analysis).anchorUs,
    }))
  const deploys = await control.deploys.latestSucceededNear(projectId, begun, RANKED_WITH_DEPLOY_US)
  return new Map(begun.flatMap(({ id, atUs }, at) => (deploys[at] ? [[id, atUs - deploys[at].deployedAtUs]] : [])))
}
