import { queryOptions } from '@tanstack/react-query'
import type { AnalysesAnswer } from '@tidemark/wire/analysis'
import { counted } from '@tidemark/wire/counted'
import { analysesKey } from '../api/analyses.ts'
import { projectPath } from '../api/projects.ts'
import { request, withParameters } from '../api/request.ts'

/** With more open analyses than this, the oldest are not counted, and the counts say so. */
const MAX_COUNTED = 200

type Window = { environment: string | undefined; from: string }

export type Introduced = { byDeploy: ReadonlyMap<string, number>; isPartial: boolean }

/**
 * How many open analyses began while each deploy ran. The window has no end: what a deploy brought may have come after
 * the selected range.
 */
export const introducedQuery = (projectId: string, window: Window) =>
  queryOptions({
    queryKey: [...analysesKey(projectId), 'introduced', window],
    queryFn: ({ signal }) =>
      request<AnalysesAnswer>(
        withParameters(`${projectPath(projectId)}/analyses`, { ...window, sort: 'firstSeen', limit: MAX_COUNTED }),
        { signal },
      ),
    select: countByDeploy,
    staleTime: 30_000,
  })

export function countByDeploy({ analyses, nextCursor }: Pick<AnalysesAnswer, 'analyses' | 'nextCursor'>): Introduced {
  const byDeploy = new Map<string, number>()
  for (const { correlatedDeploy } of analyses) {
    const id = correlatedDeploy?.deployId
    if (id) byDeploy.set(id, (byDeploy.get(id) ?? 0) + 1)
  }
  return { byDeploy, isPartial: nextCursor !== null }
}

/** `2 new analyses`; undefined where there is none. */
export function introducedWords(introduced: Introduced | undefined, deployId: string): string | undefined {
  const count = introduced?.byDeploy.get(deployId)
  if (!introduced || !count) return undefined
  if (introduced.isPartial) return `${count}+ new analyses`
  return counted(count, 'new analysis', 'new analyses')
}
