import type { Command } from 'commander'
import pc from 'picocolors'
import { print, printJson } from './output.ts'

const MARKS = { ok: pc.green('ok  '), warning: pc.yellow('warn'), problem: pc.red('bad ') }

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .option('--json', 'print JSON')
    .description('check everything the service needs, and say how to mend what is missing')
    .action(async ({ json }: { json?: boolean }) => {
      const { diagnose } = await import('@tidemark/server/doctor')
      const findings = await diagnose()
      const isHealthy = findings.every(({ state }) => state !== 'problem')
      if (json) printJson({ healthy: isHealthy, checks: findings })
      else for (const { name, state, message } of findings) print(`${MARKS[state]}  ${name}: ${message}`)
      if (!isHealthy) process.exitCode = 1
    })
}
