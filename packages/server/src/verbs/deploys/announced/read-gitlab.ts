/** GitLab's deployment events: https://docs.gitlab.com/user/project/integrations/webhook_events/#deployment-events */
import { isObject } from '@tidemark/wire/is-object'
import { MAX_DEPLOY_MESSAGE_CHARACTERS } from '@tidemark/wire/limits'
import { type Announcement, cutTo, textOrNone, urlOrNone } from './announcement.ts'

const ENDED: Record<string, string> = { success: 'succeeded', failed: 'failed', canceled: 'cancelled' }

export function readGitlab(_event: string, body: unknown): Announcement {
  const { object_kind: kind, project, user, ...event } = isObject(body) ? body : {}
  if (kind !== 'deployment')
    return { ignored: 'Only deployment events tell of deploys: choose "Deployment events" alone.' }
  const status = textOrNone(event.status) ?? ''
  if (!Object.hasOwn(ENDED, status)) return { ignored: 'The deployment has not ended with this status.' }
  const { path_with_namespace: path } = isObject(project) ? project : {}
  const { username } = isObject(user) ? user : {}
  return {
    deploy: {
      sha: shaOf(event),
      environment: event.environment,
      deployedAt: timeOf(event.status_changed_at),
      status: ENDED[status],
      ref: textOrNone(event.ref),
      message: cutTo(MAX_DEPLOY_MESSAGE_CHARACTERS, event.commit_title),
      author: textOrNone(username),
      externalId: `gitlab:${path}:${event.deployment_id}`,
      url: urlOrNone(event.deployable_url, isObject(project) ? project.web_url : undefined),
    },
  }
}

/** The event has the first digits; all of them stand at the end of the commit's address. */
function shaOf({ short_sha: short, commit_url: url }: Record<string, unknown>): unknown {
  const [, whole] = /\/commit\/([0-9a-f]{40}|[0-9a-f]{64})$/.exec(textOrNone(url)?.slice(-80) ?? '') ?? []
  return typeof short === 'string' && whole?.startsWith(short) ? whole : short
}

/** `2026-04-28 21:50:00 +0200`, as Ruby writes it. */
function timeOf(value: unknown): unknown {
  const [all, day, clock, zone, minutes] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,6})?) (UTC|[+-]\d\d)(?::?(\d\d))?$/.exec(textOrNone(value) ?? '') ?? []
  if (all === undefined) return value
  return `${day}T${clock}${zone === 'UTC' ? 'Z' : `${zone}:${minutes ?? '00'}`}`
}
