/** Places a deploy on the timeline. Called with the raw body instead of a caller, because the key is in it. */

import type { DeployAnswer } from '@tidemark/wire/deploys/deploy'
import { isObject } from '@tidemark/wire/is-object'
import type { RecordedDeploy } from '../../control/deploys.ts'
import { authenticateIngest } from '../../control/keys/authenticate.ts'
import type { Control } from '../../control/open.ts'
import { AppError, type FieldError } from '../../errors.ts'
import type { KeyCaller } from '../../model/caller.ts'
import type { DeployInput } from '../../model/deploy.ts'
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
  const caller = await authenticateIngest(parts.control.keys, key)
  const { input, nowMs } = takeDeploy(parts, caller, body, problems)
  return answerDeploy(parts, await parts.control.deploys.record(caller.project.id, input, nowMs))
}

/** What is to be recorded, once the rate of the key allows it. */
export function takeDeploy(
  { rates, now }: Pick<RecordDeployParts, 'rates' | 'now'>,
  { keyId }: Pick<KeyCaller, 'keyId'>,
  body: Record<string, unknown>,
  problems: readonly FieldError[] = [],
): { input: DeployInput; nowMs: number } {
  const nowMs = now()
  const waitMs = rates.take(keyId, nowMs)
  if (waitMs > 0)
    throw new AppError(
      'rate_limited',
      'Too many deploys in a short time: send this one again after the time in Retry-After.',
      { retryAfterSeconds: waitMs / 1_000 },
    )
  return { input: parseDeployInput(body, nowMs, problems), nowMs }
}

export async function answerDeploy(
  { control, publicUrl }: Pick<RecordDeployParts, 'control' | 'publicUrl'>,
  { created, deploy }: RecordedDeploy,
): Promise<DeployAnswer> {
  const previous = await control.deploys.previous(deploy)
  return {
    created,
    deploy: deployView(deploy),
    previousDeploy: previous && deployView(previous),
    url: deployUrl(publicUrl, deploy),
  }
}
