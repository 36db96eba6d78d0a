import type { AnalysesAnswer, AnalysisAnswer } from '@tidemark/wire/analyses/analysis'
import { ANALYSIS_STATES } from '@tidemark/wire/analyses/analysis-state'
import { MAX_LIMIT } from '@tidemark/wire/limits'
import type { Command } from 'commander'
import { ask } from '../client/ask.ts'
import { refuseProblems } from '../client/client-error.ts'
import { colorsFor, isColoured } from '../client/colors.ts'
import { type ConnectionOptions, connectionOptions, readConnection } from '../client/connection.ts'
import { print, printJson } from '../output.ts'
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
  const answer = await ask<AnalysesAnswer>(connectionFor(options), '/api/analyses', {
    ...{ state, from, to, environment, service, limit },
  })
  if (json) return printJson(answer)
  const colors = outputColors()
  for (const analysis of answer.analyses) for (const line of itemLines(analysis, colors)) print(line)
  if (answer.analyses.length === 0) print(answer.empty ?? 'No analysis in this window.')
  if (answer.nextCursor !== null) process.stderr.write('-- there are more: raise --limit or narrow the window\n')
}

async function show(id: string, { json, ...options }: Options): Promise<void> {
  const answer = await ask<AnalysisAnswer>(connectionFor(options), `/api/analyses/${encodeURIComponent(id)}`, {})
  if (json) return printJson(answer)
  for (const line of analysisLines(answer.analysis, outputColors())) print(line)
  if (answer.url) print(answer.url)
}

function connectionFor(options: Options) {
  const problems: string[] = []
  const connection = readConnection('read', options, process.env, problems)
  refuseProblems(problems, 'No analyses were read.')
  return connection
}

function outputColors() {
  return colorsFor(isColoured(process.stdout, process.env))
}
