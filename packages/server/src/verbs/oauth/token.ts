/** What clients fetch and give back. An access token is a read key of the project: listed, revoked and refused as one. */

import { TOO_MANY_KEYS } from '../../control/keys/keys.ts'
import { hasDocument } from './client.ts'
import { type OAuthParts, requireRate, SCOPE } from './oauth-parts.ts'
import { OAuthRefusal } from './oauth-refusal.ts'
import { isResource } from './resource.ts'

type TokenAnswer = { access_token: string; token_type: 'Bearer'; expires_in: number; scope: string }

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

/** The message does not say why, so that guessing codes teaches nothing. */
const NOT_VALID =
  'The code is unknown, used or older than a minute, or belongs to another client, address or verifier: ask the person again.'

export async function exchangeCode(parts: OAuthParts, form: URLSearchParams, address: string): Promise<TokenAnswer> {
  requireRate(parts, 'token', address)
  const grantType = required(form, 'grant_type')
  if (grantType !== 'authorization_code') {
    throw new OAuthRefusal('unsupported_grant_type', 'The only grant_type here is authorization_code.')
  }
  const clientId = await knownClient(parts, form)
  const code = required(form, 'code')
  const verifier = required(form, 'code_verifier')
  const redirectUri = optional(form, 'redirect_uri')
  const resource = optional(form, 'resource')
  if (resource !== undefined && !isResource(resource, parts.resource)) {
    throw new OAuthRefusal('invalid_target', `resource must be ${parts.resource}.`)
  }
  if (!VERIFIER.test(verifier)) throw new OAuthRefusal('invalid_grant', NOT_VALID)
  const nowMs = parts.now()
  const redemption = { code, clientId, verifier, redirectUri, resource: resource && parts.resource }
  const redeemed = await parts.control.oauthCodes.redeem(redemption, nowMs)
  if (redeemed.status === 'too_many_keys') throw new OAuthRefusal('invalid_grant', TOO_MANY_KEYS)
  if (redeemed.status !== 'ok') throw new OAuthRefusal('invalid_grant', NOT_VALID)
  const { secret, key } = redeemed
  const expiresInMs = Date.parse(key.expiresAt ?? '') - nowMs
  return { access_token: secret, token_type: 'Bearer', expires_in: Math.floor(expiresInMs / 1_000), scope: SCOPE }
}

/** Twice does no harm, and a token that nobody knows is as good as revoked (RFC 7009). */
export async function revokeToken(parts: OAuthParts, form: URLSearchParams, address: string): Promise<void> {
  requireRate(parts, 'token', address)
  const token = required(form, 'token')
  const clientId = required(form, 'client_id')
  const found = await parts.control.keys.authenticate(token, parts.now())
  if (found.status !== 'ok') return
  if (found.key.client?.id !== clientId) {
    throw new OAuthRefusal('invalid_grant', 'The token was not given to this client: revoke it in Settings.')
  }
  await parts.control.keys.revoke(found.key.id, { by: found.key.id, nowMs: parts.now() })
}

/** A client that was forgotten is told so: it then registers again. */
async function knownClient(parts: OAuthParts, form: URLSearchParams): Promise<string> {
  const clientId = required(form, 'client_id')
  // A client with a metadata document needs no registration; the code records whom it was given to.
  if (hasDocument(clientId) || (await parts.control.oauthClients.find(clientId))) return clientId
  throw new OAuthRefusal('invalid_client', 'No client has this client_id: register again.')
}

function required(form: URLSearchParams, name: string): string {
  const value = optional(form, name)
  if (value === undefined) throw new OAuthRefusal('invalid_request', `${name} must be given.`)
  return value
}

function optional(form: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = form.getAll(name)
  if (more.length > 0) throw new OAuthRefusal('invalid_request', `${name} is given more than once: give it once.`)
  return value === '' ? undefined : value
}
