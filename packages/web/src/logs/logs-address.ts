/** Everything the logs page shows is in the address; this reads it and changes it. */

import { getRouteApi } from '@tanstack/react-router'
import { LOGS_DEFAULT_FROM, logsPage, projectPath } from '@tidemark/wire/dashboard/address'
import type { LogFilter } from '@tidemark/wire/dashboard/api-paths'
import { isReadable, logFilter } from '@tidemark/wire/dashboard/first-requests'
import { around, recordSearch, traceSearch } from '@tidemark/wire/dashboard/records-page'
import type { LogsSearch, ProjectSearch } from '@tidemark/wire/dashboard/search'
import { addTerm, type TermEdit } from '@tidemark/wire/query/edit'
import { fieldNamed, nameOfField } from '@tidemark/wire/query/fields'
import { rangeFault as faultOf, type RangeFault } from '@tidemark/wire/time/range-fault'
import { useMemo } from 'react'

const route = getRouteApi('/signed-in/projects/$projectId/logs')

export type LogsAddress = {
  projectId: string
  search: LogsSearch & ProjectSearch
  filter: LogFilter
  /** False while the query or the range is wrong: the page says why, and nothing is asked for. */
  isReadable: boolean
  rangeFault: RangeFault | undefined
  columns: readonly string[]
  /** Records arrive in the stream; patterns are counted once. */
  isLive: boolean
  change: (change: Partial<LogsSearch & ProjectSearch>, options?: { replace?: boolean }) => void
  /** Includes or excludes a value; a second time removes it again. */
  edit: (edit: TermEdit) => void
}

export function useLogsAddress(): LogsAddress {
  const { projectId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { query, environment, from, to, columns } = search
  const columnNames = useMemo(() => (columns?.split(',') ?? []).map((name) => nameOfField(fieldNamed(name))), [columns])
  const rangeFault = useMemo(() => faultOf({ from: from ?? LOGS_DEFAULT_FROM, to }), [from, to])
  return useMemo(() => {
    const change: LogsAddress['change'] = (changes, { replace = false } = {}) => {
      navigate({ to: '.', search: (before) => ({ ...before, ...changes }), replace })
    }
    return {
      projectId,
      search,
      filter: logFilter({ query, environment, from, to }),
      isReadable: isReadable(query) && rangeFault === undefined,
      rangeFault,
      columns: columnNames,
      isLive: search.live === 'on' && search.view === undefined && search.order === undefined,
      change,
      edit: (edit) => change({ query: addTerm(query ?? '', edit) || undefined }),
    }
  }, [projectId, search, navigate, query, environment, from, to, columnNames, rangeFault])
}

/** The trace of a record, whatever else was asked for. */
export function traceOfRecord({ traceId, timestamp }: { traceId: string; timestamp: string }) {
  return traceSearch(traceId, around(timestamp))
}

export function recordLink(projectId: string, record: { id: string; timestamp: string }): string {
  return `${location.origin}${projectPath(projectId, logsPage(recordSearch(record)))}`
}
