/** Where a client may have people sent back to, with a code in the address. */

import { MAX_URL_CHARACTERS } from '@tidemark/wire/limits'
import { withCommas } from '@tidemark/wire/text/counted'
import { hasCredentials } from '../../model/http-address.ts'

/** The machine that the browser runs on. Programs there listen on whichever port is free (RFC 8252). */
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/?]|$)/

/** Undefined when it is allowed. */
export function redirectProblem(uri: string): string | undefined {
  if (uri.length > MAX_URL_CHARACTERS) return `is longer than ${withCommas(MAX_URL_CHARACTERS)} characters`
  // What the browser would drop or change must not make two addresses of one text.
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes('\\') || !URL.canParse(uri)) return 'is not an absolute address'
  const url = new URL(uri)
  if (uri.includes('#')) return 'must not have a fragment (#)'
  if (hasCredentials(url)) return 'must not hold a name or a password'
  if (isLoopbackUri(uri) || /^https:\/\/[^/]/.test(uri)) return undefined
  return 'must begin with https:// and a host, or with http:// on the loopback interface'
}

export function isLoopbackUri(uri: string): boolean {
  return LOOPBACK.test(uri)
}

/** Character by character, but for the port on the loopback interface. */
export function isSameRedirect(registered: string, given: string): boolean {
  if (registered === given) return true
  return isLoopbackUri(registered) && isLoopbackUri(given) && withoutPort(registered) === withoutPort(given)
}

function withoutPort(uri: string): string {
  return uri.replace(LOOPBACK, 'http://$1')
}

/** The answer for the client, after what its address already holds. */
export function withAnswer(uri: string, answer: Record<string, string | undefined>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) parameters.set(name, value)
  return `${uri}${uri.includes('?') ? '&' : '?'}${parameters}`
}
