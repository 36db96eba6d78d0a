/**
 * The commands that talk to a running service over HTTP, as a separate program. It is bundled into one file without
 * dependencies for CI and laptops, so nothing from the service may be imported here.
 */
import type { Command } from 'commander'
import { analysesCommand } from './analyses/analyses-command.ts'
import { changesCommand } from './changes/changes-command.ts'
import { deployCommand } from './deploy/deploy-command.ts'
import { importCommand } from './import/import-command.ts'
import { logsCommand } from './logs/logs-command.ts'
import { mcpCommand } from './mcp/mcp-command.ts'
import { newProgram, runProgram } from './run-program.ts'
import { uploadSourceMapsCommand } from './sourcemaps/upload-command.ts'

export async function main(argv: string[]): Promise<void> {
  const program = newProgram(
    'Record deploys, send source maps, read and import logs, connect agents. Commands use TIDEMARK_URL, TIDEMARK_INGEST_KEY and TIDEMARK_READ_KEY.',
  )
  clientCommands(program)
  await runProgram(program, argv)
}

/** What talks to a running service over HTTP. */
export function clientCommands(program: Command): void {
  deployCommand(program)
  uploadSourceMapsCommand(program)
  logsCommand(program)
  analysesCommand(program)
  changesCommand(program)
  importCommand(program)
  mcpCommand(program)
}
