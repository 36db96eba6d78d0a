/**
 * Authorization codes: what a person agreed to, until the client fetches the key. A code is good for one try within a
 * minute, whatever comes of it. A second try means that two parties know the code, so what the first one got is revoked.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { isAtLeast, KEY_MAKER_ROLE } from '@tidemark/wire/people/role'
import { HOUR_MS, MINUTE_MS } from '@tidemark/wire/time/units'
import { AppError } from '../../errors.ts'
import { newId } from '../../model/id.ts'
import type { ApiKey, KeyClient } from '../../model/key.ts'
import { membersOf, roleIn } from '../accounts/membership.ts'
import { newToken, tokenHash } from '../accounts/token.ts'
import { appendAudit, type Change } from '../audit.ts'
import type { ControlDatabase, ControlTransaction } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'
import { checkedGivenName } from '../given-name.ts'
import { hasRoomForKey, insertKey, revokeKey, TOO_MANY_KEYS } from '../keys/keys.ts'

export const CODE_MS = MINUTE_MS
const CODE_BYTES = 32
/** For this long after its end a code that comes again is recognised. */
const CODE_MEMORY_MS = 24 * HOUR_MS

/** What a person agreed to. */
export type Grant = {
  client: KeyClient
  redirectUri: string
  resource: string
  /** Of PKCE, S256. */
  challenge: string
  projectId: string
  keyName: string
  keyLifetimeMs: number
}

/** What a client shows to get the key. Left out, it is not compared: PKCE and the client are always. */
export type Redemption = {
  code: string
  clientId: string
  verifier: string
  redirectUri: string | undefined
  resource: string | undefined
}

type Fault = 'expired' | 'other_client' | 'other_redirect' | 'other_resource' | 'wrong_verifier'

type Redeemed =
  | { status: 'ok'; key: ApiKey; secret: string }
  | { status: Fault | 'unknown' | 'reused' | 'no_access' | 'too_many_keys' }

export type OAuthCodes = {
  /** The only time the code is known. A `conflict` when the project has no room for another key. */
  issue(grant: Grant, change: Change): Promise<string>
  /** The key belongs to the person who agreed, if they may still make keys of the project. */
  redeem(redemption: Redemption, nowMs: number): Promise<Redeemed>
}

type CodeRow = ControlSchema['oauth_codes']

export function createOAuthCodes(database: ControlDatabase): OAuthCodes {
  const { db } = database
  return {
    async issue({ client, redirectUri, resource, challenge, projectId, keyName, keyLifetimeMs }, change) {
      const code = newToken(CODE_BYTES)
      const row: CodeRow = {
        code_sha256: tokenHash(code),
        client_id: client.id,
        client_name: client.name,
        client_host: client.host,
        redirect_uri: redirectUri,
        resource,
        challenge,
        project_id: projectId,
        person_id: change.by,
        key_name: checkedGivenName(keyName, "The key's name"),
        key_lifetime_ms: keyLifetimeMs,
        expires_at: change.nowMs + CODE_MS,
        used_at: null,
        key_id: null,
      }
      await db.transaction().execute(async (transaction) => {
        // Here the person can do something about it; the client can not.
        if (!(await hasRoomForKey(database, transaction, projectId, change.nowMs))) {
          throw new AppError('conflict', TOO_MANY_KEYS)
        }
        await transaction
          .deleteFrom('oauth_codes')
          .where('expires_at', '<', change.nowMs - CODE_MEMORY_MS)
          .execute()
        await transaction.insertInto('oauth_codes').values(row).execute()
        const details = { client: client.name, clientId: client.id, clientHost: client.host, keyName: row.key_name }
        await appendAudit(database, transaction, change, { action: 'oauth.consented', projectId, details })
      })
      return code
    },

    async redeem(redemption, nowMs) {
      const hash = tokenHash(redemption.code)
      return db.transaction().execute(async (transaction): Promise<Redeemed> => {
        const row = await transaction
          .updateTable('oauth_codes')
          .set({ used_at: nowMs })
          .where('code_sha256', '=', hash)
          .where('used_at', 'is', null)
          .returningAll()
          .executeTakeFirst()
        if (!row) return reused(database, transaction, hash, nowMs)
        const fault = faultOf(row, redemption, nowMs)
        if (fault) return { status: fault }
        if (!(await mayMakeKeys(transaction, row))) return { status: 'no_access' }
        if (!(await hasRoomForKey(database, transaction, row.project_id, nowMs))) return { status: 'too_many_keys' }
        const keyId = newId('key', nowMs)
        await transaction.updateTable('oauth_codes').set({ key_id: keyId }).where('code_sha256', '=', hash).execute()
        await transaction.updateTable('oauth_clients').set({ used_at: nowMs }).where('id', '=', row.client_id).execute()
        const client = { id: row.client_id, name: row.client_name, host: row.client_host }
        const expiresAtMs = nowMs + row.key_lifetime_ms
        const key = { projectId: row.project_id, kind: 'read', name: row.key_name, expiresAtMs, client } as const
        const made = await insertKey(database, transaction, key, { by: row.person_id, nowMs }, keyId)
        return { status: 'ok', ...made }
      })
    },
  }
}

function faultOf(row: CodeRow, shown: Redemption, nowMs: number): Fault | undefined {
  if (row.expires_at <= nowMs) return 'expired'
  if (row.client_id !== shown.clientId) return 'other_client'
  if (shown.redirectUri !== undefined && row.redirect_uri !== shown.redirectUri) return 'other_redirect'
  if (shown.resource !== undefined && row.resource !== shown.resource) return 'other_resource'
  return isAnswerTo(row.challenge, shown.verifier) ? undefined : 'wrong_verifier'
}

function isAnswerTo(challenge: string, verifier: string): boolean {
  const [asked, answered] = [Buffer.from(challenge, 'base64url'), createHash('sha256').update(verifier).digest()]
  return asked.length === answered.length && timingSafeEqual(asked, answered)
}

async function reused(
  database: ControlDatabase,
  transaction: ControlTransaction,
  hash: string,
  nowMs: number,
): Promise<Redeemed> {
  const row = await transaction.selectFrom('oauth_codes').selectAll().where('code_sha256', '=', hash).executeTakeFirst()
  if (!row) return { status: 'unknown' }
  if (row.key_id === null) return { status: 'reused' }
  const change = { by: 'nobody', nowMs }
  const revoked = await revokeKey(database, transaction, row.key_id, change)
  if (!revoked) return { status: 'reused' }
  const details = { keyId: row.key_id, client: row.client_name, clientHost: row.client_host }
  const entry = { action: 'oauth.code_reused', projectId: row.project_id, details } as const
  await appendAudit(database, transaction, change, entry)
  return { status: 'reused' }
}

/** At this moment, whatever they were when they agreed. */
async function mayMakeKeys(transaction: ControlTransaction, row: CodeRow): Promise<boolean> {
  const project = await transaction
    .selectFrom('projects')
    .select('id')
    .where('id', '=', row.project_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!project) return false
  const person = await membersOf(transaction, project.id).where('people.id', '=', row.person_id).executeTakeFirst()
  const role = person ? roleIn(person, person.project_role) : null
  return role !== null && isAtLeast(role, KEY_MAKER_ROLE)
}
