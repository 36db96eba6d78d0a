/** The search of a page that is opened by its address: asked for while the files of that page are still coming. */
import type { QueryClient } from '@tanstack/react-query'
import { beginsWithSearch, logFilter } from '@tidemark/wire/dashboard/first-requests'
import type { LogsSearch, ProjectSearch } from '@tidemark/wire/dashboard/search'
import { searchQuery } from '../api/logs.ts'
import { AHEAD_FRESH_MS } from '../api/request.ts'

let asked: number | undefined

export function searchAhead(
  queryClient: QueryClient,
  projectId: string,
  search: LogsSearch & ProjectSearch,
  now = Date.now(),
): Promise<void> {
  if (!beginsWithSearch(search)) return Promise.resolve()
  asked = now
  return queryClient.prefetchInfiniteQuery(searchQuery(projectId, logFilter(search), now, { order: search.order }))
}

/** When the first search of a page was asked for. Once: a page that is opened again asks again. */
export function takeAsked(now = Date.now()): number {
  const taken = asked !== undefined && now - asked <= AHEAD_FRESH_MS ? asked : now
  asked = undefined
  return taken
}
