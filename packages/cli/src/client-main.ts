/**
 * The commands that speak HTTP to a running service, as a program of their own. It is bundled into one file without
 * dependencies for CI and laptops, so nothing of the service may be imported from here.
 */
import { clientCommands } from './client/commands.ts'
import { newProgram, runProgram } from './run-program.ts'

export async function main(argv: string[]): Promise<void> {
  const program = newProgram(
    'Record deploys, read and import logs, connect agents. Commands use TIDEMARK_URL, TIDEMARK_INGEST_KEY and TIDEMARK_READ_KEY.',
  )
  clientCommands(program)
  await runProgram(program, argv)
}
