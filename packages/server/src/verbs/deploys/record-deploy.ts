/** Places a deploy on the timeline. Called with the raw body instead of a caller, because the key is in it. */

import type { DeployAnswer } from '@tidemark/wire/deploys/deploy'
import { isObject } from '@tidemark/wire/is-object'
import { authenticateIngest } from '../../control/keys/authenticate.ts'
import type { Control } from '../../control/open.ts'
import { AppError, type FieldError } from '../../errors.ts'
import type { KeyCaller } from '../../model/caller.ts'
import type { Deploy } from '../../model/deploy.ts'
import { deployUrl, deployView } from '../reading/deploy-view.ts'
import { parseDeployInput } from './deploy-input.ts'

/** Per ingest key. Deploys have their own bucket: a flood of logs or a used-up quota never blocks one. */
export const DEPLOY_RATE = { perSecond: 50, burst: 500 }

export type RecordDeployParts = {
  control: Pick<Control, 'keys' | 'deploys'>
  rates: { take(keyId: string, nowMs: number): number }
  publicUrl: string
  now: () => number
}

export async function recordDeploy(
  parts: RecordDeployParts,
  body: unknown,
  problems: readonly FieldError[] = [],
): Promise<DeployAnswer> {
  if (!isObject(body)) {
    throw new AppError(
      'invalid_request',
      'The body must be a JSON object with projectApiKey, sha, environment and deployedAt.',
    )
  }
  const key = typeof body.projectApiKey === 'string' ? body.projectApiKey : undefined
  return placeDeploy(parts, await authenticateIngest(parts.control.keys, key), body, problems)
}

/** The same for a caller who is known already. */
export async function placeDeploy(
  {
    control,
    rates,
    publicUrl,
    now,
  }: Pick<RecordDeployParts, 'rates' | 'publicUrl' | 'now'> & {
    control: Pick<Control, 'deploys'>
  },
  { keyId, project }: Pick<KeyCaller, 'keyId' | 'project'>,
  body: Record<string, unknown>,
  problems: readonly FieldError[] = [],
): Promise<DeployAnswer> {
  const nowMs = now()
  const waitMs = rates.take(keyId, nowMs)
  if (waitMs > 0)
    throw new AppError(
      'rate_limited',
      'Too many deploys in a short time: send this one again after the time in Retry-After.',
      { retryAfterSeconds: waitMs / 1_000 },
    )
  const input = parseDeployInput(body, nowMs, problems)
  const { created, deploy } = await control.deploys.record(project.id, input, nowMs)
  const previous: Deploy | null = await control.deploys.previous(deploy)
  return {
    created,
    deploy: deployView(deploy),
    previousDeploy: previous && deployView(previous),
    url: deployUrl(publicUrl, deploy),
  }
}
