import { useQuery } from '@tanstack/react-query'
import type { ProjectRole } from '@tidemark/wire/project'
import { sessionQuery } from '../api/session.ts'

/** The viewer's own role in the project; the least one until it is known. */
export function useRole(projectId: string): ProjectRole {
  const { data: session } = useQuery(sessionQuery)
  if (session?.person.role === 'owner') return 'owner'
  return session?.projects.find(({ id }) => id === projectId)?.role ?? 'viewer'
}
