import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { SessionAnswer } from '@tidemark/wire/account'
import { sessionQuery } from '../api/session.ts'

/** Goes on as whoever has just signed in, with nothing left of whoever was there before. */
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
