/** The `tidemark` command. Each file adds one group of commands; errors become one sentence and an exit code. */
import { ConfigError } from '@tidemark/server/config'
import { AppError } from '@tidemark/server/errors'
import { clientCommands } from './client-main.ts'
import { backupCommands } from './operator/backup-commands.ts'
import { keyCommands } from './operator/key-commands.ts'
import { projectCommands } from './operator/project-commands.ts'
import { repositoryCommands } from './operator/repository-commands.ts'
import {
  demoCommand,
  doctorCommand,
  memberCommands,
  ownerLinkCommand,
  serveCommand,
} from './operator/service-commands.ts'
import { sourceMapCommands } from './operator/source-map-commands.ts'
import { type Failure, newProgram, runProgram } from './run-program.ts'

export async function main(argv: string[]): Promise<void> {
  const program = newProgram(
    'Logs, errors and deploys on one timeline. Commands use the same TIDEMARK_… variables as the service.',
  )
  serveCommand(program)
  demoCommand(program)
  projectCommands(program)
  keyCommands(program)
  repositoryCommands(program)
  clientCommands(program)
  sourceMapCommands(program)
  ownerLinkCommand(program)
  memberCommands(program)
  backupCommands(program)
  doctorCommand(program)
  await runProgram(program, argv, knownFailure)
}

function knownFailure(error: unknown): Failure | undefined {
  if (error instanceof AppError) return withReason(error)
  return error instanceof ConfigError ? { code: 'invalid_configuration', message: error.message } : undefined
}

/** There is no server log beside a command, and whoever runs it may see everything. */
function withReason({ code, message, cause }: AppError): Failure {
  return { code, message: code === 'internal' && cause instanceof Error ? `${message} (${cause.message})` : message }
}
