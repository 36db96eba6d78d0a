import type { DeployAnswer } from '@tidemark/wire/deploys/deploy'
import { shortRevision } from '@tidemark/wire/deploys/revision'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import type { Command } from 'commander'
import { refuseProblems } from '../client/client-error.ts'
import { colorsOf } from '../client/colors.ts'
import { type Connection, type ConnectionOptions, connectionOptions, readConnection } from '../client/connection.ts'
import { isSuccess, refused } from '../client/refused.ts'
import { request } from '../client/request.ts'
import { oneLine } from '../client/terminal-text.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { note, print, printJson, say } from '../output.ts'
import { type DeployOptions, deployEvent } from './deploy-event.ts'
import { DEFAULT_WAIT, exitCodeOf, type FailOn, readFailOn, readWait, toldVerdict, waitForVerdict } from './verdict.ts'

type Options = ConnectionOptions & DeployOptions & { json?: boolean; wait?: string | true; failOn: string }

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
    .option('--wait [duration]', `wait for the verdict on the deploy, at most this long (${DEFAULT_WAIT} unless given)`)
    .option(
      '--fail-on <verdict>',
      `after --wait: exit with ${EXIT_CODES.accused} on bad, suspect (and bad) or never`,
      'bad',
    )
    .option('--json', 'print the answer as JSON')
  connectionOptions(command, 'ingest').action(async (options: Options) => {
    const problems: string[] = []
    const connection = readConnection('ingest', options, process.env, problems)
    const waitMs = options.wait === undefined ? null : readWait(options.wait, problems)
    const failOn = readFailOn(options.failOn, problems)
    const answer = await recordDeploy(options, connection, problems)
    if (!options.json) for (const line of told(answer)) print(line)
    if (waitMs === null) {
      if (options.json) printJson(answer)
      return
    }
    await judge(answer, connection, { waitMs, failOn, isJson: options.json === true })
  })
}

type Judging = { waitMs: number; failOn: FailOn; isJson: boolean }

async function judge(answer: DeployAnswer, connection: Connection, { waitMs, failOn, isJson }: Judging): Promise<void> {
  const startedMs = Date.now()
  if (waitMs > 0) say(`Waiting for the verdict, at most ${formatElapsed(waitMs / 1_000)} …`)
  const found = await waitForVerdict(connection, answer.deploy.id, { waitMs, onWait: say })
  const { verdict } = found
  if (isJson) printJson({ ...answer, ...found })
  else for (const line of toldVerdict(found, Date.now() - startedMs, colorsOf())) print(line)
  for (const { message } of found.warnings) note(message)
  process.exitCode = exitCodeOf(found, failOn)
  if (verdict === 'suspect' && process.exitCode === 0) {
    say('Warning: the deploy is suspect. --fail-on suspect stops here.')
  }
}

async function recordDeploy(options: Options, { url, key }: Connection, problems: string[]): Promise<DeployAnswer> {
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
    { onWait: say },
  )
  if (!isSuccess(answer) || typeof (answer.body as DeployAnswer)?.deploy !== 'object') {
    throw refused(answer, NOT_RECORDED)
  }
  return answer.body as DeployAnswer
}

function told({ created, deploy, previousDeploy, url }: DeployAnswer): string[] {
  const { bold } = colorsOf()
  const name = `${shortRevision(deploy.sha)}${deploy.ref ? ` (${deploy.ref})` : ''}`
  const verb = created ? 'Recorded' : 'Updated'
  const lines = [`${verb} the ${deploy.status} deploy of ${bold(oneLine(name))} to ${oneLine(deploy.environment)}.`]
  if (previousDeploy) {
    const elapsed = formatElapsed((Date.parse(deploy.deployedAt) - Date.parse(previousDeploy.deployedAt)) / 1_000)
    lines.push(
      `Previous: ${oneLine(shortRevision(previousDeploy.sha))}, ${elapsed} earlier (${previousDeploy.deployedAt}).`,
    )
  } else lines.push('It is the first deploy there.')
  return [...lines, url]
}
