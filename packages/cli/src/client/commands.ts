import type { Command } from 'commander'
import { analysesCommand } from '../analyses/analyses-command.ts'
import { deployCommand } from '../deploy/deploy-command.ts'
import { importCommand } from '../import/import-command.ts'
import { logsCommand } from '../logs/logs-command.ts'
import { mcpCommand } from '../mcp/mcp-command.ts'

/** What talks to a running service over HTTP. */
export function clientCommands(program: Command): void {
  deployCommand(program)
  logsCommand(program)
  analysesCommand(program)
  importCommand(program)
  mcpCommand(program)
}
