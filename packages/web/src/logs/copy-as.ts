/** What the page shows as a line for a shell or a call of an agent: the same question, asked elsewhere. */

import type { LogFilter } from '@tidemark/wire/dashboard/api-paths'
import type { LogsSearch } from '@tidemark/wire/dashboard/search'
import { BUCKETS, groupingOf } from './groups/grouping.ts'

type Asked = { origin: string; filter: LogFilter; search: LogsSearch }
type Arguments = Record<string, string | string[]>

export function asCurl({ origin, ...asked }: Asked): string {
  const { path, parameters } = questionOf(asked)
  return [
    `curl -sS -G ${quoted(`${origin}${path}`)}`,
    '-H "Authorization: Bearer $TIDEMARK_READ_KEY"',
    ...Object.entries(parameters).map(
      ([name, value]) => `--data-urlencode ${quoted(`${name}=${[value].flat().join(',')}`)}`,
    ),
  ].join(' \\\n  ')
}

/** Undefined where the command has no such question. */
export function asCommand({ origin, filter, search }: Asked): string | undefined {
  if (search.view === 'groups') return undefined
  const { query, environment, from, to } = filter
  return [
    'tidemark logs',
    ...(query === undefined || isLikeOption(query) ? [] : [quoted(query)]),
    ...(from === undefined ? [] : [`--since=${quoted(from)}`]),
    ...(to === undefined ? [] : [`--until=${quoted(to)}`]),
    ...(environment === undefined ? [] : [`--environment=${quoted(environment)}`]),
    ...(search.view === 'patterns' ? ['--patterns'] : []),
    ...(isOldestFirst(search) ? ['--oldest'] : []),
    `--url=${quoted(origin)}`,
    ...(query !== undefined && isLikeOption(query) ? ['--', quoted(query)] : []),
  ].join(' ')
}

/** An exclusion at the beginning would be taken for an option. */
function isLikeOption(query: string): boolean {
  return query.startsWith('-')
}

export function asMcpCall(asked: Omit<Asked, 'origin'>): string {
  const { tool, parameters } = questionOf(asked)
  return JSON.stringify({ name: tool, arguments: parameters }, null, 2)
}

function questionOf({ filter, search }: Omit<Asked, 'origin'>): { path: string; tool: string; parameters: Arguments } {
  const filters = given({ ...filter })
  if (search.view === 'patterns') return { path: '/api/logs/patterns', tool: 'list_log_patterns', parameters: filters }
  if (search.view === 'groups') {
    const { field, measure, of } = groupingOf(search)
    const measured = measure === 'count' || of === '' ? {} : { measure, of }
    return {
      path: '/api/logs/count',
      tool: 'count_logs',
      parameters: { ...filters, groupBy: [field], bucket: BUCKETS, ...measured },
    }
  }
  const order = isOldestFirst(search) ? 'oldest' : undefined
  return { path: '/api/logs', tool: 'list_logs', parameters: given({ ...filters, order }) }
}

function isOldestFirst({ view, order }: LogsSearch): boolean {
  return view === 'trace' || order === 'oldest'
}

function given(parameters: Record<string, string | string[] | undefined>): Arguments {
  return Object.fromEntries(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/** Quoted for a shell, whatever it contains. */
function quoted(text: string): string {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
