import { formatCopyState } from '@tidemark/wire/copy-state'
import type { Repository } from '@tidemark/wire/repository'
import { shellWord } from '@tidemark/wire/shell-commands'
import type { Command } from 'commander'
import { readNamedFile } from '../client/read-file.ts'
import { oneLine } from '../client/terminal-text.ts'
import { print, printJson } from '../output.ts'
import { withLooker, withOperator } from './with-operator.ts'

type ProjectOptions = { json?: boolean; project: string }
type ConnectOptions = ProjectOptions & {
  branch?: string
  tokenFile?: string
  deployKey?: string
  keepCredential?: boolean
}

const TOKEN_VARIABLE = 'TIDEMARK_REPOSITORY_TOKEN'

export function repositoryCommands(program: Command): void {
  const repository = program.command('repository').description('connect the git repository of a project')
  const command = (name: string) =>
    repository.command(name).requiredOption('--project <project>', 'id or unique name').option('--json', 'print JSON')

  command('connect')
    .argument('<url>', 'https://host/path.git or git@host:path.git')
    .option('--branch <branch>', "branch to follow; without it the remote's default")
    .option('--token-file <path>', `file with an access token for https (or ${TOKEN_VARIABLE})`)
    .option('--deploy-key <path>', 'file with a private key for ssh, without a passphrase')
    .option('--keep-credential', 'keep what is stored, for the same address')
    .description('connect a repository: checked first, then copied by the running service')
    .action(async (url: string, { json, project, branch, ...options }: ConnectOptions) => {
      const input = { project, url, ...(branch !== undefined && { branch }), ...credentialOf(url, options) }
      const connected = await withOperator((operator) => operator.connectRepository(input))
      if (json) printJson({ repository: connected })
      else {
        print(
          `Connected ${oneLine(connected.url)}, branch ${oneLine(connected.defaultBranch)} at ${connected.headSha}.`,
        )
        print(
          `A running service copies it. To see how far it is: tidemark repository show --project ${shellWord(project)}`,
        )
      }
    })

  command('show')
    .description('show what is connected, and whether it is copied')
    .action(async ({ json, project }: ProjectOptions) => {
      const answer = await withLooker((looker) => looker.showRepository({ project }))
      if (json) printJson(answer)
      else if (answer.repository) describe(answer.repository)
      else print('No repository is connected. Connect one: tidemark repository connect --project P URL')
    })

  command('sync')
    .description('check the remote now and copy what is new')
    .action(async ({ json, project }: ProjectOptions) => {
      const synced = await withOperator((operator) => operator.syncRepository({ project }))
      if (json) printJson({ repository: synced })
      else
        print(
          `${oneLine(synced.url)} has ${oneLine(synced.defaultBranch)} at ${synced.headSha}. A running service copies it within seconds.`,
        )
    })

  command('disconnect')
    .description('forget the repository and its credential, and remove the copies')
    .action(async ({ json, project }: ProjectOptions) => {
      const { changed } = await withOperator((operator) => operator.disconnectRepository({ project }))
      if (json) printJson({ changed })
      else print(changed ? 'The repository is disconnected, its credential forgotten.' : 'No repository was connected.')
    })
}

/**
 * Never from the command line itself, where others on the machine could read it. The variable is for https only, and for
 * when no option is given; that only one of them may be is the verb's to say.
 */
function credentialOf(url: string, { tokenFile, deployKey, keepCredential }: Partial<ConnectOptions>) {
  const given = {
    ...(tokenFile !== undefined && { token: readNamedFile(tokenFile, 'The token file ') }),
    ...(deployKey !== undefined && { deployKey: readNamedFile(deployKey, 'The deploy key ') }),
    ...(keepCredential && { keepCredential }),
  }
  const token = process.env[TOKEN_VARIABLE]
  return Object.keys(given).length === 0 && token && url.startsWith('https:') ? { token } : given
}

function describe(repository: Repository): void {
  const rows = {
    url: oneLine(repository.url),
    credential: repository.credential === 'deploy_key' ? 'deploy key' : repository.credential,
    branch: `${oneLine(repository.defaultBranch)}${repository.branch === null ? " (the remote's default)" : ''}`,
    head: repository.headSha ?? 'not known yet',
    state: oneLine(formatCopyState(repository)),
    connected: `${repository.connectedAt} by ${oneLine(repository.connectedBy)}`,
  }
  for (const [name, value] of Object.entries(rows)) print(`${`${name}:`.padEnd(12)}${value}`)
}
