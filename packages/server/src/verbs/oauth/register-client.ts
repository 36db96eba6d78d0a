/** Dynamic client registration (RFC 7591): every client is public, so it gets an id and no secret. */
import { z } from 'zod'
import { clientName, MAX_REDIRECT_URIS } from './client.ts'
import { type OAuthParts, requireRate, SCOPE } from './oauth-parts.ts'
import { OAuthRefusal } from './oauth-refusal.ts'
import { redirectProblem } from './redirect-uri.ts'

/** What is not here is not needed, and ignored as the specification wants. */
const clientMetadata = z.object({
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
  client_name: z.string().max(1_000).optional(),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
})

type RegisteredClient = {
  client_id: string
  client_id_issued_at: number
  client_name: string
  redirect_uris: string[]
  grant_types: string[]
  response_types: string[]
  token_endpoint_auth_method: 'none'
  scope: string
}

export async function registerClient(parts: OAuthParts, body: unknown, address: string): Promise<RegisteredClient> {
  requireRate(parts, 'register', address)
  const read = clientMetadata.safeParse(body)
  if (!read.success) {
    throw new OAuthRefusal(
      'invalid_client_metadata',
      `The body must be a JSON object with redirect_uris, a list of 1 to ${MAX_REDIRECT_URIS} addresses, and may have a client_name of at most 1,000 characters.`,
    )
  }
  const { redirect_uris: uris, client_name: name, grant_types: grants, response_types: responses } = read.data
  for (const [index, uri] of uris.entries()) {
    const problem = redirectProblem(uri)
    if (problem) throw new OAuthRefusal('invalid_redirect_uri', `redirect_uris.${index} ${problem}.`)
  }
  if (grants && !grants.includes('authorization_code')) {
    throw new OAuthRefusal('invalid_client_metadata', 'The only grant type here is authorization_code: name it.')
  }
  if (responses && !responses.includes('code')) {
    throw new OAuthRefusal('invalid_client_metadata', 'The only response type here is code: name it.')
  }
  const nowMs = parts.now()
  const shown = clientName(name, new URL(uris[0] ?? '').host)
  const client = await parts.control.oauthClients.register({ name: shown, redirectUris: uris }, nowMs)
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(nowMs / 1_000),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: SCOPE,
  }
}
