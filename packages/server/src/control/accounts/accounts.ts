/** People. What they may do in a project is in `members.ts`, how they sign in is in `sessions.ts`. */
import type { InstanceRole } from '@tidemark/wire/people/role'
import { AppError } from '../../errors.ts'
import { newId } from '../../model/id.ts'
import type { Person } from '../../model/person.ts'
import { appendAudit, type Change } from '../audit.ts'
import { isoTime } from '../database/columns.ts'
import type { ControlDatabase, ControlTransaction } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'
import { checkedGivenName } from '../given-name.ts'
import { checkedEmail, emailKey } from './input.ts'

type NewPerson = { email: string; name: string; role: InstanceRole; passwordHash: string | null }

type PersonChanges = { email: string; name: string; passwordHash?: string | undefined }

export type Accounts = {
  /** An e-mail that somebody has, in any letter case, is a `conflict`. */
  create(input: NewPerson, change: Change): Promise<Person>
  /** By e-mail in any letter case. The hash leaves the store only for the comparison. */
  credentials(email: string): Promise<{ person: Person; passwordHash: string | null } | null>
  get(id: string): Promise<Person | null>
  /** The owner who came first. */
  firstOwner(): Promise<Person | null>
  /** With a new password all sessions of the person end, except the one whose token hash is given. */
  change(id: string, changes: PersonChanges, change: Change, keptSession?: string): Promise<Person>
  /** Names of those ids that are people. */
  names(ids: readonly string[]): Promise<Map<string, string>>
}

export type PersonRow = ControlSchema['people']

export function createAccounts(database: ControlDatabase): Accounts {
  const { db } = database
  return {
    async create(input, change) {
      return db.transaction().execute(async (transaction) => {
        const person = await insertPerson(transaction, input, change.nowMs)
        const details = { personId: person.id, email: person.email, role: person.role }
        await appendAudit(database, transaction, change, { action: 'person.created', projectId: null, details })
        return person
      })
    },

    async credentials(email) {
      const row = await db.selectFrom('people').selectAll().where('email_key', '=', emailKey(email)).executeTakeFirst()
      return row ? { person: toPerson(row), passwordHash: row.password_hash } : null
    },

    async get(id) {
      const row = await db.selectFrom('people').selectAll().where('id', '=', id).executeTakeFirst()
      return row ? toPerson(row) : null
    },

    async firstOwner() {
      const row = await db
        .selectFrom('people')
        .selectAll()
        .where('role', '=', 'owner')
        .orderBy('created_at')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      return row ? toPerson(row) : null
    },

    async change(id, { passwordHash, ...changes }, change, keptSession = '') {
      const email = checkedEmail(changes.email)
      const values = { email, email_key: emailKey(email), name: checkedGivenName(changes.name, 'The name') }
      const withHash = passwordHash === undefined ? values : { ...values, password_hash: passwordHash }
      return emailConflict(email, () =>
        db.transaction().execute(async (transaction) => {
          const before = await transaction.selectFrom('people').selectAll().where('id', '=', id).executeTakeFirst()
          const row = await transaction
            .updateTable('people')
            .set(withHash)
            .where('id', '=', id)
            .returningAll()
            .executeTakeFirst()
          if (!before || !row) throw unknownPerson()
          let endedSessions = 0
          if (passwordHash !== undefined) {
            const ended = await transaction
              .deleteFrom('sessions')
              .where('person_id', '=', id)
              .where('token_sha256', '!=', keptSession)
              .returning('token_sha256')
              .execute()
            endedSessions = ended.length
            // From now on this session, too, needs the password to change it again.
            await transaction
              .updateTable('sessions')
              .set({ origin: 'password' })
              .where('token_sha256', '=', keptSession)
              .execute()
          }
          if (before.email !== row.email || before.name !== row.name) {
            const details = {
              personId: id,
              from: { email: before.email, name: before.name },
              to: { email, name: row.name },
            }
            await appendAudit(database, transaction, change, { action: 'person.changed', projectId: null, details })
          }
          if (passwordHash !== undefined) {
            const entry = { action: 'person.password_changed', projectId: null } as const
            await appendAudit(database, transaction, change, { ...entry, details: { personId: id, endedSessions } })
          }
          return toPerson(row)
        }),
      )
    },

    async names(ids) {
      if (ids.length === 0) return new Map()
      const rows = await db.selectFrom('people').select(['id', 'name']).where('id', 'in', ids).execute()
      return new Map(rows.map((row) => [row.id, row.name]))
    },
  }
}

/** Part of a transaction that does more: the caller writes the audit entry. */
export async function insertPerson(transaction: ControlTransaction, input: NewPerson, nowMs: number): Promise<Person> {
  const email = checkedEmail(input.email)
  const row = {
    id: newId('usr', nowMs),
    email,
    email_key: emailKey(email),
    name: checkedGivenName(input.name, 'The name'),
    role: input.role,
    password_hash: input.passwordHash,
    created_at: nowMs,
  }
  await emailConflict(email, () => transaction.insertInto('people').values(row).execute())
  return toPerson(row)
}

export function toPerson(row: PersonRow): Person {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role as InstanceRole,
    hasPassword: row.password_hash !== null,
    createdAt: isoTime(row.created_at),
  }
}

export function unknownPerson(): AppError {
  return new AppError('not_found', 'There is no such person here. List the members to find them.')
}

async function emailConflict<Result>(email: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error
    throw new AppError('conflict', `Somebody already uses the e-mail ${email}. Sign in with it, or choose another.`, {
      cause: error,
    })
  }
}
