/** Everything the logs page shows is in the address; this reads it and changes it. */

import { getRouteApi } from '@tanstack/react-router'
import { LOGS_DEFAULT_FROM } from '@tidemark/wire/dashboard/address'
import type { LogFilter } from '@tidemark/wire/dashboard/api-paths'
import { isReadable, logFilter } from '@tidemark/wire/dashboard/first-requests'
import type { LogsSearch, ProjectSearch } from '@tidemark/wire/dashboard/search'
import { addTerm } from '@tidemark/wire/query/edit'
import { fieldNamed, nameOfField } from '@tidemark/wire/query/fields'
import { rangeFault as faultOf, type RangeFault } from '@tidemark/wire/time/range-fault'
import { useMemo } from 'react'
import type { RecordAddress } from '../record/value-menu.tsx'

const route = getRouteApi('/signed-in/projects/$projectId/logs')

export type LogsAddress = RecordAddress & {
  search: LogsSearch & ProjectSearch
  filter: LogFilter
  /** False while the query or the range is wrong: the page says why, and nothing is asked for. */
  isReadable: boolean
  rangeFault: RangeFault | undefined
  columns: readonly string[]
  /** Records arrive in the stream; patterns are counted once. */
  isLive: boolean
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
