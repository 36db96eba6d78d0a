import { DEFAULT_LOOKBACK, MAX_LIMIT, MAX_LOOKBACK } from '@tidemark/wire/limits'
import type { ChangesAnswer } from '@tidemark/wire/reading/changes'
import type { Command } from 'commander'
import { ask } from '../client/ask.ts'
import { colorsOf } from '../client/colors.ts'
import { type ConnectionOptions, connectionFor, connectionOptions } from '../client/connection.ts'
import { note, print, printJson } from '../output.ts'
import { changesLines } from './format-changes.ts'

type Options = ConnectionOptions & {
  at?: string
  analysis?: string
  lookback?: string
  environment?: string
  limit?: string
  json?: boolean
}

export function changesCommand(program: Command): void {
  const command = program
    .command('changes')
    .description('show what changed before a moment or an analysis, most likely first')
    .option('--at <time>', 'the moment: 2026-01-31T12:00:00Z, 2h, deploy:latest (default: now)')
    .option('--analysis <id>', 'before the errors of this analysis (ana_…), its likely cause first')
    .option('--lookback <length>', `how far back, at most ${MAX_LOOKBACK} (default: ${DEFAULT_LOOKBACK})`)
    .option('--environment <name>', 'only this environment')
    .option('--limit <count>', `how many, at most ${MAX_LIMIT}`)
    .option('--json', 'print the answer as JSON')
  connectionOptions(command, 'read').action((options: Options) => show(options))
}

async function show({ json, ...options }: Options): Promise<void> {
  const { at, analysis: analysisId, lookback, environment, limit } = options
  const connection = connectionFor('read', options, 'No changes were read.')
  const asked = { at, analysisId, lookback, environment, limit }
  const answer = await ask<ChangesAnswer>(connection, '/api/changes', asked)
  if (json) return printJson(answer)
  if (answer.empty !== null) note(answer.empty)
  for (const line of changesLines(answer, colorsOf())) print(line)
  for (const { message } of answer.warnings) note(message)
}
