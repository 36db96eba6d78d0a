/**
 * A deploy that GitHub or GitLab announces. The address names the webhook key, which is not secret; the signature over the
 * bytes proves who knows it. What is signed twice is recorded once, and never undoes what came after it.
 */
import type { DeployAnswer } from '@tidemark/wire/deploys/deploy'
import { findWebhook } from '../../../control/keys/authenticate.ts'
import { AppError } from '../../../errors.ts'
import { answerDeploy, type RecordDeployParts, takeDeploy } from '../record-deploy.ts'
import { isSignedByGithub, isSignedByGitlab, type SignedRequest } from './check-signature.ts'
import { readGithub } from './read-github.ts'
import { readGitlab } from './read-gitlab.ts'

export type AnnouncedBy = 'github' | 'gitlab'
export type AnnouncedAnswer = DeployAnswer | { ignored: true; reason: string }

export type AnnouncedInput = SignedRequest & {
  from: AnnouncedBy
  /** The id of the webhook key. */
  webhook: string
  /** Asked for once the signature holds. */
  json: () => unknown
}

type RecordAnnouncedParts = RecordDeployParts & { webhookSecretOf: (keyId: string) => string }

export async function recordAnnounced(parts: RecordAnnouncedParts, input: AnnouncedInput): Promise<AnnouncedAnswer> {
  const { from, webhook, headers } = input
  // Without the key nobody can sign for its id, so a stranger does not learn which ids there are.
  const secret = parts.webhookSecretOf(webhook)
  const isSigned = from === 'github' ? isSignedByGithub(input, secret) : isSignedByGitlab(input, secret, parts.now())
  const caller = isSigned ? await findWebhook(parts.control.keys, webhook) : undefined
  if (!caller) throw notSigned(from)
  const event = headers[from === 'github' ? 'x-github-event' : 'x-gitlab-event']
  const read = from === 'github' ? readGithub : readGitlab
  const announced = read(typeof event === 'string' ? event : '', input.json())
  if ('ignored' in announced) return { ignored: true, reason: announced.ignored }
  const { input: deploy, nowMs } = await takeDeploy(parts, caller, announced.deploy)
  const recorded = await parts.control.deploys.recordUnlessLater(caller.project.id, deploy, nowMs)
  if (!recorded) return { ignored: true, reason: 'A later status of this deployment is already recorded.' }
  return answerDeploy(parts, recorded)
}

function notSigned(from: AnnouncedBy): AppError {
  const field = from === 'github' ? 'Secret' : 'Secret token, or its signing token as Signing token'
  return new AppError(
    'unauthorized',
    `This is not signed with the deploy webhook key that the address names, or that key was revoked. Make one in Settings, API & MCP keys, and enter it as ${field}.`,
  )
}
