/** What the sign-in pages have in common. */
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { MIN_PASSWORD_CHARACTERS } from '@tidemark/wire/limits'
import type { SessionAnswer } from '@tidemark/wire/people/account'
import { sessionQuery } from '../api/session.ts'

/** The service checks it; stated here so that nobody has to try. */
export const PASSWORD_HINT = `At least ${MIN_PASSWORD_CHARACTERS} characters.`

/** Continues as the person who has just signed in, with nothing left of the one before. */
export function useEnter(): (session: SessionAnswer, next?: string) => Promise<void> {
  const queryClient = useQueryClient()
  const router = useRouter()
  return async (session, next = '/') => {
    queryClient.clear()
    queryClient.setQueryData(sessionQuery.queryKey, session)
    router.history.replace(next)
    await router.invalidate()
  }
}

let taken = ''

/**
 * The token after `#`, removed from the address so that it does not stay in the history. Kept for the life of the page:
 * React may ask for a first state twice.
 */
export function takeLinkToken(): string {
  const token = location.hash.slice(1)
  if (token !== '') {
    taken = token
    history.replaceState(history.state, '', location.pathname)
  }
  return taken
}
