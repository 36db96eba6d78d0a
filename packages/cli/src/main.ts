/** The `tidemark` command. Each file adds one group of commands; errors become one sentence and an exit code here. */
import { ConfigError } from '@tidemark/server/config'
import { AppError } from '@tidemark/server/errors'
import { Command, CommanderError } from 'commander'
import { doctorCommand } from './doctor.ts'
import { keyCommands } from './key.ts'
import { fail } from './output.ts'
import { projectCommands } from './project.ts'
import { serveCommand } from './serve.ts'

export async function main(argv: string[]): Promise<void> {
  const program = new Command('tidemark')
    .description('Logs, errors and deploys on one timeline. Commands use the same TIDEMARK_… variables as the service.')
    .showHelpAfterError('(--help shows what is possible)')
    .exitOverride()
  serveCommand(program)
  projectCommands(program)
  keyCommands(program)
  doctorCommand(program)
  try {
    await program.parseAsync(argv)
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode
    else if (error instanceof AppError || error instanceof ConfigError) fail(error, argv.includes('--json'))
    else throw error
  }
}
