/**
 * Sessions are looked up for every request and never cached: one that was ended is refused from the next
 * request on, on every node.
 */
import { HOUR_MS, MINUTE_MS } from '@tidemark/wire/time/units'
import { SESSION_MAX_MS, SESSION_TOKEN_BYTES, type Session, type SessionOrigin } from '../../model/person.ts'
import { appendAudit } from '../audit.ts'
import type { ControlDatabase } from '../database/database.ts'
import { toPerson } from './accounts.ts'
import { newToken, tokenHash } from './token.ts'

export const SESSION_IDLE_MS = 12 * HOUR_MS
/** Use is recorded this coarsely, so that reading the dashboard does not write on every request. */
const SEEN_EVERY_MS = 5 * MINUTE_MS

type NewSession = {
  personId: string
  origin: SessionOrigin
  /** Ended at the same moment, so that signing in always changes the token. */
  replaces: string | undefined
  address: string
}

export type Sessions = {
  /** The only time the token is known. */
  open(input: NewSession, nowMs: number): Promise<string>
  find(token: string, nowMs: number): Promise<Session | null>
  /** Twice does no harm. */
  close(token: string, nowMs: number): Promise<void>
  /** A refused sign-in, by `personId` or with an e-mail that nobody has. */
  noteRefusal(refusal: { personId: string | null; address: string; reason: string }, nowMs: number): Promise<void>
}

export function createSessions(database: ControlDatabase): Sessions {
  const { db } = database
  return {
    async open({ personId, origin, replaces, address }, nowMs) {
      const token = newToken(SESSION_TOKEN_BYTES)
      await db.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom('sessions')
          .where((eb) =>
            eb.or([
              eb('seen_at', '<=', nowMs - SESSION_IDLE_MS),
              eb('created_at', '<=', nowMs - SESSION_MAX_MS),
              eb('token_sha256', '=', tokenHash(replaces ?? '')),
            ]),
          )
          .execute()
        await transaction
          .insertInto('sessions')
          .values({ token_sha256: tokenHash(token), person_id: personId, origin, created_at: nowMs, seen_at: nowMs })
          .execute()
        const entry = { action: 'session.opened', projectId: null, details: { origin, address } } as const
        await appendAudit(database, transaction, { by: personId, nowMs }, entry)
      })
      return token
    },

    async find(token, nowMs) {
      const hash = tokenHash(token)
      const row = await db
        .selectFrom('sessions')
        .innerJoin('people', 'people.id', 'sessions.person_id')
        .selectAll('people')
        .select(['sessions.origin', 'sessions.seen_at', 'sessions.created_at as opened_at'])
        .where('token_sha256', '=', hash)
        .executeTakeFirst()
      if (!row || row.seen_at + SESSION_IDLE_MS <= nowMs || row.opened_at + SESSION_MAX_MS <= nowMs) return null
      if (row.seen_at + SEEN_EVERY_MS <= nowMs) {
        await db.updateTable('sessions').set({ seen_at: nowMs }).where('token_sha256', '=', hash).execute()
      }
      return { person: toPerson(row), origin: row.origin as SessionOrigin }
    },

    async close(token, nowMs) {
      await db.transaction().execute(async (transaction) => {
        const ended = await transaction
          .deleteFrom('sessions')
          .where('token_sha256', '=', tokenHash(token))
          .returning('person_id')
          .executeTakeFirst()
        if (!ended) return
        const entry = { action: 'session.closed', projectId: null, details: {} } as const
        await appendAudit(database, transaction, { by: ended.person_id, nowMs }, entry)
      })
    },

    async noteRefusal({ personId, address, reason }, nowMs) {
      await db.transaction().execute(async (transaction) => {
        const entry = { action: 'session.refused', projectId: null, details: { reason, address } } as const
        await appendAudit(database, transaction, { by: personId ?? 'nobody', nowMs }, entry)
      })
    },
  }
}
