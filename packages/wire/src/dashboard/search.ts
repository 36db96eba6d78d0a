/** What the addresses of the dashboard hold after the `?`. Values are plain texts, so that an address can be read and typed. */
export type ProjectSearch = {
  environment?: string | undefined
  from?: string | undefined
  to?: string | undefined
  /** The Start dialog. */
  start?: 'open' | undefined
}

export type LogsSearch = {
  query?: string | undefined
  columns?: string | undefined
  /** The id of the record in the panel. */
  record?: string | undefined
  live?: 'on' | undefined
  /** Without it, the stream. `trace` is of the trace that the query asks for. */
  view?: 'patterns' | 'groups' | 'trace' | undefined
  /** What patterns are compared with: `off`, or a deploy. Without it, the time before. */
  compare?: string | undefined
  /** The order of the patterns or groups. */
  sort?: string | undefined
  /** The field that records are grouped by, what is measured of each group, of which field, and how it is drawn over time. */
  group?: string | undefined
  measure?: string | undefined
  of?: string | undefined
  chart?: 'lines' | undefined
  /** Which bars the histogram has: only errors, in their own scale; and whether the time before is drawn behind them. */
  bars?: 'errors' | undefined
  before?: 'on' | undefined
  /** Of the stream; without it, the newest first. */
  order?: 'oldest' | undefined
  /** The id of the pattern in the panel. */
  pattern?: string | undefined
  /** The id of the saved view that is open, whatever was changed since. */
  saved?: string | undefined
}

export type AnalysesSearch = {
  /** One of the states; without it, whatever is open. */
  state?: string | undefined
  query?: string | undefined
  service?: string | undefined
  sort?: string | undefined
  /** A deploy: what began while it ran, or because of it. */
  introducedBy?: string | undefined
}

/** What the chart of one analysis shows; without it, the current episode. */
export const CHART_RANGES = ['start', '24h', '7d', 'all'] as const
export type ChartRange = (typeof CHART_RANGES)[number]
type AnalysisSearch = {
  chart?: ChartRange | undefined
  /** The id of the record in the panel. */
  record?: string | undefined
}

export type DeploysSearch = { status?: string | undefined }

export type SettingsSearch = {
  /** Of the calls over MCP: with which key, of what, and only those that failed. */
  key?: string | undefined
  call?: string | undefined
  errors?: 'only' | undefined
}

export const LOGS_VIEWS = ['patterns', 'groups', 'trace'] as const

type Raw = Record<string, unknown>

export const projectSearch = (raw: Raw): ProjectSearch =>
  pick({ ...texts(raw, ['environment', 'from', 'to']), start: raw.start === 'open' ? 'open' : undefined })
export const logsSearch = (raw: Raw): LogsSearch =>
  pick({
    ...texts(raw, ['query', 'columns', 'record', 'compare', 'sort', 'pattern', 'group', 'measure', 'of', 'saved']),
    live: raw.live === 'on' ? 'on' : undefined,
    view: LOGS_VIEWS.find((view) => view === raw.view),
    chart: raw.chart === 'lines' ? 'lines' : undefined,
    bars: raw.bars === 'errors' ? 'errors' : undefined,
    before: raw.before === 'on' ? 'on' : undefined,
    order: raw.order === 'oldest' ? 'oldest' : undefined,
  })
export const analysesSearch = (raw: Raw): AnalysesSearch =>
  pick(texts(raw, ['state', 'query', 'service', 'sort', 'introducedBy']))
export const analysisSearch = (raw: Raw): AnalysisSearch =>
  pick({ ...texts(raw, ['record']), chart: CHART_RANGES.find((range) => range === raw.chart) })
export const deploysSearch = (raw: Raw): DeploysSearch => pick(texts(raw, ['status']))

export const settingsSearch = (raw: Raw): SettingsSearch =>
  pick({ ...texts(raw, ['key', 'call']), errors: raw.errors === 'only' ? 'only' : undefined })

export function parseSearch(text: string): Raw {
  return Object.fromEntries(new URLSearchParams(text))
}

export function stringifySearch(search: Raw): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' && value !== '') parameters.set(name, value)
  }
  return parameters.size === 0 ? '' : `?${parameters}`
}

function texts<Name extends string>(raw: Raw, names: readonly Name[]): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const value = raw[name]
    if (typeof value === 'string' && value !== '') found[name] = value
  }
  return found
}

function pick<Search extends object>(search: Search): Search {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Search
}
