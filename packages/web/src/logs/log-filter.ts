/** What a page asks the service for, by what its address says. */
import { LOGS_DEFAULT_FROM } from '@tidemark/wire/dashboard/address'
import type { LogsSearch, ProjectSearch } from '@tidemark/wire/dashboard/search'
import { parseQuery } from '@tidemark/wire/query/parse'
import type { LogFilter } from '../api/paths.ts'

export const filterOf = ({ query, environment, from, to }: LogsSearch & ProjectSearch): LogFilter => ({
  query,
  environment,
  from: from ?? LOGS_DEFAULT_FROM,
  to,
})

/** While the query cannot be read, nothing is asked for. */
export const isReadable = (query: string | undefined): boolean => parseQuery(query ?? '').ok

/** Whether the page begins with a search: it shows the stream, of a query that can be read. */
export const beginsWithSearch = ({ view, query }: LogsSearch): boolean => view === undefined && isReadable(query)
