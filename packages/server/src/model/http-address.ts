/**
 * The address that a text is, if it may be opened from a page or by the service; otherwise null. The parser forgives too
 * much: it skips spaces and line ends, so that it would read another address than was sent, and it takes `https:run`, which
 * a page would read as a part of itself.
 */
export function httpAddress(text: string): URL | null {
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text) ? new URL(text) : null
}

/** Why an address that others will see is not taken, in words that follow a field's name. */
export const WITH_CREDENTIALS = 'holds a name or a password: everybody in the project would see it, so leave it out'

export function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== ''
}
