import { newId } from '../model/id.ts'
import type { ProjectId } from '../model/project.ts'
import type { CredentialKind, Repository, RepositoryKind } from '../model/repository.ts'
import { appendAudit, type Change } from './audit.ts'
import { isoTime, isoTimeOrNull } from './database/columns.ts'
import type { ControlDatabase } from './database/database.ts'
import type { ControlSchema } from './database/schema.ts'

export type NewRepository = Pick<
  Repository,
  'url' | 'kind' | 'branch' | 'defaultBranch' | 'headSha' | 'refsDigest' | 'credentialKind' | 'sealedCredential'
> & { nextCheckAtMs: number }

/** What the remote said when it was asked. */
type CheckedRemote = {
  branch: string
  headSha: string
  refsDigest: string
  /** Makes mirrors fetch, whether something has changed or not. */
  force: boolean
  nextCheckAtMs: number
}

/**
 * At most one repository per project. What is written about a connection after it was replaced or ended is dropped: its
 * id tells it apart.
 */
export type Repositories = {
  /** Replaces what was connected before. */
  connect(projectId: ProjectId, input: NewRepository, change: Change): Promise<Repository>
  /** Removes the credential with all the rest. False when none was connected. */
  disconnect(projectId: ProjectId, change: Change): Promise<boolean>
  get(projectId: ProjectId): Promise<Repository | null>
  /** Of living projects, by id of the project. */
  list(): Promise<Repository[]>
  /** Those that are due to be asked, longest waiting first. */
  listDue(nowMs: number): Promise<Repository[]>
  /** True for one caller on any node when the remote was not asked after `notSinceMs`, which then counts as asked. */
  claimCheck(projectId: string, notSinceMs: number, nowMs: number): Promise<boolean>
  /** Raises the generation when anything has changed. Null when the connection is gone. */
  recordCheck(repository: Repository, remote: CheckedRemote, nowMs: number): Promise<Repository | null>
  recordCheckFailure(
    repository: Repository,
    failure: { message: string; nextCheckAtMs: number },
    nowMs: number,
  ): Promise<void>
  /** A node has a mirror of that generation. */
  recordMirror(repository: Repository, nowMs: number): Promise<void>
  recordMirrorFailure(repository: Repository, message: string, nowMs: number): Promise<void>
  /** Removes the repositories of deleted projects, credentials included, and says how many. */
  purgeDeleted(): Promise<number>
}

type RepositoryRow = ControlSchema['repositories']

export function createRepositories(database: ControlDatabase): Repositories {
  const { db } = database
  const connection = ({ projectId, id }: Repository) =>
    db.updateTable('repositories').where('project_id', '=', projectId).where('id', '=', id)
  const ofLiving = () =>
    db
      .selectFrom('repositories')
      .innerJoin('projects', 'projects.id', 'repositories.project_id')
      .where('projects.deleted_at', 'is', null)
      .selectAll('repositories')

  return {
    async connect(projectId, input, change) {
      const row = newRow(projectId, input, change)
      const { project_id: _, ...replaced } = row
      await db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('repositories')
          .values(row)
          .onConflict((conflict) => conflict.column('project_id').doUpdateSet(replaced))
          .execute()
        const details = { url: row.url, branch: row.branch, credential: row.credential_kind }
        await appendAudit(database, transaction, change, { action: 'repository.connected', projectId, details })
      })
      return toRepository(row)
    },

    async disconnect(projectId, change) {
      return db.transaction().execute(async (transaction) => {
        const row = await transaction
          .deleteFrom('repositories')
          .where('project_id', '=', projectId)
          .returning('url')
          .executeTakeFirst()
        if (!row) return false
        const details = { url: row.url }
        await appendAudit(database, transaction, change, { action: 'repository.disconnected', projectId, details })
        return true
      })
    },

    async get(projectId) {
      const row = await db.selectFrom('repositories').selectAll().where('project_id', '=', projectId).executeTakeFirst()
      return row ? toRepository(row) : null
    },

    async list() {
      return (await ofLiving().orderBy('project_id').execute()).map(toRepository)
    },

    async listDue(nowMs) {
      const due = ofLiving().where('next_check_at', '<=', nowMs).orderBy('next_check_at').orderBy('project_id')
      return (await due.execute()).map(toRepository)
    },

    async claimCheck(projectId, notSinceMs, nowMs) {
      const claimed = await db
        .updateTable('repositories')
        .set({ checked_at: nowMs })
        .where('project_id', '=', projectId)
        .where('checked_at', '<=', notSinceMs)
        .returning('project_id')
        .executeTakeFirst()
      return claimed !== undefined
    },

    async recordCheck(repository, { branch, headSha, refsDigest, force, nextCheckAtMs }, nowMs) {
      const row = await connection(repository)
        .set(({ case: when, eb, ref, or, and, lit }) => {
          const isSame = and([eb('refs_digest', '=', refsDigest), eb('default_branch', '=', branch)])
          const isMirrored = and([isSame, eb('mirrored_generation', '=', ref('generation')), lit(!force)])
          return {
            default_branch: branch,
            head_sha: headSha,
            refs_digest: refsDigest,
            generation: when()
              .when(or([lit(force), eb.not(isSame)]))
              .then(eb('generation', '+', 1))
              .else(ref('generation'))
              .end(),
            // A mirror of what the remote still has is in step again; the error of one that failed stays.
            last_synced_at: when().when(isMirrored).then(nowMs).else(ref('last_synced_at')).end(),
            last_error: when().when(isMirrored).then(null).else(ref('last_error')).end(),
            failed_at: when().when(isMirrored).then(null).else(ref('failed_at')).end(),
            checked_at: nowMs,
            next_check_at: nextCheckAtMs,
            failures: 0,
          }
        })
        .returningAll()
        .executeTakeFirst()
      return row ? toRepository(row) : null
    },

    async recordCheckFailure(repository, { message, nextCheckAtMs }, nowMs) {
      await connection(repository)
        .set((eb) => ({
          last_error: message,
          failed_at: nowMs,
          failures: eb('failures', '+', 1),
          checked_at: nowMs,
          next_check_at: nextCheckAtMs,
        }))
        .execute()
    },

    async recordMirror(repository, nowMs) {
      const { generation } = repository
      await connection(repository)
        .where((eb) => eb.or([eb('mirrored_generation', 'is', null), eb('mirrored_generation', '<=', generation)]))
        .set({ mirrored_generation: generation, last_synced_at: nowMs, last_error: null, failed_at: null })
        .execute()
    },

    async recordMirrorFailure(repository, message, nowMs) {
      await connection(repository).set({ last_error: message, failed_at: nowMs }).execute()
    },

    async purgeDeleted() {
      const removed = await db
        .deleteFrom('repositories')
        .where('project_id', 'in', (eb) => eb.selectFrom('projects').select('id').where('deleted_at', 'is not', null))
        .returning('project_id')
        .execute()
      return removed.length
    },
  }
}

function newRow(projectId: ProjectId, input: NewRepository, { by, nowMs }: Change): RepositoryRow {
  return {
    project_id: projectId,
    id: newId('rep', nowMs),
    url: input.url,
    kind: input.kind,
    credential_kind: input.credentialKind,
    credential: input.sealedCredential,
    branch: input.branch,
    default_branch: input.defaultBranch,
    head_sha: input.headSha,
    refs_digest: input.refsDigest,
    generation: 1,
    mirrored_generation: null,
    checked_at: nowMs,
    next_check_at: input.nextCheckAtMs,
    failures: 0,
    last_synced_at: null,
    last_error: null,
    failed_at: null,
    connected_at: nowMs,
    connected_by: by,
  }
}

function toRepository(row: RepositoryRow): Repository {
  return {
    id: row.id,
    projectId: row.project_id as ProjectId,
    url: row.url,
    kind: row.kind as RepositoryKind,
    credentialKind: row.credential_kind as CredentialKind,
    sealedCredential: row.credential,
    branch: row.branch,
    defaultBranch: row.default_branch,
    headSha: row.head_sha,
    refsDigest: row.refs_digest,
    generation: row.generation,
    mirroredGeneration: row.mirrored_generation,
    checkedAtMs: row.checked_at,
    nextCheckAtMs: row.next_check_at,
    failures: row.failures,
    lastSyncedAt: isoTimeOrNull(row.last_synced_at),
    lastError: row.last_error,
    failedAt: isoTimeOrNull(row.failed_at),
    connectedAt: isoTime(row.connected_at),
    connectedBy: row.connected_by,
  }
}
