/** What OAuth clients, and people who connect them, can ask and do. */
import { bindAll } from './bind-all.ts'
import { giveConsent, previewConsent } from './oauth/consent.ts'
import type { OAuthParts } from './oauth/oauth-parts.ts'
import { registerClient } from './oauth/register-client.ts'
import { exchangeCode, revokeToken } from './oauth/token.ts'

export type OAuth = ReturnType<typeof openOAuth>

export function openOAuth(parts: OAuthParts) {
  return bindAll(parts, { registerClient, previewConsent, giveConsent, exchangeCode, revokeToken })
}
