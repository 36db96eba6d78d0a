/** The paths of the dashboard: what a link is built from, and what a pasted one is read with. */
import {
  type AnalysesSearch,
  analysesSearch,
  type DeploysSearch,
  deploysSearch,
  type LogsSearch,
  logsSearch,
  type ProjectSearch,
  parseSearch,
  projectSearch,
  stringifySearch,
} from './search.ts'

/** Where each page begins when its address does not say. */
export const LOGS_DEFAULT_FROM = '-1h'
/** A day against the day before: the same hours, so that night is compared with night. */
export const OVERVIEW_DEFAULT_FROM = '-24h'
/** Deploys are rarer than records. */
export const DEPLOYS_DEFAULT_FROM = '-30d'
/** What broke since last week is still of interest today. */
export const ANALYSES_DEFAULT_FROM = '-7d'

export type ProjectPage =
  | { name: 'overview'; search: ProjectSearch }
  | { name: 'logs'; search: ProjectSearch & LogsSearch }
  | { name: 'analyses'; search: ProjectSearch & AnalysesSearch }
  | { name: 'analysis'; id: string }
  | { name: 'deploys'; search: ProjectSearch & DeploysSearch }
  | { name: 'deploy'; id: string }
  | { name: 'settings'; section: string | null }

/** `page` is null where the project has no such page. */
type ProjectAddress = { projectId: string; page: ProjectPage | null }

/** The path of a page below a project, or of the project itself. */
export function projectPath(projectId: string, page = ''): string {
  return `/projects/${encodeURIComponent(projectId)}${page === '' ? '' : `/${page}`}`
}

export function analysisPage(id: string): string {
  return `analyses/${encodeURIComponent(id)}`
}

export function deployPage(id: string): string {
  return `deploys/${encodeURIComponent(id)}`
}

/** The pages with a search take from it what they know. */
export function overviewPage(search: ProjectSearch): string {
  return `overview${stringifySearch(projectSearch(search))}`
}

export function logsPage(search: ProjectSearch & LogsSearch): string {
  return `logs${stringifySearch({ ...logsSearch(search), ...projectSearch(search) })}`
}

export function analysesPage(search: ProjectSearch & AnalysesSearch): string {
  return `analyses${stringifySearch({ ...analysesSearch(search), ...projectSearch(search) })}`
}

export function deploysPage(search: ProjectSearch & DeploysSearch): string {
  return `deploys${stringifySearch({ ...deploysSearch(search), ...projectSearch(search) })}`
}

/** Null for a path that is not below a project. `search` is what follows the path, with its `?` or empty. */
export function readAddress(pathname: string, search: string): ProjectAddress | null {
  const [root, projectId, ...rest] = pathname.split('/').filter(Boolean).map(decoded)
  if (root !== 'projects' || projectId === undefined) return null
  return { projectId, page: readPage(rest, parseSearch(search)) }
}

/** Undefined for a page about one thing, or about no time at all. */
export function defaultFromOf(pathname: string): string | undefined {
  const page = readAddress(pathname, '')?.page
  return page ? DEFAULT_FROM.get(page.name) : undefined
}

const DEFAULT_FROM: ReadonlyMap<ProjectPage['name'], string> = new Map([
  ['overview', OVERVIEW_DEFAULT_FROM],
  ['logs', LOGS_DEFAULT_FROM],
  ['analyses', ANALYSES_DEFAULT_FROM],
  ['deploys', DEPLOYS_DEFAULT_FROM],
])

function readPage([name = 'overview', id, ...more]: string[], raw: Record<string, unknown>): ProjectPage | null {
  if (more.length > 0) return null
  const shared = projectSearch(raw)
  switch (name) {
    case 'overview':
      return id === undefined ? { name, search: shared } : null
    case 'logs':
      return id === undefined ? { name, search: { ...shared, ...logsSearch(raw) } } : null
    case 'analyses':
      return id === undefined ? { name, search: { ...shared, ...analysesSearch(raw) } } : { name: 'analysis', id }
    case 'deploys':
      return id === undefined ? { name, search: { ...shared, ...deploysSearch(raw) } } : { name: 'deploy', id }
    case 'settings':
      return { name, section: id ?? null }
    default:
      return null
  }
}

/** Left as it stands where it is not properly encoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
