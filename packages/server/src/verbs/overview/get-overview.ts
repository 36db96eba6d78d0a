/** What is wrong now: levels and services against the time before, analyses that need a look, deploys, silence. */
import type { AnalysisItem } from '@tidemark/wire/analyses/analysis'
import type { OVERVIEW_LISTS } from '@tidemark/wire/analyses/analysis-state'
import { inBrief } from '@tidemark/wire/analyses/cause'
import { environmentOf } from '@tidemark/wire/query/environment-of'
import type { ListedDeploy } from '@tidemark/wire/reading/deploys'
import type { OverviewAnalysis, OverviewAnswer, OverviewInput } from '@tidemark/wire/reading/overview'
import type { Caller } from '../../model/caller.ts'
import type { ProjectId } from '../../model/project.ts'
import type { TimeRange } from '../../model/time-range.ts'
import { requireReader } from '../access.ts'
import { listAnalyses } from '../analyses/list-analyses.ts'
import { listDeploys } from '../deploys/list-deploys.ts'
import { comparisonWarnings } from '../reading/comparison-warnings.ts'
import { logFilter } from '../reading/log-filter.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { whyEmpty } from '../reading/why-empty.ts'
import { rangeBefore, resolveWindow, untilNow, usedWindow, windowParts } from '../reading/window.ts'
import { askedOnce } from './asked-once.ts'
import { hasSpiked, isInWindow } from './has-spiked.ts'
import { logVolumeOf } from './log-volume.ts'
import { silentServices } from './silent-services.ts'

/** How many analyses are looked at. They come ranked, so the new, returning and growing ones are among them. */
export const ANALYSES_LOOKED_AT = 40
/** How many deploys of the window are judged, the newest ones. Where it has more, a warning says so. */
const MAX_JUDGED = 50
/** How many deploys are shown, with older ones where the window has fewer; those of the window that did harm always are. */
const SHOWN_DEPLOYS = 5

export async function getOverview(
  given: ReadingParts,
  caller: Caller,
  input: OverviewInput,
  signal?: AbortSignal,
): Promise<OverviewAnswer> {
  const project = requireReader(caller)
  const parts = atOneMoment(given, project.id)
  const { environment } = input
  const nowUs = parts.now() * 1_000
  const { warnings, ...asked } = await resolveWindow(input, windowParts(parts, project))
  const range = untilNow(asked, nowUs)
  const base = rangeBefore(range)
  const { query: filter } = logFilter({ environment })
  const logs = parts.logStore.project(project.id)
  const untilUs = Math.min(range.toUs, nowUs)
  const [volume, analyses, deploys, silent] = await Promise.all([
    logVolumeOf(logs, { range, base, filter, signal }),
    listAnalyses(parts, caller, { ...usedWindow(range), environment, limit: ANALYSES_LOOKED_AT }, signal),
    judgedDeploys(parts, caller, { environment, range }, signal),
    silentServices(logs, { environment, untilUs, signal }),
  ])
  const window = usedWindow(range)
  const lists = analyses.analyses.map((item) => [listOf(item, window, range.toUs < nowUs), briefOf(item)] as const)
  const listed = (wanted: OverviewList) => lists.flatMap(([list, item]) => (list === wanted ? [item] : []))
  return {
    window,
    baseWindow: usedWindow(base),
    environment: environment ?? null,
    ...volume,
    states: analyses.states,
    newAnalyses: listed('newAnalyses'),
    regressedAnalyses: listed('regressedAnalyses'),
    spikingAnalyses: listed('spikingAnalyses'),
    deployVerdicts: verdictsOf(deploys.inWindow),
    deploys: deploys.shown.map(({ windows: _, ...deploy }) => deploy),
    silentServices: silent,
    warnings: [
      ...warnings,
      ...comparisonWarnings(project, { range, base, environment: environment ?? null }, parts.now()),
      ...volume.warnings,
      ...analyses.warnings,
      ...deploys.warnings,
    ],
    empty:
      volume.records > 0
        ? null
        : await whyEmpty(logs, {
            range,
            query: filter,
            environments: environmentOf(filter),
            publicUrl: parts.publicUrl,
            signal,
          }),
  }
}

/** All that an overview is put together from is of the same moment; what two of its parts ask is then the same question. */
function atOneMoment({ logStore, ...parts }: ReadingParts, own: ProjectId): ReadingParts {
  const nowMs = parts.now()
  const logs = askedOnce(logStore.project(own))
  return { ...parts, now: () => nowMs, logStore: { project: (id) => (id === own ? logs : logStore.project(id)) } }
}

/** In one question, for judging is what costs: of the window where it has enough of them, else of the latest. */
async function judgedDeploys(
  parts: ReadingParts,
  caller: Caller,
  { environment, range }: { environment: string | undefined; range: TimeRange },
  signal: AbortSignal | undefined,
) {
  const { id } = requireReader(caller)
  const { fromUs, toUs } = range
  const newest = await parts.control.deploys.list(id, { environment, fromUs, toUs, limit: SHOWN_DEPLOYS })
  const hasEnough = newest.length === SHOWN_DEPLOYS
  const { from, to } = usedWindow(range)
  const asked = hasEnough ? { from, to, limit: MAX_JUDGED } : { to, limit: SHOWN_DEPLOYS }
  const { deploys, warnings, nextCursor } = await listDeploys(parts, caller, { environment, ...asked }, signal)
  const inWindow = hasEnough ? deploys : deploys.filter((deploy) => newest.some(({ id }) => id === deploy.id))
  const shown = deploys.filter(
    ({ verdict }, index) => index < SHOWN_DEPLOYS || verdict === 'bad' || verdict === 'suspect',
  )
  const message = `This time has more than ${MAX_JUDGED} deploys: their verdicts are counted for the newest ${MAX_JUDGED}.`
  const hasMore = hasEnough && nextCursor !== null
  return { inWindow, shown, warnings: hasMore ? [...warnings, { message }] : warnings }
}

function verdictsOf(deploys: readonly ListedDeploy[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { verdict } of deploys) if (verdict !== null) counts[verdict] = (counts[verdict] ?? 0) + 1
  return counts
}

type OverviewList = (typeof OVERVIEW_LISTS)[number]

/**
 * States are of now. For a window in the past they would name what came back later, and omit what was new then, so there the
 * times decide.
 */
function listOf(item: AnalysisItem, window: OverviewAnswer['window'], isPast: boolean): OverviewList | null {
  const { state, firstSeen, anchor } = item
  const isComeback = anchor > firstSeen
  if (isPast ? isInWindow(firstSeen, window) : state === 'new') return 'newAnalyses'
  if (isPast ? isComeback && isInWindow(anchor, window) : state === 'regressed') return 'regressedAnalyses'
  return hasSpiked(item, window) ? 'spikingAnalyses' : null
}

function briefOf(item: AnalysisItem): OverviewAnalysis {
  const { id, title, state, activity, environment, service, level, count, firstSeen, lastSeen, anchor, onset } = item
  return {
    ...{ id, title, state, activity, environment, service, level, count, firstSeen, lastSeen, anchor, onset },
    trend: item.trend,
    rankReason: item.rankReason,
    likelyCause: inBrief(item.likelyCause),
  }
}
