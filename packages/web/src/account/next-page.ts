/** Where to go on after signing in. */
export type SignInSearch = { next?: string | undefined }

export function signInSearch({ next }: Record<string, unknown>): SignInSearch {
  return typeof next === 'string' && next !== '' ? { next } : {}
}

/** Only a path of this service: an address that leads elsewhere is not followed. */
export function safeNext(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])/.test(next) ? next : '/'
}
