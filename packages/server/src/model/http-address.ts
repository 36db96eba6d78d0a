import { isSeenWhole } from '@tidemark/wire/text/stranger-text'

/**
 * Parses an address that people or the service may open; null when it is none. The parser of `URL` is too lenient alone: it
 * skips spaces and line ends, accepts `https:run`, which a page reads as a path of its own, and `https:///run`, whose host
 * is `run`. Bidirectional and invisible characters would show people another address than they open.
 */
export function httpAddress(text: string): URL | null {
  return /^https?:\/\/[^\s/\\]\S*$/i.test(text) && isSeenWhole(text) && URL.canParse(text) ? new URL(text) : null
}

/** Why an address that others will see is not taken, in words that follow a field's name. */
export const WITH_CREDENTIALS = 'holds a name or a password: everybody in the project would see it, so leave it out'

export function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== ''
}
