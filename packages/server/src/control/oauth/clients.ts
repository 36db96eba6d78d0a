/**
 * OAuth clients that registered themselves. Anybody may, so registering proves nothing, and unused ones are
 * forgotten: after some weeks, or when there are too many, the oldest first.
 */

import { DAY_MS } from '@tidemark/wire/time/units'
import { z } from 'zod'
import { newId } from '../../model/id.ts'
import { parseColumn } from '../database/columns.ts'
import type { ControlDatabase } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'
import { holdsAt } from '../keys/key-holds.ts'

/** A client that was given no key for this long, and holds none, must register again. */
export const CLIENT_MEMORY_MS = 30 * DAY_MS
/** Beyond that many without a key, the oldest are forgotten. */
const MAX_UNUSED_CLIENTS = 5_000

const redirectUris = z.array(z.string())

type OAuthClient = { id: string; name: string; redirectUris: string[] }

export type OAuthClients = {
  register(input: { name: string; redirectUris: readonly string[] }, nowMs: number): Promise<OAuthClient>
  find(id: string): Promise<OAuthClient | null>
}

export function createOAuthClients({ db }: ControlDatabase, maxUnused = MAX_UNUSED_CLIENTS): OAuthClients {
  return {
    async register({ name, redirectUris: uris }, nowMs) {
      const id = newId('cli', nowMs)
      const row = { id, name, redirect_uris: JSON.stringify(uris), created_at: nowMs, used_at: null }
      await db.transaction().execute(async (transaction) => {
        const holdsKey = transaction
          .selectFrom('api_keys')
          .select('client_id')
          .where('client_id', 'is not', null)
          .where(holdsAt(nowMs))
        await transaction
          .deleteFrom('oauth_clients')
          .where((eb) => eb(eb.fn.coalesce('used_at', 'created_at'), '<', nowMs - CLIENT_MEMORY_MS))
          .where('id', 'not in', holdsKey)
          .execute()
        await transaction.insertInto('oauth_clients').values(row).execute()
        const tooMany = transaction
          .selectFrom('oauth_clients')
          .select('id')
          .where('used_at', 'is', null)
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .limit(ALL)
          .offset(maxUnused)
        await transaction.deleteFrom('oauth_clients').where('id', 'in', tooMany).execute()
      })
      return toClient(row)
    },

    async find(id) {
      const row = await db.selectFrom('oauth_clients').selectAll().where('id', '=', id).executeTakeFirst()
      return row ? toClient(row) : null
    },
  }
}

/** SQLite knows no offset without a limit. */
const ALL = 1_000_000

function toClient({ id, name, redirect_uris: uris }: ControlSchema['oauth_clients']): OAuthClient {
  return { id, name, redirectUris: parseColumn(redirectUris, uris) }
}
