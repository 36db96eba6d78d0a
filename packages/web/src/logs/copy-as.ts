/** What the page shows as a line for a shell or a call of an agent: the same question, asked elsewhere. */

import type { LogFilter } from '@tidemark/wire/dashboard/api-paths'
import { comparisonOf, isOldestFirst, type LogsQuestion, logsQuestion } from '@tidemark/wire/dashboard/logs-question'
import type { LogsSearch } from '@tidemark/wire/dashboard/search'

type Asked = { origin: string; filter: LogFilter; search: LogsSearch }

/** Where programs ask what agents ask a tool. */
const PATHS: Record<LogsQuestion['tool'], string> = {
  list_logs: '/api/logs',
  list_log_patterns: '/api/logs/patterns',
  count_logs: '/api/logs/count',
}

export function asCurl({ origin, filter, search }: Asked): string {
  const { tool, asked } = logsQuestion(filter, search)
  return [
    `curl -sS -G ${quoted(`${origin}${PATHS[tool]}`)}`,
    '-H "Authorization: Bearer $TIDEMARK_READ_KEY"',
    ...Object.entries(asked)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `--data-urlencode ${quoted(`${name}=${[value].flat().join(',')}`)}`),
  ].join(' \\\n  ')
}

/** Undefined where the command has no such question. */
export function asCommand({ origin, filter, search }: Asked): string | undefined {
  if (search.view === 'groups') return undefined
  const { query } = filter
  return [
    'tidemark logs',
    ...(query === undefined || isLikeOption(query) ? [] : [quoted(query)]),
    ...(search.view === 'patterns' ? patternOptions(filter, search) : recordOptions(filter, search)),
    `--url=${quoted(origin)}`,
    ...(query !== undefined && isLikeOption(query) ? ['--', quoted(query)] : []),
  ].join(' ')
}

function recordOptions(filter: LogFilter, search: LogsSearch): string[] {
  return [...timeOptions(filter), ...environmentOption(filter), ...(isOldestFirst(search) ? ['--oldest'] : [])]
}

function patternOptions(filter: LogFilter, { compare }: LogsSearch): string[] {
  const comparison = comparisonOf(compare)
  const shown = [...environmentOption(filter), '--patterns']
  if (comparison.kind === 'deploy') return [...shown, `--deploy=${quoted(comparison.deployId)}`]
  return [...timeOptions(filter), ...shown, ...(comparison.kind === 'off' ? [] : ['--compare-previous'])]
}

function timeOptions({ from, to }: LogFilter): string[] {
  return [
    ...(from === undefined ? [] : [`--since=${quoted(from)}`]),
    ...(to === undefined ? [] : [`--until=${quoted(to)}`]),
  ]
}

function environmentOption({ environment }: LogFilter): string[] {
  return environment === undefined ? [] : [`--environment=${quoted(environment)}`]
}

/** An exclusion at the beginning would be taken for an option. */
function isLikeOption(query: string): boolean {
  return query.startsWith('-')
}

export function asMcpCall({ filter, search }: Omit<Asked, 'origin'>): string {
  const { tool, asked } = logsQuestion(filter, search)
  return JSON.stringify({ name: tool, arguments: asked }, null, 2)
}

/** Quoted for a shell, whatever it contains. */
function quoted(text: string): string {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
