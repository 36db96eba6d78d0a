/** One analysis with everything known about it. */
import {
  ANALYSIS_PARTS,
  type AnalysisAnswer,
  type AnalysisDetail,
  type AnalysisInput,
  type AnalysisPart,
  type RateWindow,
} from '@tidemark/wire/analyses/analysis'
import { analysisPage, projectPath } from '@tidemark/wire/dashboard/address'
import type { Correlation } from '../../analysis/cause/correlation.ts'
import { perHour, type Rates, roundedRate } from '../../analysis/cause/rates.ts'
import { summaryOf } from '../../analysis/cause/summary.ts'
import { recordsText } from '../../analysis/group/records-query.ts'
import { rankOf } from '../../analysis/rank/rank.ts'
import { stackOf } from '../../analysis/stack/parse-stack.ts'
import { unknownAnalysis } from '../../control/analyses/unknown-analysis.ts'
import { type Analysis, currentEpisode, stateOf } from '../../model/analysis.ts'
import type { Caller } from '../../model/caller.ts'
import type { Deploy } from '../../model/deploy.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import { requireReader } from '../access.ts'
import { deployCommits } from '../causes/deploy-commits.ts'
import { explainAnalyses } from '../causes/explain-analyses.ts'
import { isRollback } from '../causes/is-rollback.ts'
import { sourceAroundFrames } from '../causes/source-around-frames.ts'
import { deployView } from '../reading/deploy-view.ts'
import { toLogRows } from '../reading/logs/log-row.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { usedWindow } from '../reading/window.ts'
import { analysisFacts, summaryFacts } from './analysis-item.ts'
import { discussionOf, inBrief } from './analysis-notes.ts'
import { type ReadParts, readParts } from './get-analysis-parts.ts'

const MAX_DEPLOYS_SHOWN = 100

/**
 * `include` limits what is read from the records. What the control store knows is always answered, and so is the confidence
 * in the correlated deploy, with all of its evidence: a part of it could contradict the list.
 */
export async function getAnalysis(
  parts: ReadingParts,
  caller: Caller,
  { id, include = [...ANALYSIS_PARTS] }: AnalysisInput,
  signal?: AbortSignal,
): Promise<AnalysisAnswer> {
  const project = requireReader(caller)
  const { control, logStore, publicUrl } = parts
  const nowUs = parts.now() * 1_000
  const [analysis, rules] = await Promise.all([
    control.analyses.get(project.id, id),
    control.groupingRules.list(project.id),
  ])
  if (analysis === null) throw unknownAnalysis()
  const question = { project, rules, nowUs, signal }
  const explaining = explainAnalyses(parts, [analysis], question)
  const changedAtUs = async () => {
    const { correlatedDeploy } = (await explaining).of(analysis).view
    const at = correlatedDeploy?.deployedAt ?? correlatedDeploy?.committedAt
    return at ? Date.parse(at) * 1_000 : null
  }
  const [explanations, read] = await Promise.all([
    explaining,
    readParts(logStore.project(project.id), { ...question, analysis, include: new Set(include), changedAtUs }),
  ])
  const explained = explanations.of(analysis)
  const { correlation, failedDeploys } = explained
  const [previous, deploys, samples, before, changedBy, source, discussion] = await Promise.all([
    correlation.source === 'recorded' ? control.deploys.replaced(correlation.deploy) : null,
    deploysInside(parts, analysis, read),
    toLogRows(parts, project.id, read.samples),
    read.before && toLogRows(parts, project.id, read.before.records),
    nameOf(parts, analysis.stateChangedBy),
    include.includes('source') ? sourceAroundFrames(parts, analysis, explained) : [],
    discussionOf(parts, analysis),
  ])
  const { affected } = read
  const { correlatedDeploy, correlatedDeployReason } = explained.view
  const [isBack, commits] =
    correlation.source === 'recorded'
      ? await Promise.all([
          isRollback(parts, correlation.deploy, previous),
          deployCommits(parts.repository, correlation.deploy, previous),
        ])
      : [false, null]
  const rates = include.includes('rates') ? explained.rates : null
  const summary = summaryOf({
    ...summaryFacts(analysis, { explained, rules, nowUs }),
    rates,
    affected,
    isIncomplete: read.isIncomplete || explanations.isIncomplete,
  })
  const detail: AnalysisDetail = {
    ...analysisFacts(analysis, nowUs),
    onset: explained.course.onset,
    summary: summary.text,
    activity: explained.activity,
    likelyCause: explained.likelyCause,
    course: explained.course,
    suspects: explained.suspects,
    suspectsReason: explained.suspectsReason,
    standouts: explained.standouts,
    correlatedDeploy: correlatedDeploy && { ...correlatedDeploy, ...(isBack && { isRollback: true }), commits },
    correlatedDeployReason,
    trend: read.buckets.map(({ count }) => count),
    rankReason: rankReason(analysis, correlation, nowUs),
    fingerprint: analysis.fingerprint,
    grouping: analysis.grouping,
    error: analysis.sample.error && { type: analysis.sample.error.type, message: analysis.sample.error.message },
    sentences: summary.sentences,
    previousDeploy: previous && deployView(previous),
    failedDeploys: failedDeploys.map(deployView),
    rates: rates && ratesView(rates),
    occurrences: {
      window: usedWindow(read.occurrenceRange),
      bucketSeconds: read.bucketUs / 1e6,
      buckets: read.buckets,
      deploys: deploys.map(deployView),
    },
    ...stackView(analysis, include),
    source,
    ...(read.users && { users: read.users }),
    services: affected?.services ?? [],
    hosts: affected?.hosts ?? [],
    releases: affected?.releases ?? [],
    samples,
    before: read.before && before && { by: read.before.by, rows: before },
    episodes: include.includes('episodes') ? episodesView(analysis) : [],
    recordsQuery: recordsText(analysis, rules),
    stateChangedAt: analysis.stateChangedAt,
    stateChangedBy: changedBy,
    notes: inBrief(discussion),
    discussion,
  }
  return { analysis: detail, url: `${publicUrl}${projectPath(project.id, analysisPage(analysis.id))}` }
}

/** As in a list at this moment that did not ask for the records. */
function rankReason(analysis: Analysis, correlation: Correlation, nowUs: number): string {
  const { began } = currentEpisode(analysis)
  const { level, count } = analysis
  const elapsedUs = correlation.source === 'recorded' ? correlation.elapsedUs : null
  const range = { fromUs: nowUs, toUs: nowUs }
  const { firstSeenUs, lastSeenUs } = analysis
  const seen = { firstSeenUs, lastSeenUs, range, beganInside: false, trend: null, count }
  return rankOf({ state: stateOf(analysis, nowUs), began, level, elapsedUs, ...seen }).reason
}

function deploysInside(
  { control }: ReadingParts,
  { projectId, environment }: Analysis,
  { occurrenceRange }: ReadParts,
): Promise<Deploy[]> {
  return control.deploys.list(projectId, {
    ...occurrenceRange,
    environment,
    status: 'succeeded',
    limit: MAX_DEPLOYS_SHOWN,
  })
}

function ratesView({ before, after, existedBefore }: Rates): NonNullable<AnalysisDetail['rates']> {
  const view = (one: Rates['before']): RateWindow => ({
    ...usedWindow(one),
    errors: one.errors,
    records: one.records,
    perHour: roundedRate(perHour(one.errors, one)),
  })
  return { before: view(before), after: view(after), existedBefore }
}

/** From the first record, which is kept with the analysis: there is a stack however old it is. */
function stackView(
  { sample }: Analysis,
  include: readonly AnalysisPart[],
): Pick<AnalysisDetail, 'stack' | 'rawStack' | 'isSourceMapped'> {
  if (!include.includes('stack')) return { stack: [], rawStack: '' }
  const stack = stackOf(sample)
  const rawStack = sample.error?.stack || (stack === null ? '' : sample.message)
  return { stack: stack?.exceptions ?? [], rawStack, ...(sample.sourceStack !== undefined && { isSourceMapped: true }) }
}

function episodesView({ episodes }: Analysis): AnalysisDetail['episodes'] {
  return episodes.toReversed().map(({ anchorUs, lastSeenUs, count, began }) => ({
    anchor: formatRfc3339(anchorUs),
    lastSeen: formatRfc3339(lastSeenUs),
    count,
    began,
  }))
}

/** An actor that is not a person, such as the operator, is named by its kind. */
async function nameOf({ control }: ReadingParts, by: string | null): Promise<string | null> {
  return by && ((await control.accounts.names([by])).get(by) ?? by)
}
