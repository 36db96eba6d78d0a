/** Links that let one person, named by e-mail, into one project, once. Only the hash of the token is kept. */

import { MAX_OPEN_INVITATIONS, MAX_OPEN_INVITATIONS_OF_A_PERSON } from '@tidemark/wire/limits'
import type { Invitation } from '@tidemark/wire/people/member'
import type { ProjectRole } from '@tidemark/wire/people/role'
import { withCommas } from '@tidemark/wire/text/counted'
import { AppError } from '../../errors.ts'
import { newId } from '../../model/id.ts'
import type { Person } from '../../model/person.ts'
import { appendAudit, type Change } from '../audit.ts'
import { isoTime } from '../database/columns.ts'
import type { ControlDatabase, ControlTransaction } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'
import { insertPerson } from './accounts.ts'
import { checkedEmail, emailKey } from './input.ts'
import { membersOf } from './membership.ts'
import { LINK_MS, newToken, tokenHash } from './token.ts'

type NewInvitation = { projectId: string; email: string; role: ProjectRole }
/** Somebody who already has an account, or the details of a new one. */
type Invited = { person: Person } | { name: string; passwordHash: string }
export type OpenInvitation = { invitation: Invitation; projectName: string; hasAccount: boolean }

export type Invitations = {
  /** The only time the token is known. An earlier invitation for the same e-mail ends; a member, or one too many, is a `conflict`. */
  create(input: NewInvitation, change: Change): Promise<{ invitation: Invitation; token: string }>
  /** Those that can still be accepted, newest first. */
  list(projectId: string, nowMs: number): Promise<Invitation[]>
  revoke(projectId: string, id: string, change: Change): Promise<void>
  /** Null for tokens that are unknown, used, revoked or too old, all alike. */
  find(token: string, nowMs: number): Promise<OpenInvitation | null>
  /** However many try at once, one gets in: invitation, account and membership change together or not at all. */
  accept(token: string, invited: Invited, nowMs: number): Promise<Person>
}

type InvitationRow = ControlSchema['invitations']

export function createInvitations(database: ControlDatabase): Invitations {
  const { db } = database

  /** A link must not survive its project. */
  const open = (token: string, nowMs: number) =>
    db
      .selectFrom('invitations')
      .innerJoin('projects', 'projects.id', 'invitations.project_id')
      .leftJoin('people', 'people.email_key', 'invitations.email_key')
      .selectAll('invitations')
      .select(['projects.name as project_name', 'people.id as person_id'])
      .where('token_sha256', '=', tokenHash(token))
      .where('projects.deleted_at', 'is', null)
      .where('expires_at', '>', nowMs)

  return {
    async create({ projectId, role, ...input }, change) {
      const email = checkedEmail(input.email)
      const token = newToken()
      const row: InvitationRow = {
        id: newId('inv', change.nowMs),
        project_id: projectId,
        email,
        email_key: emailKey(email),
        role,
        token_sha256: tokenHash(token),
        created_at: change.nowMs,
        created_by: change.by,
        expires_at: change.nowMs + LINK_MS,
      }
      await db.transaction().execute(async (transaction) => {
        const member = await membersOf(transaction, projectId).where('email_key', '=', row.email_key).executeTakeFirst()
        if (member)
          throw new AppError('conflict', `${email} is already a member. Change the role in the list of members.`)
        await requireRoom(database, transaction, row)
        const { id: _, ...renewed } = row
        const kept = await transaction
          .insertInto('invitations')
          .values(row)
          .onConflict((conflict) => conflict.columns(['project_id', 'email_key']).doUpdateSet(renewed))
          .returning('id')
          .executeTakeFirstOrThrow()
        row.id = kept.id
        const details = { invitationId: row.id, email, role }
        await appendAudit(database, transaction, change, { action: 'invitation.created', projectId, details })
      })
      return { invitation: toInvitation(row), token }
    },

    async list(projectId, nowMs) {
      const rows = await db
        .selectFrom('invitations')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('expires_at', '>', nowMs)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return rows.map(toInvitation)
    },

    async revoke(projectId, id, change) {
      await db.transaction().execute(async (transaction) => {
        const row = await transaction
          .deleteFrom('invitations')
          .where('project_id', '=', projectId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst()
        if (!row) throw new AppError('not_found', 'There is no such invitation. List the invitations to find it.')
        const details = { invitationId: id, email: row.email, role: row.role }
        await appendAudit(database, transaction, change, { action: 'invitation.revoked', projectId, details })
      })
    },

    async find(token, nowMs) {
      const row = await open(token, nowMs).executeTakeFirst()
      if (!row) return null
      return { invitation: toInvitation(row), projectName: row.project_name, hasAccount: row.person_id !== null }
    },

    async accept(token, invited, nowMs) {
      const found = await open(token, nowMs).executeTakeFirst()
      if (!found) throw invitationGone()
      return db.transaction().execute(async (transaction) => {
        const taken = await transaction
          .deleteFrom('invitations')
          .where('token_sha256', '=', tokenHash(token))
          .returningAll()
          .executeTakeFirst()
        if (!taken) throw invitationGone()
        const { project_id: projectId, email, role } = taken
        if ('person' in invited && emailKey(invited.person.email) !== taken.email_key) throw forSomebodyElse(email)
        const person =
          'person' in invited
            ? invited.person
            : await insertPerson(transaction, { ...invited, email, role: 'member' }, nowMs)
        await transaction
          .insertInto('memberships')
          .values({ project_id: projectId, person_id: person.id, role, created_at: nowMs })
          .onConflict((conflict) => conflict.columns(['project_id', 'person_id']).doNothing())
          .execute()
        const change = { by: person.id, nowMs }
        if (!('person' in invited)) {
          const details = { personId: person.id, email: person.email, role: person.role }
          await appendAudit(database, transaction, change, { action: 'person.created', projectId: null, details })
        }
        const details = { personId: person.id, role, invitationId: taken.id, invitedBy: taken.created_by }
        await appendAudit(database, transaction, change, { action: 'member.added', projectId, details })
        return person
      })
    },
  }
}

/** An invitation of the same e-mail is replaced, so it does not count. */
async function requireRoom(
  database: ControlDatabase,
  transaction: ControlTransaction,
  { project_id: projectId, email_key: email, created_at: nowMs, created_by: person }: InvitationRow,
): Promise<void> {
  await database.lock(transaction, 'limits')
  const others = transaction
    .selectFrom('invitations')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('expires_at', '>', nowMs)
    .where((eb) => eb.or([eb('project_id', '!=', projectId), eb('email_key', '!=', email)]))
  const ofProject = await others.where('project_id', '=', projectId).executeTakeFirstOrThrow()
  const ofPerson = await others.where('created_by', '=', person).executeTakeFirstOrThrow()
  const [limit, who] =
    ofProject.open >= MAX_OPEN_INVITATIONS
      ? [MAX_OPEN_INVITATIONS, 'A project']
      : ofPerson.open >= MAX_OPEN_INVITATIONS_OF_A_PERSON
        ? [MAX_OPEN_INVITATIONS_OF_A_PERSON, 'A person']
        : []
  if (limit === undefined) return
  throw new AppError(
    'conflict',
    `${who} has at most ${withCommas(limit)} open invitations. Revoke some in Settings, Members, or wait until they are accepted or expire.`,
  )
}

export function invitationGone(): AppError {
  return new AppError('not_found', 'This invitation was used, ended or replaced. Ask for a new link.')
}

function forSomebodyElse(email: string): AppError {
  return new AppError('forbidden', `This invitation is for ${email}: sign out, then open the link again.`)
}

function toInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role as ProjectRole,
    createdAt: isoTime(row.created_at),
    createdBy: row.created_by,
    expiresAt: isoTime(row.expires_at),
  }
}
