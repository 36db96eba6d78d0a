import { useQuery } from '@tanstack/react-query'
import { isInstanceOwner, PROJECT_ROLES, type ProjectRole } from '@tidemark/wire/people/role'
import { sessionQuery } from './session.ts'

/** For a role by itself; inside a sentence it is in lower case. */
export const ROLE_WORDS: Record<ProjectRole, string> = { viewer: 'Viewer', member: 'Member', owner: 'Owner' }

/** As a list to choose from, the least first. */
export const ROLES = PROJECT_ROLES.map((value) => ({ value, label: ROLE_WORDS[value] }))

/** The viewer's own role in the project; the least one until it is known. */
export function useRole(projectId: string): ProjectRole {
  const { data: session } = useQuery(sessionQuery)
  if (session && isInstanceOwner(session.person)) return 'owner'
  return session?.projects.find(({ id }) => id === projectId)?.role ?? 'viewer'
}
