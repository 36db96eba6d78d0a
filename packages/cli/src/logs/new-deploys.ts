import { environmentOf } from '@tidemark/wire/query/environment-of'
import { parseQuery } from '@tidemark/wire/query/parse'
import type { DeployRow, DeploysAnswer } from '@tidemark/wire/reading'
import { ask } from '../client/ask.ts'
import type { Following } from './follow.ts'

/** Succeeded deploys that were recorded since the following began, oldest first; of a query only its environment counts. */
export async function newDeploys(
  { connection, filter, beganMs }: Pick<Following, 'connection' | 'filter' | 'beganMs'>,
  signal: AbortSignal,
): Promise<DeployRow[]> {
  const parameters = { environment: filter.environment, status: 'succeeded', limit: 100 }
  const { deploys } = await ask<DeploysAnswer>(connection, '/api/deploys', parameters, { signal })
  const parsed = parseQuery(filter.query ?? '')
  const part = parsed.ok ? environmentOf(parsed.query) : undefined
  return deploys
    .filter(({ createdAt, environment }) => Date.parse(createdAt) >= beganMs && (part?.matches(environment) ?? true))
    .map(({ id, deployedAt, environment, sha, ref, status, author, message, url }) => {
      return { kind: 'deploy' as const, id, timestamp: deployedAt, environment, sha, ref, status, author, message, url }
    })
    .reverse()
}
