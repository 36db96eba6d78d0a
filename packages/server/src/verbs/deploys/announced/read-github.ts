/** GitHub's `deployment_status`: https://docs.github.com/webhooks/webhook-events-and-payloads#deployment_status */
import { isObject } from '@tidemark/wire/is-object'
import { MAX_DEPLOY_MESSAGE_CHARACTERS } from '@tidemark/wire/limits'
import { type Announcement, cutTo, textOrNone, urlOrNone } from './announcement.ts'

/** `inactive` says that another deploy took its place; the others, that it goes on. */
const ENDED: Record<string, string> = { success: 'succeeded', failure: 'failed', error: 'failed' }

export function readGithub(event: string, body: unknown): Announcement {
  if (event === 'ping') return { ignored: 'This is the ping of a new webhook: it works.' }
  if (event !== 'deployment_status') {
    return { ignored: 'Only deployment_status tells how a deploy ended: choose "Deployment statuses" alone.' }
  }
  const { deployment, deployment_status: status, repository } = isObject(body) ? body : {}
  if (!isObject(deployment) || !isObject(status) || !isObject(repository)) {
    return { ignored: 'The event has no deployment, no deployment_status or no repository.' }
  }
  const state = textOrNone(status.state) ?? ''
  if (!Object.hasOwn(ENDED, state)) return { ignored: 'The deployment has not ended with this status.' }
  const creator = isObject(deployment.creator) ? deployment.creator : {}
  return {
    deploy: {
      sha: deployment.sha,
      environment: textOrNone(status.environment) ?? deployment.environment,
      deployedAt: status.created_at,
      status: ENDED[state],
      ref: textOrNone(deployment.ref),
      message: cutTo(MAX_DEPLOY_MESSAGE_CHARACTERS, deployment.description ?? status.description),
      author: textOrNone(creator.login),
      externalId: `github:${repository.full_name}:${deployment.id}`,
      url: urlOrNone(status.log_url, status.target_url, repository.html_url),
    },
  }
}
