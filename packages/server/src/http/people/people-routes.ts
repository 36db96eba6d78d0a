/**
 * The door for people: the dashboard's part of `/api`, with a session cookie instead of a key. Reading inside a project
 * is the same as with a read key, by the same verbs.
 */

import type { FastifyInstance } from 'fastify'
import type { Alerts } from '../../verbs/open-alerts.ts'
import type { OAuth } from '../../verbs/open-oauth.ts'
import type { People } from '../../verbs/open-people.ts'
import type { Reading } from '../../verbs/open-reading.ts'
import type { CallLimits } from '../../verbs/reading/call-limits.ts'
import type { RepositoryVerbs } from '../../verbs/repository.ts'
import { BegunAnswers } from '../reading/begun-answers.ts'
import { readingRoutes } from '../reading/reading-routes.ts'
import { peopleAlertRoutes } from './alert-routes.ts'
import { peopleAnalysisRoutes } from './analysis-routes.ts'
import { consentRoutes } from './consent-routes.ts'
import { createPeopleDoor, PROJECT_PATH } from './door.ts'
import { peopleMemberRoutes } from './member-routes.ts'
import { peopleNoteRoutes } from './note-routes.ts'
import { peopleProjectRoutes } from './project-routes.ts'
import { peopleRepositoryRoutes } from './repository-routes.ts'
import { createSessionCookie } from './session-cookie.ts'
import { sessionRoutes } from './session-routes.ts'
import { peopleSourceMapRoutes } from './source-map-routes.ts'
import { peopleViewRoutes } from './view-routes.ts'

type PeopleRoutes = {
  people: People
  reading: Reading
  repository?: RepositoryVerbs
  alerts?: Alerts
  oauth?: Pick<OAuth, 'previewConsent' | 'giveConsent'> | undefined
  /** Decides the cookie: over https it is Secure. */
  publicUrl: string
  limits?: Pick<CallLimits, 'enter'>
  stopping?: AbortSignal
  recheckAfterMs?: number
}

/** Gives what a page may begin for its visitor: the answers that this door gives. */
export function peopleRoutes(
  routes: FastifyInstance,
  { people, repository, alerts, oauth, publicUrl, ...reading }: PeopleRoutes,
): BegunAnswers {
  const cookie = createSessionCookie(publicUrl)
  const begun = new BegunAnswers({ tokenOf: cookie.read })
  const door = createPeopleDoor(routes, { people, cookie, recheckAfterMs: reading.recheckAfterMs })
  sessionRoutes(door, { people, cookie })
  peopleProjectRoutes(door, { people, limits: reading.limits })
  peopleMemberRoutes(door, { people })
  peopleViewRoutes(door, { people })
  peopleSourceMapRoutes(door, { people })
  if (repository) peopleRepositoryRoutes(door, { repository })
  if (alerts) peopleAlertRoutes(door, { alerts })
  if (oauth) consentRoutes(door, { oauth })
  peopleAnalysisRoutes(door, { people, reading: reading.reading })
  peopleNoteRoutes(door, { people, reading: reading.reading })
  readingRoutes(routes, { ...reading, prefix: PROJECT_PATH, identify: door.identify, begun })
  return begun
}
