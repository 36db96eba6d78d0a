/** Who is a member of a project, and as what. Owners of the instance own every project and have no row in `memberships`. */
import { isInstanceOwner, type ProjectRole } from '@tidemark/wire/people/role'
import type { Kysely } from 'kysely'
import type { ControlSchema } from '../database/schema.ts'

/** All of them, with what is known of their membership: null for owners of the instance. */
export function membersOf(db: Kysely<ControlSchema>, projectId: string) {
  return db
    .selectFrom('people')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.person_id', '=', 'people.id').on('memberships.project_id', '=', projectId),
    )
    .selectAll('people')
    .select(['memberships.role as project_role', 'memberships.created_at as joined_at'])
    .where((eb) => eb.or([eb('people.role', '=', 'owner'), eb('memberships.role', 'is not', null)]))
}

/** `projectRole`: that of the membership. Null for somebody who is not a member. */
export function roleIn(person: { role: string }, projectRole: string | null | undefined): ProjectRole | null {
  return isInstanceOwner(person) ? 'owner' : ((projectRole ?? null) as ProjectRole | null)
}
