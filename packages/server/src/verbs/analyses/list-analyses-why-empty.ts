/** Why no analysis is listed, and where there are some: the first of these that is true. */
import { withCommas } from '@tidemark/wire/text/counted'
import type { AnalysisFilter } from '../../control/analyses/filter.ts'
import type { AnalysisState } from '../../model/analysis.ts'
import type { ProjectId } from '../../model/project.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { wrongEnvironmentText } from '../reading/why-empty.ts'

const MAX_LOOKED_AT = 1_000

type Emptiness = {
  filter: Omit<AnalysisFilter, 'limit' | 'sort'>
  states: Record<AnalysisState, number>
  nowUs: number
  /** Analyses that go on before and after the window. */
  outside: number
}

export async function whyNoAnalyses(
  { control, publicUrl }: ReadingParts,
  projectId: ProjectId,
  { filter, states, nowUs, outside }: Emptiness,
): Promise<string> {
  const others = Object.entries(states).filter(([, count]) => count > 0)
  if (others.length > 0) {
    const named = others.map(([state, count]) => `${withCommas(count)} ${state}`).join(', ')
    return `No analysis here is ${filter.state ?? 'open'}. Others are: ${named}. Choose another state.`
  }
  if (outside > 0) return 'No analysis has an error in this window, only before and after it: widen the window.'
  const everywhere = { sort: 'lastSeen', limit: MAX_LOOKED_AT } as const
  const all = await control.analyses.list(projectId, everywhere, nowUs)
  const [newest] = all
  if (newest === undefined) {
    return `No error was analysed yet. Records of level error or fatal, or with an error, become analyses within seconds; send some to ${publicUrl}/v1/logs.`
  }
  if (filter.ids !== undefined) return 'No analysis that matches began with this deploy.'
  const environments = [...new Set(all.map(({ environment }) => environment))]
  const { environment } = filter
  if (environment !== undefined && !environments.includes(environment))
    return wrongEnvironmentText('is no analysis', [environment], environments)
  const inWindow = await control.analyses.list(
    projectId,
    { ...everywhere, fromUs: filter.fromUs, toUs: filter.toUs, limit: 1 },
    nowUs,
  )
  if (inWindow.length === 0) {
    return `No analysis was seen in this window. The last error of one is from ${formatRfc3339(newest.lastSeenUs)}: move the window there.`
  }
  return 'Analyses were seen in this window, but none matches: remove a filter or a word.'
}
