import type { DeployAnswer } from '@tidemark/wire/deploy'
import { REVISION_ON_LINE } from '@tidemark/wire/revision'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import type { Command } from 'commander'
import { refuseProblems } from '../client/client-error.ts'
import { colorsFor, isColoured } from '../client/colors.ts'
import { type ConnectionOptions, connectionOptions, readConnection } from '../client/connection.ts'
import { isSuccess, refused } from '../client/refused.ts'
import { request } from '../client/request.ts'
import { oneLine } from '../client/terminal-text.ts'
import { print, printJson } from '../output.ts'
import { type DeployOptions, deployEvent } from './deploy-event.ts'

type Options = ConnectionOptions & DeployOptions & { json?: boolean }

const NOT_RECORDED = 'The deploy was not recorded.'
const collect = (value: string, before: string[] = []) => [...before, value]

export function deployCommand(program: Command): void {
  const command = program
    .command('deploy')
    .description('record a deploy; sha, ref, author, message and run come from CI or git unless given')
    .option('--environment <name>', 'where it was deployed to, spelled as the records spell it (TIDEMARK_ENV)')
    .option('--sha <sha>', 'revision of the deployed code')
    .option('--ref <ref>', 'branch or tag')
    .option('--message <text>', 'what the revision changes')
    .option('--author <name>', 'who made the revision')
    .option('--status <status>', "succeeded, failed or cancelled; CI systems' own words are understood", 'succeeded')
    .option('--external-id <id>', 'name of the deployment: the same one again updates the event')
    .option('--run-url <url>', 'address of the CI run')
    .option('--deployed-at <time>', 'such as 2026-01-31T12:00:00Z (default: now)')
    .option('--metadata <name=value>', 'anything else worth keeping; may be given several times', collect)
    .option('--json', 'print the answer as JSON')
  connectionOptions(command, 'ingest').action(async (options: Options) => {
    const answer = await recordDeploy(options)
    if (options.json) printJson(answer)
    else for (const line of told(answer)) print(line)
  })
}

async function recordDeploy(options: Options): Promise<DeployAnswer> {
  const problems: string[] = []
  const { url, key } = readConnection('ingest', options, process.env, problems)
  const context = { env: process.env, folder: process.cwd(), now: new Date(), problems }
  const event = await deployEvent(options, context)
  refuseProblems(problems, NOT_RECORDED)
  const answer = await request(
    {
      method: 'POST',
      url: `${url}/v1/deploys`,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ projectApiKey: key, ...event }),
    },
    { onWait: sayWait },
  )
  if (!isSuccess(answer) || typeof (answer.body as DeployAnswer)?.deploy !== 'object') {
    throw refused(answer, NOT_RECORDED)
  }
  return answer.body as DeployAnswer
}

function sayWait(reason: string, waitMs: number): void {
  process.stderr.write(`The service ${reason}; trying again in ${(waitMs / 1_000).toFixed(1)} s.\n`)
}

function told({ created, deploy, previousDeploy, url }: DeployAnswer): string[] {
  const { bold } = colorsFor(isColoured(process.stdout, process.env))
  const name = `${deploy.sha.slice(0, REVISION_ON_LINE)}${deploy.ref ? ` (${deploy.ref})` : ''}`
  const verb = created ? 'Recorded' : 'Updated'
  const lines = [`${verb} the ${deploy.status} deploy of ${bold(oneLine(name))} to ${oneLine(deploy.environment)}.`]
  if (previousDeploy) {
    const elapsed = formatElapsed((Date.parse(deploy.deployedAt) - Date.parse(previousDeploy.deployedAt)) / 1_000)
    lines.push(
      `Previous: ${oneLine(previousDeploy.sha.slice(0, REVISION_ON_LINE))}, ${elapsed} earlier (${previousDeploy.deployedAt}).`,
    )
  } else lines.push('It is the first deploy there.')
  return [...lines, url]
}
