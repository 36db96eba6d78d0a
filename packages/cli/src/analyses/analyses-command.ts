import type { AnalysesAnswer, AnalysisAnswer } from '@tidemark/wire/analyses/analysis'
import { ANALYSIS_STATES } from '@tidemark/wire/analyses/analysis-state'
import { MAX_LIMIT } from '@tidemark/wire/limits'
import type { Command } from 'commander'
import { ask } from '../client/ask.ts'
import { colorsOf } from '../client/colors.ts'
import { type ConnectionOptions, connectionFor, connectionOptions } from '../client/connection.ts'
import { note, print, printJson } from '../output.ts'
import { analysisLines, itemLines } from './format-analysis.ts'

type Options = ConnectionOptions & {
  state?: string
  since?: string
  until?: string
  environment?: string
  service?: string
  limit?: string
  json?: boolean
}

const NOT_READ = 'No analyses were read.'

export function analysesCommand(program: Command): void {
  const command = program
    .command('analyses')
    .argument('[id]', 'one analysis (ana_…) with everything known about it')
    .description('show groups of similar errors, each with the deploy that was live when it began')
    .option('--state <state>', `one of ${ANALYSIS_STATES.join(', ')}`)
    .option('--since <time>', 'seen since: 24h, 7d, 2026-01-31T12:00:00Z, deploy:latest (default: 24h)')
    .option('--until <time>', 'seen before (default: now)')
    .option('--environment <name>', 'only this environment')
    .option('--service <name>', 'only this service')
    .option('--limit <count>', `how many, at most ${MAX_LIMIT}`)
    .option('--json', 'print the answer as JSON')
  connectionOptions(command, 'read').action((id: string | undefined, options: Options) =>
    id === undefined ? list(options) : show(id, options),
  )
}

async function list({ json, ...options }: Options): Promise<void> {
  const { state, since: from, until: to, environment, service, limit } = options
  const answer = await ask<AnalysesAnswer>(connectionFor('read', options, NOT_READ), '/api/analyses', {
    ...{ state, from, to, environment, service, limit },
  })
  if (json) return printJson(answer)
  for (const analysis of answer.analyses) for (const line of itemLines(analysis, colorsOf())) print(line)
  if (answer.analyses.length === 0) note(answer.empty ?? 'No analysis in this window.')
  if (answer.nextCursor !== null) note('there are more: raise --limit or narrow the window')
}

async function show(id: string, { json, ...options }: Options): Promise<void> {
  const answer = await ask<AnalysisAnswer>(
    connectionFor('read', options, NOT_READ),
    `/api/analyses/${encodeURIComponent(id)}`,
    {},
  )
  if (json) return printJson(answer)
  for (const line of analysisLines(answer.analysis, colorsOf())) print(line)
  if (answer.url) print(answer.url)
}
