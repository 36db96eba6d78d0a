/** The deploy event, assembled from what was typed, the CI system and git, in this order. */

import { isSameRevision } from '@tidemark/wire/deploys/revision'
import { MAX_DEPLOY_MESSAGE_CHARACTERS, MAX_NAME_CHARACTERS } from '@tidemark/wire/limits'
import { firstCodePoints } from '@tidemark/wire/text/first-code-points'
import type { Environment } from '../client/connection.ts'
import { CI_SYSTEMS } from './ci-systems.ts'
import { externalId } from './external-id.ts'
import { type GitCommit, gitCommit } from './git-commit.ts'

export type DeployOptions = {
  environment?: string
  sha?: string
  ref?: string
  message?: string
  author?: string
  status?: string
  externalId?: string
  runUrl?: string
  deployedAt?: string
  metadata?: string[]
}

type DeployEvent = {
  sha: string
  environment: string
  deployedAt: string
  status: string
  externalId: string
  ref?: string
  message?: string
  author?: string
  url?: string
  metadata?: Record<string, string>
}

/** What CI systems call the outcomes of a job, so that their own variable can be passed as it is. */
export const STATUSES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    succeeded: 'succeeded',
    success: 'succeeded',
    passed: 'succeeded',
    failed: 'failed',
    failure: 'failed',
    unstable: 'failed',
    cancelled: 'cancelled',
    canceled: 'cancelled',
    aborted: 'cancelled',
  }),
)

export async function deployEvent(
  options: DeployOptions,
  { env, folder, now, problems }: { env: Environment; folder: string; now: Date; problems: string[] },
): Promise<DeployEvent> {
  const system = CI_SYSTEMS.find(({ isHere }) => isHere(env))
  const ci = system?.read(env)
  const foundSha = ci?.sha || undefined
  const sha = options.sha || foundSha || (await gitCommit(folder))?.sha
  // For a commit other than the one that CI runs for, as in a rollback, CI's ref, author and message say nothing.
  const isOther = Boolean(options.sha && foundSha && !isSameRevision(options.sha, foundSha))
  const run = isOther ? undefined : ci
  const commit: Partial<GitCommit> = (sha && (await gitCommit(folder, sha))) || {}
  const head = system || isOther ? undefined : await gitCommit(folder)
  const environment = options.environment || env.TIDEMARK_ENV || env.TIDEMARK_ENVIRONMENT || ci?.environment

  if (!environment) {
    problems.push(
      'The environment is missing: name it with --environment or in TIDEMARK_ENV, spelled exactly as the records spell theirs.',
    )
  }
  if (!sha) problems.push('The revision is missing: name it with --sha, or run inside CI or a git repository.')
  const status = STATUSES.get((options.status || 'succeeded').toLowerCase())
  if (!status) problems.push(`--status is "${options.status}": it must be succeeded, failed or cancelled.`)
  const metadata = readMetadata(options.metadata ?? [], problems)

  const ref = options.ref || run?.ref || (head && head.sha === commit.sha ? head.ref : undefined)
  const message = options.message || run?.message || commit.message
  const author = options.author || run?.author || commit.author
  const url = options.runUrl || ci?.runUrl
  return {
    sha: sha ?? '',
    environment: environment ?? '',
    deployedAt: options.deployedAt || now.toISOString(),
    status: status ?? '',
    externalId: options.externalId || externalId(system?.name, ci?.run ?? [], environment ?? ''),
    ...(ref && { ref: firstCodePoints(ref, MAX_NAME_CHARACTERS) }),
    ...(message && { message: firstCodePoints(message.trim(), MAX_DEPLOY_MESSAGE_CHARACTERS) }),
    ...(author && { author: firstCodePoints(author, MAX_NAME_CHARACTERS) }),
    ...(url && { url }),
    ...(metadata && { metadata }),
  }
}

function readMetadata(pairs: readonly string[], problems: string[]): Record<string, string> | undefined {
  if (pairs.length === 0) return undefined
  const entries = pairs.map((pair) => {
    const at = pair.indexOf('=')
    if (at < 1) problems.push(`--metadata is "${pair}": it must be name=value.`)
    return [pair.slice(0, at), pair.slice(at + 1)]
  })
  return Object.fromEntries(entries)
}
