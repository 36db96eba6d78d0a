import { Command, CommanderError } from 'commander'
import { ClientError } from './client/client-error.ts'
import { fail } from './output.ts'

export type Failure = { code: string; message: string }

/** Commands added to it inherit how it ends and what it says after a mistake. */
export function newProgram(description: string): Command {
  return new Command('tidemark')
    .description(description)
    .showHelpAfterError('(--help shows what is possible)')
    .exitOverride()
}

/** Errors become one sentence and an exit code here. `known` names those that are not bugs; others are rethrown. */
export async function runProgram(
  program: Command,
  argv: string[],
  known: (error: unknown) => Failure | undefined = () => undefined,
): Promise<void> {
  endQuietlyWhenNobodyReads()
  try {
    await program.parseAsync(argv)
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode
    else {
      const failure = error instanceof ClientError ? error : known(error)
      if (failure === undefined) throw error
      fail(failure, argv.includes('--json'))
    }
  }
}

/** `tidemark logs | head` closes the pipe as soon as it has enough. */
function endQuietlyWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
}
