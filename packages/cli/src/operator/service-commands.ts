/**
 * What runs the service, and what looks after it from outside. The service itself is loaded only when needed: loading
 * it is most of the time that a short command would take.
 */

import { LINK_HOURS, RESET_LINK_HOURS } from '@tidemark/wire/limits'
import { DEFAULT_PORT } from '@tidemark/wire/local-address'
import type { Command } from 'commander'
import { colorsOf } from '../client/colors.ts'
import { oneLine } from '../client/terminal-text.ts'
import { wholeNumber } from '../client/whole-number.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { print, printJson } from '../output.ts'
import { progressBar } from '../progress-bar.ts'
import { noteUnused, withOperator } from './with-operator.ts'

type DemoOptions = { dataDir: string; port?: string; fresh?: boolean; live: boolean }

export function serveCommand(program: Command): void {
  program
    .command('serve')
    .description('run the service in the foreground, as `npm start` does')
    .action(async () => {
      const { main } = await import('@tidemark/server/main')
      await main()
    })
}

export function demoCommand(program: Command): void {
  program
    .command('demo')
    .option('--data-dir <folder>', 'where the demo keeps everything', './data-demo')
    .option('--port <port>', `port to listen on (default: TIDEMARK_PORT, else ${DEFAULT_PORT})`)
    .option('--fresh', 'discard the old demo and start with a new history that ends now')
    .option('--no-live', 'leave out the live traffic while the demo runs')
    .description('run the service with a simulated shop: weeks of logs, deploys, a repository and a dozen incidents')
    .action(async ({ dataDir, port, fresh = false, live }: DemoOptions) => {
      if (port !== undefined) wholeNumber('--port', port, { least: 0, most: 65_535 })
      const { runDemo } = await import('@tidemark/demo/run-demo')
      await runDemo({ dataDir, port, fresh, live, onProgress: progressBar('Loading three weeks of the shop') })
    })
}

export function ownerLinkCommand(program: Command): void {
  program
    .command('owner-link')
    .option('--json', 'print JSON')
    .description('create a new one-time link that signs the owner in, for a forgotten password')
    .action(async ({ json }: { json?: boolean }) => {
      const link = await withOperator(async (operator) => {
        const made = await operator.createOwnerLink()
        noteUnused(operator)
        return made
      })
      if (json) printJson({ link })
      else {
        print(`  ${link}`)
        print('')
        print(
          `It signs the first owner in once, within ${LINK_HOURS} hours. A link that was made earlier no longer works.`,
        )
      }
    })
}

export function memberCommands(program: Command): void {
  const member = program.command('member').description('help the people who use the dashboard')

  member
    .command('reset-password')
    .argument('<email>', 'e-mail that the member signs in with')
    .option('--json', 'print JSON')
    .description('create a one-time link with which a member chooses a new password')
    .action(async (email: string, { json }: { json?: boolean }) => {
      const made = await withOperator(async (operator) => {
        const created = await operator.createPasswordReset({ email })
        noteUnused(operator)
        return created
      })
      if (json) printJson(made)
      else {
        print(`  ${made.link}`)
        print('')
        print(
          `Send it to ${oneLine(made.email)}. It works once, within ${RESET_LINK_HOURS} hours, and ends an earlier reset link. Until then the old password works.`,
        )
      }
    })
}

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .option('--json', 'print JSON')
    .description('check everything the service needs, and say how to fix what is missing')
    .action(async ({ json }: { json?: boolean }) => {
      const { diagnose } = await import('@tidemark/server/doctor')
      const findings = await diagnose()
      const { green, yellow, red } = colorsOf()
      const marks = { ok: green('ok  '), warning: yellow('warn'), problem: red('bad ') }
      const isHealthy = findings.every(({ state }) => state !== 'problem')
      if (json) printJson({ healthy: isHealthy, checks: findings })
      else for (const { name, state, message } of findings) print(`${marks[state]}  ${name}: ${message}`)
      if (!isHealthy) process.exitCode = EXIT_CODES.failed
    })
}
