import { timingSafeEqual } from 'node:crypto'
import { MAX_ACTIVE_KEYS } from '@tidemark/wire/limits'
import type { KeyKind } from '@tidemark/wire/people/key-kind'
import { withCommas } from '@tidemark/wire/text/counted'
import type { InferResult } from 'kysely'
import { AppError } from '../../errors.ts'
import { newId } from '../../model/id.ts'
import type { ApiKey, KeyClient } from '../../model/key.ts'
import type { ProjectId, ProjectWithSettings } from '../../model/project.ts'
import { appendAudit, type Change } from '../audit.ts'
import { isoTime, isoTimeOrNull } from '../database/columns.ts'
import type { ControlDatabase, ControlTransaction } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'
import { checkedGivenName } from '../given-name.ts'
import { toProject, unknownProject } from '../projects/projects.ts'
import type { IngestCounts } from './ingest-counts.ts'
import { endOfKey, holdsAt } from './key-holds.ts'
import { isWellFormedSecret, newSecret, secretHash } from './key-secret.ts'
import type { KeyUse } from './key-use.ts'

type NewKey = {
  projectId: string
  kind: KeyKind
  name: string
  expiresAtMs: number | null
  client?: KeyClient
  /** Where the secret is made from the id of the key; otherwise it is random. */
  secretOf?: (id: string) => string
}

type KeyLookup =
  | { status: 'ok'; key: ApiKey; project: ProjectWithSettings }
  | { status: 'unknown' | 'revoked' | 'expired' | 'project_deleted' }

export type Keys = {
  /** The only time the secret is known: it is stored as a hash. Beyond `MAX_ACTIVE_KEYS` of the project it is a `conflict`. */
  create(input: NewKey, change: Change): Promise<{ key: ApiKey; secret: string }>
  /** Newest first, ties by id, revoked ones included. */
  list(projectId: string, nowMs?: number): Promise<ApiKey[]>
  /** Twice does no harm: `changed` says whether it was this call. `within` makes keys of other projects unknown. */
  revoke(id: string, change: Change, within?: string): Promise<{ key: ApiKey; changed: boolean }>
  /**
   * Asks the database every time (Invariant 4). Nothing may cache the answer: once a revoke has returned, no lookup that
   * begins later finds the key, on any node.
   */
  authenticate(secret: string, nowMs?: number): Promise<KeyLookup>
  /** The same by its id, for callers who have proved in another way that they may use it. */
  find(id: string, nowMs?: number): Promise<KeyLookup>
  /** Notes that an authenticated key was used; a first use is stored within a second. Never waits, never fails. */
  touch(key: Pick<ApiKey, 'id' | 'lastUsedAt'>, nowMs: number): void
}

type KeyRow = ControlSchema['api_keys']

export function createKeys(database: ControlDatabase, keyUse: KeyUse, ingestCounts: IngestCounts): Keys {
  const { db } = database
  // Every request asks this, and building the query costs more than SQLite takes to answer it.
  const withProject = db
    .selectFrom('api_keys')
    .innerJoin('projects', 'projects.id', 'api_keys.project_id')
    .selectAll('api_keys')
    .select(['projects.name as project_name', 'projects.created_at as project_created_at'])
    .select([
      'projects.deleted_at',
      'projects.default_environment',
      'projects.retention_days',
      'projects.retention_rules',
    ])
    .select(['projects.monthly_quota_records', 'projects.redaction'])
    .select(['projects.max_bytes_per_second', 'projects.max_requests_per_second'])
  const byHash = withProject.where('api_keys.secret_sha256', '=', '').compile()
  const byId = withProject.where('api_keys.id', '=', '').compile()
  type FoundRow = InferResult<typeof byHash>[number]

  function judge(row: FoundRow, nowMs: number): KeyLookup {
    if (row.deleted_at !== null) return { status: 'project_deleted' }
    const ended = endOfKey(row, nowMs)
    if (ended !== null) {
      if (row.kind === 'ingest') ingestCounts.note({ projectId: row.project_id, keyId: row.id }, 'key_ended', 1, nowMs)
      return { status: ended }
    }
    const project = { ...row, id: row.project_id, name: row.project_name, created_at: row.project_created_at }
    return { status: 'ok', key: toKey(row, nowMs), project: toProject(project) }
  }

  return {
    create: (input, change) =>
      db.transaction().execute((transaction) => insertKey(database, transaction, input, change)),

    async list(projectId, nowMs = Date.now()) {
      const rows = await db
        .selectFrom('api_keys')
        .selectAll()
        .where('project_id', '=', projectId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return rows.map((row) => toKey(row, nowMs))
    },

    async revoke(id, change, within) {
      return db.transaction().execute(async (transaction) => {
        const revoked = await revokeKey(database, transaction, id, change, within)
        if (revoked) return { key: revoked, changed: true }
        const row = await transaction.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst()
        if (!row || (within !== undefined && row.project_id !== within)) {
          throw new AppError('not_found', `No key has the id "${id}". List the project's keys to find it.`)
        }
        return { key: toKey(row, change.nowMs), changed: false }
      })
    },

    async authenticate(secret, nowMs = Date.now()) {
      if (!isWellFormedSecret(secret)) return { status: 'unknown' }
      const hash = secretHash(secret)
      const { rows } = await db.executeQuery<FoundRow>({
        ...byHash,
        parameters: [hash.toString('hex')],
      })
      const row = rows[0]
      if (!row || !timingSafeEqual(Buffer.from(row.secret_sha256, 'hex'), hash)) return { status: 'unknown' }
      return judge(row, nowMs)
    },

    async find(id, nowMs = Date.now()) {
      const { rows } = await db.executeQuery<FoundRow>({ ...byId, parameters: [id] })
      return rows[0] ? judge(rows[0], nowMs) : { status: 'unknown' }
    },

    touch: ({ id, lastUsedAt }, nowMs) => keyUse.touch(id, nowMs, lastUsedAt === null),
  }
}

/** Makes a key within a transaction. Call it last: it ends with the entry of the audit. */
export async function insertKey(
  database: ControlDatabase,
  transaction: ControlTransaction,
  input: NewKey,
  change: Change,
  id: string = newId('key', change.nowMs),
): Promise<{ key: ApiKey; secret: string }> {
  const secret = input.secretOf?.(id) ?? newSecret(input.kind)
  const row: KeyRow = {
    id,
    project_id: input.projectId,
    kind: input.kind,
    name: input.name.trim() && checkedGivenName(input.name, "The key's name"),
    secret_sha256: secretHash(secret).toString('hex'),
    last_four: secret.slice(-4),
    created_at: change.nowMs,
    created_by: change.by,
    expires_at: input.expiresAtMs,
    revoked_at: null,
    last_used_at: null,
    client_id: input.client?.id ?? null,
    client_name: input.client?.name ?? null,
    client_host: input.client?.host ?? null,
  }
  const project = await transaction
    .selectFrom('projects')
    .select('id')
    .where('id', '=', input.projectId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!project) throw unknownProject(input.projectId)
  if (!(await hasRoomForKey(database, transaction, input.projectId, change.nowMs)))
    throw new AppError('conflict', TOO_MANY_KEYS)
  await transaction.insertInto('api_keys').values(row).execute()
  const details = {
    keyId: row.id,
    kind: row.kind,
    name: row.name,
    expiresAt: isoTimeOrNull(row.expires_at),
    ...(input.client && { client: input.client.name, clientHost: input.client.host }),
  }
  const entry = { action: 'key.created', projectId: input.projectId, details } as const
  await appendAudit(database, transaction, change, entry)
  return { key: toKey(row, change.nowMs), secret }
}

export const TOO_MANY_KEYS = `A project has at most ${withCommas(MAX_ACTIVE_KEYS)} active keys. Revoke keys that are not used any more in Settings, API & MCP keys, or with \`tidemark key revoke\`, then try again.`

/** Other nodes wait until the transaction ends, so the limit is exact. */
export async function hasRoomForKey(
  database: ControlDatabase,
  transaction: ControlTransaction,
  projectId: string,
  nowMs: number,
): Promise<boolean> {
  await database.lock(transaction, 'limits')
  const { keys } = await transaction
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('keys'))
    .where('project_id', '=', projectId)
    .where(holdsAt(nowMs))
    .executeTakeFirstOrThrow()
  return keys < MAX_ACTIVE_KEYS
}

/** Likewise; undefined when there is no such key, or it had been revoked. */
export async function revokeKey(
  database: ControlDatabase,
  transaction: ControlTransaction,
  id: string,
  change: Change,
  within?: string,
): Promise<ApiKey | undefined> {
  let update = transaction
    .updateTable('api_keys')
    .set({ revoked_at: change.nowMs })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
  if (within !== undefined) update = update.where('project_id', '=', within)
  const revoked = await update.returningAll().executeTakeFirst()
  if (!revoked) return undefined
  const details = { keyId: id, kind: revoked.kind, name: revoked.name }
  const entry = { action: 'key.revoked', projectId: revoked.project_id, details } as const
  await appendAudit(database, transaction, change, entry)
  return toKey(revoked, change.nowMs)
}

function toKey(row: KeyRow, nowMs: number): ApiKey {
  return {
    id: row.id,
    projectId: row.project_id as ProjectId,
    kind: row.kind as KeyKind,
    name: row.name,
    lastFour: row.last_four,
    createdAt: isoTime(row.created_at),
    createdBy: row.created_by,
    expiresAt: isoTimeOrNull(row.expires_at),
    revokedAt: isoTimeOrNull(row.revoked_at),
    state: endOfKey(row, nowMs) ?? 'active',
    lastUsedAt: isoTimeOrNull(row.last_used_at),
    client: clientOf(row),
  }
}

function clientOf({ client_id: id, client_name: name, client_host: host }: KeyRow): KeyClient | null {
  return id === null || name === null || host === null ? null : { id, name, host }
}
