import { queryOptions } from '@tanstack/react-query'
import { overviewPath, type TimeFilter } from '@tidemark/wire/dashboard/api-paths'
import type { OverviewAnswer } from '@tidemark/wire/reading/overview'
import { analysesKey } from './analyses.ts'
import { keepOfProject, request } from './request.ts'

/** On a wall nobody presses a button. A page that is not looked at does not ask. */
const REFRESH_MS = 60_000

export const overviewQuery = (projectId: string, window: TimeFilter) =>
  queryOptions({
    // With the analyses: one that is resolved is gone from here too.
    queryKey: [...analysesKey(projectId), 'overview', window],
    queryFn: ({ signal }) => request<OverviewAnswer>(overviewPath(projectId, window), { signal }),
    placeholderData: keepOfProject(projectId),
    // An end in the address stays where it is.
    refetchInterval: window.to === undefined ? REFRESH_MS : false,
    refetchOnWindowFocus: window.to === undefined,
    staleTime: REFRESH_MS / 2,
  })
