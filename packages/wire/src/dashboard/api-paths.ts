/** Paths of the service that the dashboard asks, and their parameters. */

export const SESSION_PATH = '/api/session'

export const projectApiPath = (projectId: string) => `/api/projects/${encodeURIComponent(projectId)}`

export const overviewPath = (projectId: string, asked: TimeFilter) =>
  withParameters(`${projectApiPath(projectId)}/overview`, asked)

export const analysesPath = (projectId: string) => `${projectApiPath(projectId)}/analyses`

export const analysisPath = (projectId: string, id: string) => `${analysesPath(projectId)}/${encodeURIComponent(id)}`

export const deploysPath = (projectId: string) => `${projectApiPath(projectId)}/deploys`

export const deployPath = (projectId: string, id: string) => `${deploysPath(projectId)}/${encodeURIComponent(id)}`

export const logsPath = (projectId: string) => `${projectApiPath(projectId)}/logs`

/** What is asked for, as it is in the address. */
export type TimeFilter = { environment: string | undefined; from: string | undefined; to: string | undefined }
export type LogFilter = TimeFilter & { query: string | undefined }

export type Paging = { order?: 'oldest' | undefined; limit?: number }

export const PAGE_ROWS = 200

export const searchPath = (
  projectId: string,
  filter: LogFilter,
  { order, limit = PAGE_ROWS }: Paging,
  cursor?: string,
) => withParameters(logsPath(projectId), { ...filter, order, limit, cursor })

/** Parameters that are undefined or empty are left out; lists are joined with commas. */
export function withParameters(
  path: string,
  parameters: Record<string, string | number | string[] | undefined>,
): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '')
    if (text !== '') search.set(name, text)
  }
  return search.size === 0 ? path : `${path}?${search}`
}
