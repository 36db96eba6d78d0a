import type { ApiKey } from '@tidemark/wire/people/key'
import { createKeyCommand } from '@tidemark/wire/shell-commands'
import type { Command } from 'commander'
import { colorsOf } from '../client/colors.ts'
import { oneLine } from '../client/terminal-text.ts'
import { print, printJson, printTable } from '../output.ts'
import { withLooker, withOperator } from './with-operator.ts'

type Json = { json?: boolean }
type CreateOptions = Json & { project: string; kind: string; name?: string; expiresIn?: string }

export function keyCommands(program: Command): void {
  const key = program.command('key').description('create and revoke the keys of a project')

  key
    .command('create')
    .requiredOption('--project <project>', 'id or unique name')
    .requiredOption(
      '--kind <kind>',
      'read (MCP and reading), ingest (logs and deploys) or webhook (deploys of GitHub and GitLab)',
    )
    .option('--name <name>', 'what the key is for')
    .option('--expires-in <time>', 'lifetime such as 12h, 90d or 8w; without it the key does not expire')
    .option('--json', 'print JSON')
    .description('create a key; its secret is shown once')
    .action(async ({ json, project, kind, name, expiresIn }: CreateOptions) => {
      const {
        key: made,
        secret,
        signingToken,
      } = await withOperator((operator) =>
        operator.createKey({
          project,
          kind,
          ...(name === undefined ? {} : { name }),
          ...(expiresIn === undefined ? {} : { expiresIn }),
        }),
      )
      if (json) {
        const { id, createdAt, expiresAt } = made
        printJson({
          key: { id, kind: made.kind, name: made.name, createdAt, expiresAt },
          secret,
          ...(signingToken && { signingToken }),
        })
        return
      }
      print(
        `Made ${made.kind} key ${oneLine(made.name)} (${made.id})${made.expiresAt ? `, valid until ${made.expiresAt}` : ''}.`,
      )
      print('')
      print(`  ${secret}`)
      print('')
      if (signingToken !== undefined) {
        print('As a signing token for GitLab:')
        print('')
        print(`  ${signingToken}`)
        print('')
      }
      print(colorsOf().yellow('It is shown only this once: keep it now.'))
    })

  key
    .command('list')
    .requiredOption('--project <project>', 'id or unique name')
    .option('--json', 'print JSON')
    .description('list the keys of a project, newest first')
    .action(async ({ json, project }: Json & { project: string }) => {
      const keys = await withLooker((looker) => looker.listKeys({ project }))
      if (json) printJson({ keys })
      else {
        printTable(
          ['ID', 'KIND', 'NAME', 'ENDS IN', 'CREATED', 'LAST USED', 'STATE'],
          keys.map((one) => [
            one.id,
            one.kind,
            oneLine(one.client ? `${one.name} (OAuth client at ${one.client.host})` : one.name),
            `…${one.lastFour}`,
            one.createdAt,
            one.lastUsedAt ?? 'never',
            stateWords(one),
          ]),
          `No key yet. Make one: ${createKeyCommand('read')}`,
        )
      }
    })

  key
    .command('revoke')
    .argument('<id>', 'id of the key (key_…)')
    .option('--json', 'print JSON')
    .description('revoke a key at once: the next request with it gets 401')
    .action(async (id: string, { json }: Json) => {
      const { key: revoked, changed } = await withOperator((operator) => operator.revokeKey({ id }))
      if (json)
        printJson({
          key: { id: revoked.id, kind: revoked.kind, name: revoked.name, revokedAt: revoked.revokedAt },
          changed,
        })
      else
        print(
          changed
            ? `Key ${revoked.id} is revoked: the next request with it gets 401.`
            : `Key ${revoked.id} was revoked already, at ${revoked.revokedAt}.`,
        )
    })
}

function stateWords({ state, revokedAt, expiresAt }: Pick<ApiKey, 'state' | 'revokedAt' | 'expiresAt'>): string {
  if (state === 'active') return expiresAt === null ? state : `${state} until ${expiresAt}`
  return `${state} ${state === 'revoked' ? revokedAt : expiresAt}`
}
