import type { Command } from 'commander'
import { print, printJson } from './output.ts'
import { withOperator } from './with-operator.ts'

export function ownerLinkCommand(program: Command): void {
  program
    .command('owner-link')
    .option('--json', 'print JSON')
    .description('make a new one-time link that signs the owner in, for a password that was forgotten')
    .action(async ({ json }: { json?: boolean }) => {
      const link = await withOperator((operator) => operator.createOwnerLink())
      if (json) printJson({ link })
      else {
        print(`  ${link}`)
        print('')
        print('It signs the first owner in once, within 72 hours. A link that was made earlier no longer works.')
      }
    })
}
