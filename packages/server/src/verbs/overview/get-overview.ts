/** What is wrong now: levels and services against the time before, analyses that need a look, deploys, silence. */
import type { AnalysisItem } from '@tidemark/wire/analyses/analysis'
import { inBrief } from '@tidemark/wire/analyses/cause'
import { environmentOf } from '@tidemark/wire/query/environment-of'
import type { OverviewAnalysis, OverviewAnswer, OverviewInput } from '@tidemark/wire/reading/overview'
import type { ListedDeploy } from '@tidemark/wire/reading/reading'
import { isRising } from '../../analysis/rank/rank.ts'
import type { Caller } from '../../model/caller.ts'
import type { TimeRange } from '../../model/time-range.ts'
import { requireReader } from '../access.ts'
import { listAnalyses } from '../analyses/list-analyses.ts'
import { listDeploys } from '../deploys/list-deploys.ts'
import { logFilter } from '../reading/log-filter.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { whyEmpty } from '../reading/why-empty.ts'
import { rangeBefore, resolveWindow, usedWindow, windowParts } from '../reading/window.ts'
import { loudnessOf } from './loudness.ts'
import { silentServices } from './silent-services.ts'

/** They are ranked, so those that are new, back or grown are among them. */
const LOOKED_AT = 40
/** Of the window: every one of them counts. */
const MAX_JUDGED = 50
/** Are shown, also older ones where the window has fewer. */
const SHOWN_DEPLOYS = 5

export async function getOverview(
  parts: ReadingParts,
  caller: Caller,
  input: OverviewInput,
  signal?: AbortSignal,
): Promise<OverviewAnswer> {
  const project = requireReader(caller)
  const { environment } = input
  const { warnings, ...range } = await resolveWindow(input, windowParts(parts, project))
  const base = rangeBefore(range)
  const { query: filter } = logFilter({ environment })
  const logs = parts.logStore.project(project.id)
  const untilUs = Math.min(range.toUs, parts.now() * 1_000)
  const [loudness, analyses, deploys, silent] = await Promise.all([
    loudnessOf(logs, { range, base, filter, signal }),
    listAnalyses(parts, caller, { ...usedWindow(range), environment, limit: LOOKED_AT }, signal),
    judgedDeploys(parts, caller, { environment, window: usedWindow(range) }, signal),
    silentServices(logs, { environment, untilUs, signal }),
  ])
  const listed = (isWanted: (item: AnalysisItem) => boolean) => analyses.analyses.filter(isWanted).map(briefOf)
  return {
    window: usedWindow(range),
    baseWindow: usedWindow(base),
    environment: environment ?? null,
    ...loudness,
    states: analyses.states,
    newAnalyses: listed(({ state }) => state === 'new'),
    regressedAnalyses: listed(({ state }) => state === 'regressed'),
    spikingAnalyses: listed((item) => item.state === 'ongoing' && (isRising(item.trend) || grewIn(range, item))),
    deployVerdicts: verdictsOf(deploys.inWindow),
    deploys: deploys.latest.map(({ windows: _, ...deploy }) => deploy),
    silentServices: silent,
    warnings: [...warnings, ...loudness.warnings, ...analyses.warnings, ...deploys.warnings],
    empty:
      loudness.records > 0
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

async function judgedDeploys(
  parts: ReadingParts,
  caller: Caller,
  { environment, window }: { environment: string | undefined; window: { from: string; to: string } },
  signal: AbortSignal | undefined,
) {
  const inWindow = await listDeploys(parts, caller, { environment, ...window, limit: MAX_JUDGED }, signal)
  const isEnough = inWindow.deploys.length >= SHOWN_DEPLOYS
  const older = { environment, to: window.to, limit: SHOWN_DEPLOYS }
  const latest = isEnough ? inWindow : await listDeploys(parts, caller, older, signal)
  return { inWindow: inWindow.deploys, latest: latest.deploys.slice(0, SHOWN_DEPLOYS), warnings: latest.warnings }
}

function verdictsOf(deploys: readonly ListedDeploy[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { verdict } of deploys) if (verdict !== null) counts[verdict] = (counts[verdict] ?? 0) + 1
  return counts
}

function grewIn({ fromUs }: TimeRange, { onset, anchor }: AnalysisItem): boolean {
  const onsetMs = Date.parse(onset)
  return onsetMs > Date.parse(anchor) && onsetMs * 1_000 >= fromUs
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
