/** Analyses that were seen in a window, ranked or sorted, page by page. */

import { ANALYSIS_SORTS, type AnalysesAnswer, type AnalysesInput } from '@tidemark/wire/analyses/analysis'
import { OUTCOME_WORDS } from '@tidemark/wire/deploys/deploy-status'
import { DEFAULT_LIMIT, type Warning } from '@tidemark/wire/reading/question'
import { withCommas } from '@tidemark/wire/text/counted'
import { RECORDED_AFTER_US } from '../../analysis/cause/thresholds.ts'
import { wordsOf } from '../../analysis/group/search-text.ts'
import { awayWords } from '../../analysis/words.ts'
import type { AnalysisFilter } from '../../control/analyses/filter.ts'
import { stateOf } from '../../model/analysis.ts'
import type { Caller } from '../../model/caller.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import type { TimeRange } from '../../model/time-range.ts'
import { requireReader } from '../access.ts'
import { explainAnalyses } from '../causes/explain-analyses.ts'
import { begunWith } from '../deploys/concerned-analyses.ts'
import { MAX_SEEN } from '../deploys/deploy-episodes.ts'
import type { AnalysisPosition, CursorScope } from '../reading/cursor.ts'
import { requireDeploy } from '../reading/named-by-id.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { resolveUnlimited, untilNow, usedWindow, windowParts } from '../reading/window.ts'
import { toAnalysisItem } from './analysis-item.ts'
import { briefNotesOf } from './analysis-notes.ts'
import { rankedPage, sortedPage } from './list-analyses-page.ts'
import { whyNoAnalyses } from './list-analyses-why-empty.ts'

const [DEFAULT_SORT] = ANALYSIS_SORTS
const WITHOUT_RECORDS = awayWords('each cause rests on times, deploys and commits alone')
const CUT = `More than ${withCommas(MAX_SEEN)} analyses were seen around this deploy: only the ${withCommas(MAX_SEEN)} that were seen last are looked at.`
const ALL_STATES = { state: undefined, sort: 'lastSeen', limit: 1 } as const

export async function listAnalyses(
  parts: ReadingParts,
  caller: Caller,
  input: AnalysesInput,
  signal?: AbortSignal,
): Promise<AnalysesAnswer> {
  const project = requireReader(caller)
  const { control, cursors } = parts
  const { limit = DEFAULT_LIMIT, sort = DEFAULT_SORT } = input
  const nowUs = parts.now() * 1_000
  const scope = scopeOf(project, input, sort)
  const cursor = input.cursor === undefined ? undefined : cursors.openAnalyses(input.cursor, scope)
  const { filter, range, warnings } = await wantedOf(parts, project, input, cursor, signal)
  const rules = await control.groupingRules.list(project.id)

  const question = { project, filter, rules, range, nowUs, limit, after: cursor?.after, signal }
  const page = sort === 'rank' ? await rankedPage(parts, question) : await sortedPage(parts, question, sort)
  const listed = page.ranked.map(({ analysis }) => analysis)
  const [explained, states, notes] = await Promise.all([
    explainAnalyses(parts, listed, { project, rules, nowUs, signal }),
    control.analyses.countByState(project.id, { ...filter, ...ALL_STATES }, nowUs),
    briefNotesOf(parts, project.id, listed),
  ])
  for (const analysis of page.outside) states[stateOf(analysis, nowUs)] -= 1
  const last = page.ranked.at(-1)
  const after: AnalysisPosition | undefined = last && { kind: 'analysis', value: last.value, id: last.analysis.id }
  return {
    window: usedWindow(range),
    analyses: page.ranked.map(itemOf),
    nextCursor: after && page.hasMore ? cursors.seal({ ...frozen(range), after }, scope) : null,
    states,
    warnings: [...warnings, ...page.warnings, ...(explained.isIncomplete ? [{ message: WITHOUT_RECORDS }] : [])],
    empty: last ? null : await why(),
  }

  function itemOf({ analysis, trend, reason }: (typeof page.ranked)[number]) {
    const facts = { explained: explained.of(analysis), rules, nowUs, trend, rankReason: reason }
    return toAnalysisItem(analysis, { ...facts, notes: notes.get(analysis.id) ?? null })
  }

  async function why(): Promise<string> {
    if (cursor) return 'There are no more analyses in this window.'
    return whyNoAnalyses(parts, project.id, { filter, states, nowUs, outside: page.outside.length })
  }
}

type Wanted = { filter: Omit<AnalysisFilter, 'limit' | 'sort'>; range: TimeRange; warnings: Warning[] }

/** What is listed, but for its page. `frozen`: the window of the page before. */
export async function wantedOf(
  parts: ReadingParts,
  project: ProjectWithSettings,
  input: AnalysesInput,
  frozen: TimeRange | undefined,
  signal: AbortSignal | undefined,
): Promise<Wanted> {
  const introducing = await introducingDeploy(parts, project, input, signal)
  const range = frozen ?? (await windowOf(parts, project, input, introducing?.deploy))
  const filter = { ...filterOf(input, range), ...introducing?.filter }
  return { filter, range, warnings: introducing?.warnings ?? [] }
}

function frozen({ fromUs, toUs }: TimeRange): TimeRange {
  return { fromUs, toUs }
}

function scopeOf({ id }: ProjectWithSettings, input: AnalysesInput, sort: string): CursorScope {
  const { environment, service, state, query, introducedBy } = input
  return { projectId: id, question: ['analyses', sort, environment, service, state, query, introducedBy] }
}

function filterOf({ environment, service, state, query }: AnalysesInput, { fromUs, toUs }: TimeRange) {
  const words = query === undefined ? undefined : wordsOf(query)
  return { environment, service, state, words, fromUs, toUs } satisfies Partial<AnalysisFilter>
}

/** Analyses outlive their records, so the window may begin as early as asked for. */
async function windowOf(
  parts: ReadingParts,
  project: ProjectWithSettings,
  input: AnalysesInput,
  deploy: Deploy | undefined,
): Promise<TimeRange> {
  // What a deploy brought may have been quiet since: without a `from` the window begins with the deploy.
  const limits =
    deploy === undefined || input.from !== undefined
      ? {}
      : { defaultFrom: formatRfc3339(Math.max(0, deploy.deployedAtUs - RECORDED_AFTER_US)) }
  const window = windowParts(parts, project)
  return untilNow(await resolveUnlimited(input, window, limits), window.nowUs)
}

type Introducing = { deploy: Deploy; filter: Pick<AnalysisFilter, 'ids'>; warnings: Warning[] }

/** Those that the page of the deploy says began with it. */
async function introducingDeploy(
  parts: ReadingParts,
  project: ProjectWithSettings,
  { introducedBy, environment }: AnalysesInput,
  signal: AbortSignal | undefined,
): Promise<Introducing | undefined> {
  if (introducedBy === undefined) return undefined
  const deploy = await requireDeploy(parts.control, project.id, { id: introducedBy, path: 'introducedBy', environment })
  if (deploy.status !== 'succeeded') {
    const message = `This deploy ${OUTCOME_WORDS[deploy.status]}, so no analysis is correlated with it.`
    return { deploy, filter: { ids: [] }, warnings: [{ message }] }
  }
  const { ids, isCut } = await begunWith(parts, project, deploy, signal)
  return { deploy, filter: { ids }, warnings: isCut ? [{ message: CUT }] : [] }
}
