/**
 * Who asks for a key. A client either registered itself, or its id is the https address of a document that describes it.
 * The first says of itself whatever it likes; of the second the host at least is known.
 */
import { MAX_GIVEN_NAME_CHARACTERS, MAX_URL_CHARACTERS } from '@tidemark/wire/limits'
import { firstCharacters } from '@tidemark/wire/text/first-characters'
import { replaceUnseenBetweenLetters } from '@tidemark/wire/text/stranger-text'
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { OAuthParts } from './oauth-parts.ts'
import { redirectProblem } from './redirect-uri.ts'

export const MAX_REDIRECT_URIS = 20

export type Client = {
  id: string
  name: string
  redirectUris: readonly string[]
  /** Null for one that registered itself. */
  documentHost: string | null
}

const clientDocument = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
  token_endpoint_auth_method: z.string().optional(),
})

/** Throws with words for the person at the consent page. */
export async function findClient(parts: OAuthParts, id: string): Promise<Client> {
  if (hasDocument(id)) return readDocument(parts, id)
  const client = await parts.control.oauthClients.find(id)
  if (client) return { ...client, documentHost: null }
  throw new AppError(
    'not_found',
    'This service does not know the client that sent you here, or has forgotten it. Remove the connector there and add it again.',
  )
}

export function hasDocument(clientId: string): boolean {
  return clientId.startsWith('https://')
}

async function readDocument(parts: OAuthParts, id: string): Promise<Client> {
  const url = URL.canParse(id) ? new URL(id) : undefined
  // One text, one client: no dots to resolve, no other way to write the same address.
  if (!url || url.href !== id || url.pathname === '/' || url.hash !== '' || id.length > MAX_URL_CHARACTERS) {
    throw new AppError('invalid_request', "The client's id is not the address of a document. Report it to its makers.")
  }
  const read = clientDocument.safeParse(await parts.fetchDocument(url))
  // Whatever else it could prove itself with, PKCE binds the code to the client that asked for it.
  if (
    !read.success ||
    read.data.client_id !== id ||
    read.data.token_endpoint_auth_method?.startsWith('client_secret')
  ) {
    throw new AppError(
      'invalid_request',
      `The document at ${url.host} does not describe this client. Report it to its makers.`,
    )
  }
  const { client_name: name, redirect_uris: uris } = read.data
  const redirectUris = uris.filter((uri) => redirectProblem(uri) === undefined)
  return { id, name: clientName(name, url.host), redirectUris, documentHost: url.host }
}

/** On one line, with nothing hidden in it and never empty: it becomes the name of a key. */
export function clientName(given: string | undefined, host: string): string {
  const line = replaceUnseenBetweenLetters((given ?? '').normalize('NFC'), () => '')
  const name = line.replace(/\s+/g, ' ').trim() || host
  return firstCharacters(name, MAX_GIVEN_NAME_CHARACTERS).trim()
}
