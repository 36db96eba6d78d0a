/**
 * A person gives a client a key of one project. Anybody can register a client with any redirect URI, so nobody is ever
 * sent there by the request alone, not even with an error: only by a click, on a page that names the host.
 */

import type { ConsentAnswer, ConsentInput, ConsentPreview } from '@tidemark/wire/people/oauth'
import { KEY_MAKER_ROLE } from '@tidemark/wire/people/role'
import { AppError } from '../../errors.ts'
import type { Session } from '../../model/person.ts'
import { requireMember, requireRole } from '../access.ts'
import { lifetimeMs } from '../projects/keys.ts'
import { type Client, findClient } from './client.ts'
import { type OAuthParts, requireRate } from './oauth-parts.ts'
import { OAuthRefusal } from './oauth-refusal.ts'
import { isLoopbackUri, isSameRedirect, redirectProblem, withAnswer } from './redirect-uri.ts'
import { isResource } from './resource.ts'

type Asked = { client: Client; redirectUri: string; parameters: URLSearchParams }

export async function previewConsent(
  parts: OAuthParts,
  { person }: Session,
  { request }: { request: string },
): Promise<ConsentPreview> {
  requireRate(parts, 'consent', person.id)
  const asked = await readRequest(parts, request)
  const { client, redirectUri } = asked
  const refusal = faultOf(parts, asked)
  const error = refusal?.error ?? 'access_denied'
  const description = refusal?.message ?? 'The person declined.'
  return {
    client: {
      name: client.name,
      host: new URL(redirectUri).host,
      isLocal: isLoopbackUri(redirectUri),
      documentHost: client.documentHost,
    },
    problem: refusal?.message ?? null,
    refuseTo: answerTo(parts, asked, { error, error_description: description }),
  }
}

/** The code in the answer is good for one try within a minute. The key is made when the client fetches it. */
export async function giveConsent(
  parts: OAuthParts,
  session: Session,
  { request, projectId, name, expiresIn }: ConsentInput,
): Promise<ConsentAnswer> {
  requireRate(parts, 'consent', session.person.id)
  const caller = await requireMember(parts, session, projectId)
  requireRole(caller, KEY_MAKER_ROLE)
  const asked = await readRequest(parts, request)
  const refusal = faultOf(parts, asked)
  if (refusal) throw refusal
  const { client, redirectUri, parameters } = asked
  const code = await parts.control.oauthCodes.issue(
    {
      client: { id: client.id, name: client.name, host: new URL(redirectUri).host },
      redirectUri,
      resource: parts.resource,
      challenge: parameters.get('code_challenge') ?? '',
      projectId: caller.project.id,
      keyName: name,
      keyLifetimeMs: lifetimeMs(expiresIn),
    },
    { by: session.person.id, nowMs: parts.now() },
  )
  return { returnTo: answerTo(parts, asked, { code }) }
}

/** Whatever is wrong here is for the person: there is no client yet that could be told. */
async function readRequest(parts: OAuthParts, request: string): Promise<Asked> {
  const parameters = new URLSearchParams(request)
  const clientId = onlyOne(parameters, 'client_id')
  const redirectUri = onlyOne(parameters, 'redirect_uri')
  const client = await findClient(parts, clientId)
  const isOwn = client.redirectUris.some((registered) => isSameRedirect(registered, redirectUri))
  if (!isOwn || redirectProblem(redirectUri)) {
    throw new AppError(
      'invalid_request',
      'The client wants you sent to an address that is not one of its own. Close this page, and do not follow the link that led here again.',
    )
  }
  return { client, redirectUri, parameters }
}

function onlyOne(parameters: URLSearchParams, name: string): string {
  const [value, ...more] = parameters.getAll(name)
  if (value && more.length === 0) return value
  throw new AppError(
    'invalid_request',
    `The request needs exactly one ${name}. Start again from the program that wants to connect.`,
  )
}

const ONCE = ['response_type', 'response_mode', 'code_challenge', 'code_challenge_method', 'resource', 'state', 'scope']

/** What the client did wrong. */
function faultOf({ resource }: OAuthParts, { parameters }: Asked): OAuthRefusal | undefined {
  const twice = ONCE.find((name) => parameters.getAll(name).length > 1)
  if (twice) return new OAuthRefusal('invalid_request', `${twice} is given more than once: give it once.`)
  if (parameters.get('response_type') !== 'code') {
    return new OAuthRefusal('unsupported_response_type', 'response_type must be code.')
  }
  if ((parameters.get('response_mode') ?? 'query') !== 'query') {
    return new OAuthRefusal('invalid_request', 'response_mode must be query.')
  }
  if (parameters.get('code_challenge_method') !== 'S256') {
    return new OAuthRefusal('invalid_request', 'PKCE is required: code_challenge_method must be S256.')
  }
  if (!/^[A-Za-z0-9_-]{43}$/.test(parameters.get('code_challenge') ?? '')) {
    return new OAuthRefusal('invalid_request', 'PKCE is required: code_challenge must be a SHA-256 in base64url.')
  }
  if (!isResource(parameters.get('resource'), resource)) {
    return new OAuthRefusal('invalid_target', `resource must be ${resource}.`)
  }
  return undefined
}

/** With `iss`, so that a client that talks to several servers cannot be told another's answer (RFC 9207). */
function answerTo({ issuer }: OAuthParts, { redirectUri, parameters }: Asked, answer: Record<string, string>): string {
  return withAnswer(redirectUri, { ...answer, state: parameters.get('state') ?? undefined, iss: issuer })
}
