/**
 * What a page asks the service for before anything else. Its address says so: the service writes these requests into
 * the document, and the browser sends them before the first script runs.
 */
import { parseQuery } from '../query/parse.ts'
import { rangeFault } from '../time/range-fault.ts'
import { LOGS_DEFAULT_FROM, OVERVIEW_DEFAULT_FROM, type ProjectPage, readAddress } from './address.ts'
import {
  analysisPath,
  deployPath,
  type LogFilter,
  overviewPath,
  SESSION_PATH,
  searchPath,
  type TimeFilter,
} from './api-paths.ts'
import type { LogsSearch, ProjectSearch } from './search.ts'

/** `search` is what follows the path, with its `?` or empty. */
export function firstRequests(pathname: string, search: string): string[] {
  const address = readAddress(pathname, search)
  // The home leads to the first project of whoever is here.
  if (!address) return pathname === '/' ? [SESSION_PATH] : []
  const shown = address.page && shownFirst(address.projectId, address.page)
  return shown === null ? [SESSION_PATH] : [SESSION_PATH, shown]
}

/** Null where a page has nothing that is waited for before all else. */
function shownFirst(projectId: string, page: ProjectPage): string | null {
  switch (page.name) {
    case 'overview':
      return overviewPath(projectId, overviewFilter(page.search))
    case 'logs': {
      const { search } = page
      return beginsWithSearch(search) ? searchPath(projectId, logFilter(search), { order: search.order }) : null
    }
    case 'analysis':
      return analysisPath(projectId, page.id)
    case 'deploy':
      return deployPath(projectId, page.id)
    default:
      return null
  }
}

export const overviewFilter = ({ environment, from, to }: ProjectSearch): TimeFilter & { from: string } => ({
  environment,
  from: from ?? OVERVIEW_DEFAULT_FROM,
  to,
})

export const logFilter = ({ query, environment, from, to }: LogsSearch & ProjectSearch): LogFilter => ({
  query,
  environment,
  from: from ?? LOGS_DEFAULT_FROM,
  to,
})

/** While the query cannot be read, nothing is asked for. */
export const isReadable = (query: string | undefined): boolean => parseQuery(query ?? '').ok

/** Whether the page begins with a search: it shows the stream, of a query and a range that can be read. */
export const beginsWithSearch = ({ view, query, from, to }: LogsSearch & ProjectSearch): boolean =>
  view === undefined && isReadable(query) && rangeFault({ from: from ?? LOGS_DEFAULT_FROM, to }) === undefined
