/** Connecting an OAuth client, for the person who agrees to it. */
import { consentInput, previewConsentInput } from '@tidemark/wire/people/oauth'
import type { OAuth } from '../../verbs/open-oauth.ts'
import { parseBody } from './body.ts'
import type { PeopleDoor } from './door.ts'

export function consentRoutes(
  door: PeopleDoor,
  { oauth }: { oauth: Pick<OAuth, 'previewConsent' | 'giveConsent'> },
): void {
  door.person('POST', '/api/oauth/preview', ({ session, body }) =>
    oauth.previewConsent(session, parseBody(previewConsentInput, body)),
  )
  door.person('POST', '/api/oauth/consent', ({ session, body }) =>
    oauth.giveConsent(session, parseBody(consentInput, body)),
  )
}
