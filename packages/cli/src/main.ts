/** The `tidemark` command. Each file adds one group of commands; errors become one sentence and an exit code. */
import { ConfigError } from '@tidemark/server/config'
import { AppError } from '@tidemark/server/errors'
import { clientCommands } from './client/commands.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor.ts'
import { keyCommands } from './key.ts'
import { ownerLinkCommand } from './owner-link.ts'
import { projectCommands } from './project.ts'
import { repositoryCommands } from './repository.ts'
import { type Failure, newProgram, runProgram } from './run-program.ts'
import { serveCommand } from './serve.ts'

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
  ownerLinkCommand(program)
  doctorCommand(program)
  await runProgram(program, argv, knownFailure)
}

function knownFailure(error: unknown): Failure | undefined {
  if (error instanceof AppError) return error
  return error instanceof ConfigError ? { code: 'invalid_configuration', message: error.message } : undefined
}
