/** Who may do what in which project. */

import type { Member } from '@tidemark/wire/people/member'
import { isInstanceOwner, type ProjectRole } from '@tidemark/wire/people/role'
import { AppError } from '../../errors.ts'
import type { Person } from '../../model/person.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import { appendAudit, type Change } from '../audit.ts'
import { isoTimeOrNull } from '../database/columns.ts'
import type { ControlDatabase } from '../database/database.ts'
import { toProject } from '../projects/projects.ts'
import { type PersonRow, unknownPerson } from './accounts.ts'
import { membersOf, roleIn } from './membership.ts'

export type Access = { project: ProjectWithSettings; role: ProjectRole }

export type Members = {
  /** Null when the person has no access, and for projects that do not or no longer exist. */
  access(person: Pick<Person, 'id' | 'role'>, projectId: string): Promise<Access | null>
  /** Newest first, ties by id. */
  projectsOf(person: Pick<Person, 'id' | 'role'>): Promise<Access[]>
  /** By name, owners of the instance included. */
  list(projectId: string): Promise<Member[]>
  /** A person who is already a member keeps their role. */
  add(projectId: string, personId: string, role: ProjectRole, change: Change): Promise<void>
  changeRole(projectId: string, personId: string, role: ProjectRole, change: Change): Promise<Member>
  /** All sessions of the person end in the same transaction. */
  remove(projectId: string, personId: string, change: Change): Promise<void>
}

export function createMembers(database: ControlDatabase): Members {
  const { db } = database
  const reachable = (personId: string) =>
    db
      .selectFrom('projects')
      .leftJoin('memberships', (join) =>
        join.onRef('memberships.project_id', '=', 'projects.id').on('memberships.person_id', '=', personId),
      )
      .selectAll('projects')
      .select('memberships.role as role')
      .where('projects.deleted_at', 'is', null)

  async function refuseInstanceOwner(personId: string): Promise<void> {
    const row = await db.selectFrom('people').select('role').where('id', '=', personId).executeTakeFirst()
    if (row && isInstanceOwner(row)) throw instanceOwnerStays()
  }

  return {
    async access(person, projectId) {
      const row = await reachable(person.id).where('projects.id', '=', projectId).executeTakeFirst()
      const role = roleIn(person, row?.role)
      return row && role ? { project: toProject(row), role } : null
    },

    async projectsOf(person) {
      let query = reachable(person.id).orderBy('projects.created_at', 'desc').orderBy('projects.id', 'desc')
      if (!isInstanceOwner(person)) query = query.where('memberships.role', 'is not', null)
      const rows = await query.execute()
      return rows.map((row) => ({ project: toProject(row), role: roleIn(person, row.role)! }))
    },

    async list(projectId) {
      const rows = await membersOf(db, projectId).orderBy('people.name').orderBy('people.id').execute()
      return rows.map((row) => toMember(row, row.project_role, row.joined_at))
    },

    async add(projectId, personId, role, change) {
      await db.transaction().execute(async (transaction) => {
        const added = await transaction
          .insertInto('memberships')
          .values({ project_id: projectId, person_id: personId, role, created_at: change.nowMs })
          .onConflict((conflict) => conflict.columns(['project_id', 'person_id']).doNothing())
          .returning('person_id')
          .executeTakeFirst()
        if (!added) return
        const entry = { action: 'member.added', projectId, details: { personId, role } } as const
        await appendAudit(database, transaction, change, entry)
      })
    },

    async changeRole(projectId, personId, role, change) {
      await refuseInstanceOwner(personId)
      return db.transaction().execute(async (transaction) => {
        const inProject = transaction
          .selectFrom('memberships')
          .selectAll()
          .where('project_id', '=', projectId)
          .where('person_id', '=', personId)
        const before = await inProject.executeTakeFirst()
        const after = await transaction
          .updateTable('memberships')
          .set({ role })
          .where('project_id', '=', projectId)
          .where('person_id', '=', personId)
          .returningAll()
          .executeTakeFirst()
        const person = await transaction.selectFrom('people').selectAll().where('id', '=', personId).executeTakeFirst()
        if (!before || !after || !person) throw unknownPerson()
        if (before.role !== role) {
          const details = { personId, from: before.role, to: role }
          await appendAudit(database, transaction, change, { action: 'member.role_changed', projectId, details })
        }
        return toMember(person, role, after.created_at)
      })
    },

    async remove(projectId, personId, change) {
      await refuseInstanceOwner(personId)
      await db.transaction().execute(async (transaction) => {
        const removed = await transaction
          .deleteFrom('memberships')
          .where('project_id', '=', projectId)
          .where('person_id', '=', personId)
          .returning('role')
          .executeTakeFirst()
        if (!removed) throw unknownPerson()
        await transaction.deleteFrom('sessions').where('person_id', '=', personId).execute()
        // What they shared stays, for owners of the project to change.
        await transaction
          .deleteFrom('saved_views')
          .where('project_id', '=', projectId)
          .where('owner', '=', personId)
          .where('is_shared', '=', 0)
          .execute()
        const entry = { action: 'member.removed', projectId, details: { personId, role: removed.role } } as const
        await appendAudit(database, transaction, change, entry)
      })
    },
  }
}

function toMember(person: PersonRow, projectRole: string | null, joinedAt: number | null): Member {
  const isOwner = isInstanceOwner(person)
  return {
    personId: person.id,
    email: person.email,
    name: person.name,
    role: roleIn(person, projectRole)!,
    isInstanceOwner: isOwner,
    joinedAt: isOwner ? null : isoTimeOrNull(joinedAt),
  }
}

function instanceOwnerStays(): AppError {
  return new AppError('conflict', 'An owner of the instance owns every project and can be neither changed nor removed.')
}
