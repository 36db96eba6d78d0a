import { queryOptions } from '@tanstack/react-query'
import { LOGS_DEFAULT_FROM } from '@tidemark/wire/dashboard/address'
import { projectApiPath } from '@tidemark/wire/dashboard/api-paths'
import type { LogsSearch, ProjectSearch } from '@tidemark/wire/dashboard/search'
import type {
  ChangeViewInput,
  NewViewInput,
  SavedView,
  ViewAnswer,
  ViewSearch,
  ViewsAnswer,
} from '@tidemark/wire/dashboard/view'
import { request } from './request.ts'

const viewsPath = (projectId: string) => `${projectApiPath(projectId)}/views`
const viewPath = (projectId: string, id: string) => `${viewsPath(projectId)}/${encodeURIComponent(id)}`

export const viewsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'views'],
    queryFn: ({ signal }) => request<ViewsAnswer>(viewsPath(projectId), { signal }),
  })

export const saveView = (projectId: string, input: NewViewInput) =>
  request<ViewAnswer>(viewsPath(projectId), { method: 'POST', body: input })
export const changeView = (projectId: string, id: string, input: ChangeViewInput) =>
  request<ViewAnswer>(viewPath(projectId, id), { method: 'PATCH', body: input })
export const deleteView = (projectId: string, id: string) =>
  request<unknown>(viewPath(projectId, id), { method: 'DELETE' })

/** What of the address of the logs page is part of a view. The range is named even where it is the usual one. */
export function viewOfSearch(search: LogsSearch & ProjectSearch): ViewSearch {
  const { record: _, pattern: __, saved: ___, start: ____, ...view } = search
  return Object.fromEntries(
    Object.entries({ ...view, from: view.from ?? LOGS_DEFAULT_FROM })
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** The search of the logs page that shows a view. Environment and range are named, since pages keep them otherwise. */
export function searchOfView({ id, search }: Pick<SavedView, 'id' | 'search'>): LogsSearch & ProjectSearch {
  return { ...search, environment: search.environment, from: search.from, to: search.to, saved: id }
}

/** Whether an address shows what the view holds. */
export function showsView(search: LogsSearch & ProjectSearch, view: Pick<SavedView, 'search'>): boolean {
  return JSON.stringify(viewOfSearch(search)) === JSON.stringify(viewOfSearch(view.search))
}
