/** What the page shows as a line for a shell or a call of an agent: the same question, asked elsewhere. */

import type { LogFilter } from '@tidemark/wire/dashboard/api-paths'
import { comparisonOf, isOldestFirst, type LogsQuestion, logsQuestion } from '@tidemark/wire/dashboard/logs-question'
import type { LogsSearch } from '@tidemark/wire/dashboard/search'
import { logsCommand, shellWord } from '@tidemark/wire/shell-commands'

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
    `curl -sS -G ${shellWord(`${origin}${PATHS[tool]}`)}`,
    '-H "Authorization: Bearer $TIDEMARK_READ_KEY"',
    ...Object.entries(asked)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `--data-urlencode ${shellWord(`${name}=${[value].flat().join(',')}`)}`),
  ].join(' \\\n  ')
}

/** Undefined where the command has no such question. */
export function asCommand({ origin, filter, search }: Asked): string | undefined {
  if (search.view === 'groups') return undefined
  const options = search.view === 'patterns' ? patternOptions(filter, search) : recordOptions(filter, search)
  return logsCommand(filter.query, { ...options, url: origin })
}

type CommandOptions = Parameters<typeof logsCommand>[1]

function recordOptions({ from, to, environment }: LogFilter, search: LogsSearch): CommandOptions {
  return { since: from, until: to, environment, ...(isOldestFirst(search) && { oldest: true }) }
}

function patternOptions({ from, to, environment }: LogFilter, { compare }: LogsSearch): CommandOptions {
  const comparison = comparisonOf(compare)
  if (comparison.kind === 'deploy') return { environment, patterns: true, deploy: comparison.deployId }
  const shown = { since: from, until: to, environment, patterns: true } as const
  return { ...shown, ...(comparison.kind !== 'off' && { 'compare-previous': true }) }
}

export function asMcpCall({ filter, search }: Omit<Asked, 'origin'>): string {
  const { tool, asked } = logsQuestion(filter, search)
  return JSON.stringify({ name: tool, arguments: asked }, null, 2)
}
