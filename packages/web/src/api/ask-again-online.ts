/**
 * With the network back, what got no answer without it is asked for again, and nobody has to press Retry. TanStack Query
 * does this only for requests that it held back; ours fail and say so.
 */
import type { QueryClient } from '@tanstack/react-query'
import { isStatus } from './request.ts'

export function askAgainOnline(queryClient: QueryClient, page: EventTarget): void {
  page.addEventListener('online', () => {
    queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => isStatus(state.error, 0) })
  })
}
