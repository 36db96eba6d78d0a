/** Where to go on after signing in. */
/** `ended`: a session was lost while its page was open. */
type SignInSearch = { next?: string | undefined; ended?: 'yes' | undefined }

export function signInSearch({ next, ended }: Record<string, unknown>): SignInSearch {
  return {
    ...(typeof next === 'string' && next !== '' ? { next } : {}),
    ...(ended === 'yes' ? { ended } : {}),
  }
}

/** Only a path of this service: an address that leads elsewhere is not followed. */
export function safeNext(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])/.test(next) ? next : '/'
}
