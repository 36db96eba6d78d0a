/** Places a deploy on the timeline. Called with the raw body instead of a caller, because the key is in it. */

import type { DeployAnswer } from '@tidemark/wire/deploys/deploy'
import { isObject } from '@tidemark/wire/is-object'
import type { RecordedDeploy } from '../../control/deploys.ts'
import { authenticateIngest, requireSameProject } from '../../control/keys/authenticate.ts'
import type { Control } from '../../control/open.ts'
import { AppError, type FieldError } from '../../errors.ts'
import type { KeyCaller } from '../../model/caller.ts'
import type { DeployInput } from '../../model/deploy.ts'
import { httpAddress } from '../../model/http-address.ts'
import { isLikeKey } from '../../model/key.ts'
import type { RedactionThreads } from '../../redaction/redact-in-thread.ts'
import { redactionOf } from '../../redaction/settings.ts'
import { deployUrl, deployView } from '../reading/deploy-view.ts'
import { parseDeployInput } from './deploy-input.ts'

/** Per ingest key. Deploys have their own bucket: a flood of logs or a used-up quota never blocks one. */
export const DEPLOY_RATE = { perSecond: 50, burst: 500 }

const OTHER_HEADER_KEY =
  'The key in the header is not a valid key of the project whose key is `projectApiKey` in the body. Remove the header: a deploy needs only `projectApiKey`.'

export type RecordDeployParts = {
  control: Pick<Control, 'keys' | 'deploys' | 'usage'>
  rates: { take(keyId: string, nowMs: number): number }
  redaction: Pick<RedactionThreads, 'fields'>
  publicUrl: string
  now: () => number
}

export async function recordDeploy(
  parts: RecordDeployParts,
  body: unknown,
  problems: readonly FieldError[] = [],
  headerKeys: readonly string[] = [],
): Promise<DeployAnswer> {
  if (!isObject(body)) {
    throw new AppError(
      'invalid_request',
      'The body must be a JSON object with projectApiKey, sha, environment and deployedAt.',
    )
  }
  const key = typeof body.projectApiKey === 'string' ? body.projectApiKey : undefined
  const caller = await authenticateIngest(parts.control.keys, key)
  for (const headerKey of headerKeys.filter((other) => other !== key && isLikeKey(other))) {
    await requireSameProject(parts.control.keys, caller, headerKey, OTHER_HEADER_KEY)
  }
  const { input, nowMs } = await takeDeploy(parts, caller, body, problems)
  return answerDeploy(parts, await parts.control.deploys.record(caller.project.id, input, nowMs))
}

/** Returns the deploy to record, without secrets, once the rate of the key allows it. */
export async function takeDeploy(
  { control, rates, redaction, now }: Pick<RecordDeployParts, 'control' | 'rates' | 'redaction' | 'now'>,
  { keyId, project }: Pick<KeyCaller, 'keyId' | 'project'>,
  body: Record<string, unknown>,
  problems: readonly FieldError[] = [],
): Promise<{ input: DeployInput; nowMs: number }> {
  const nowMs = now()
  const waitMs = rates.take(keyId, nowMs)
  if (waitMs > 0)
    throw new AppError(
      'rate_limited',
      'Too many deploys in a short time: send this one again after the time in Retry-After.',
      { retryAfterSeconds: waitMs / 1_000 },
    )
  const input = parseDeployInput(body, nowMs, problems)
  // The others stay as they are, because they are matched exactly.
  const { ref, message, author, url, metadata } = input
  const { fields, redactions } = await redaction.fields(project.id, redactionOf(project.redaction), {
    ref,
    message,
    author,
    url,
    metadata,
  })
  // A placeholder in the name of a host leaves no address that opens.
  if (fields.url && httpAddress(fields.url) === null) fields.url = null
  // Counted first: a deploy without an `externalId` must not be stored twice because counting failed and the CI retried.
  await control.usage.countRedactions(project.id, redactions)
  return { input: { ...input, ...fields }, nowMs }
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
