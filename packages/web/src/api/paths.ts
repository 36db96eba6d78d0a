/** Paths of the service. Apart from the questions, because the first are asked before React Query has come. */
import { withParameters } from './request.ts'

export const SESSION_PATH = '/api/session'

export const projectApiPath = (projectId: string) => `/api/projects/${encodeURIComponent(projectId)}`

export const logsPath = (projectId: string) => `${projectApiPath(projectId)}/logs`

/** What is asked for, as it is in the address. */
export type LogFilter = {
  query: string | undefined
  environment: string | undefined
  from: string | undefined
  to: string | undefined
}

export type Paging = { order?: 'oldest' | undefined; limit?: number }

export const PAGE_ROWS = 200

export const searchPath = (
  projectId: string,
  filter: LogFilter,
  { order, limit = PAGE_ROWS }: Paging,
  cursor?: string,
) => withParameters(logsPath(projectId), { ...filter, order, limit, cursor })
