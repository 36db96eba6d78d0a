import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../api/session.ts'

/** Where senders and agents reach the service, which may be elsewhere than the page. */
export function useAddresses(): { ingest: string; mcp: string } {
  const { data: session } = useQuery(sessionQuery)
  return session?.addresses ?? { ingest: location.origin, mcp: location.origin }
}
