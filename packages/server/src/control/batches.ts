/** Which frame of which segment holds a sender's batch, so that a batch sent again is loaded once, on any node. */
import type { Retention } from '@tidemark/wire/retention'
import { type InferResult, sql } from 'kysely'
import { type ControlDatabase, type ControlTransaction, chunks } from './database/database.ts'
import { rulesText, storedRules } from './projects/retention-rules.ts'

/** What was sent under a batch id, and the clock and retention by which its records were judged. */
export type BatchBytes = Retention & {
  /** Empty when an earlier version accepted the batch: then only the id identifies it. */
  digest: string
  receivedMs: number
}

type BatchClaim = BatchBytes & { projectId: string; batchId: string; segmentId: string; frame: number }

export type KnownBatch = BatchBytes & { claimedMs: number }

export type Batches = {
  /**
   * For each entry, in order, whether exactly this segment and frame own the batch; the first to claim owns it. All
   * entries are claimed or, on an error, none. The same claim again, after a crash, gets the same answer. A batch is its
   * id and its bytes: a claim of the same id with other bytes owns another batch.
   */
  claim(entries: readonly BatchClaim[], nowMs: number): Promise<boolean[]>
  /** What was first claimed under the id since then; with a digest, the claim of just these later bytes under it. */
  find(batch: { projectId: string; batchId: string; digest?: string }, sinceMs: number): Promise<KnownBatch | undefined>
  /** Forgets claims made before `beforeMs`. Says how many. */
  purge(beforeMs: number): Promise<number>
}

/** A long delete would keep other writers waiting. */
const PURGED_PER_STATEMENT = 5_000

export function createBatches({ db }: ControlDatabase): Batches {
  // Asked for every named batch, and building the query costs more than SQLite takes to answer it.
  const byName = db
    .selectFrom('ingest_batches')
    .select(['digest', 'received_at', 'retention_days', 'retention_rules', 'claimed_at'])
    .where('project_id', '=', '')
    .where('batch_id', '=', '')
    .where('claimed_at', '>=', 0)
    .compile()

  return {
    async claim(entries, nowMs) {
      if (entries.length === 0) return []
      return db.transaction().execute(async (transaction) => {
        const first = await ownersOf(transaction, entries, nowMs)
        // Two nodes can accept different bytes under one id before either knows of the other. Both are acknowledged, so
        // both are stored: the later ones own a row that is named after their bytes as well.
        const changed = entries.filter((entry) => isOther(first.get(batchKey(entry)), entry)).map(namedByBytes)
        const later = await ownersOf(transaction, changed, nowMs)
        return entries.map((entry) => {
          const owner = first.get(batchKey(entry))
          const own = isOther(owner, entry) ? later.get(batchKey(namedByBytes(entry))) : owner
          return own?.segmentId === entry.segmentId && own.frame === entry.frame
        })
      })
    },

    async find({ projectId, batchId, digest }, sinceMs) {
      const name = digest === undefined ? batchId : nameByBytes(batchId, digest)
      const { rows } = await db.executeQuery<InferResult<typeof byName>[number]>({
        ...byName,
        parameters: [projectId, name, sinceMs],
      })
      const row = rows[0]
      if (row === undefined) return undefined
      return {
        digest: row.digest,
        receivedMs: row.received_at,
        retentionDays: row.retention_days,
        ...(row.retention_rules !== '' && { retentionRules: storedRules(row.retention_rules) }),
        claimedMs: row.claimed_at,
      }
    },

    async purge(beforeMs) {
      let purged = 0
      for (;;) {
        const deleted = await db
          .deleteFrom('ingest_batches')
          .where(({ eb, refTuple, selectFrom }) =>
            eb(
              refTuple('project_id', 'batch_id'),
              'in',
              selectFrom('ingest_batches')
                .select(['project_id', 'batch_id'])
                .where('claimed_at', '<', beforeMs)
                .limit(PURGED_PER_STATEMENT)
                .$asTuple('project_id', 'batch_id'),
            ),
          )
          .executeTakeFirst()
        purged += Number(deleted.numDeletedRows)
        if (deleted.numDeletedRows < PURGED_PER_STATEMENT) return purged
      }
    },
  }
}

type Owner = { segmentId: string; frame: number; digest: string }

/** Claims what is free and answers who owns each batch, by `batchKey`. */
async function ownersOf(
  transaction: ControlTransaction,
  entries: readonly BatchClaim[],
  nowMs: number,
): Promise<Map<string, Owner>> {
  // Every node claims in the same order, so that two of them never wait for each other. The sort is stable: of two
  // entries for one batch the earlier wins.
  const sorted = [...entries].sort((a, b) => compare(a.projectId, b.projectId) || compare(a.batchId, b.batchId))
  const owners = new Map<string, Owner>()
  for (const chunk of chunks(sorted)) {
    await transaction
      .insertInto('ingest_batches')
      .values(
        chunk.map((entry) => ({
          project_id: entry.projectId,
          batch_id: entry.batchId,
          segment_id: entry.segmentId,
          frame: entry.frame,
          claimed_at: nowMs,
          digest: entry.digest,
          received_at: entry.receivedMs,
          retention_days: entry.retentionDays,
          retention_rules: rulesText(entry.retentionRules ?? []),
        })),
      )
      .onConflict((conflict) => conflict.columns(['project_id', 'batch_id']).doNothing())
      .execute()
    const pairs = sql.join(chunk.map(({ projectId, batchId }) => sql`(${projectId}, ${batchId})`))
    const rows = await transaction
      .selectFrom('ingest_batches')
      .select(['project_id', 'batch_id', 'segment_id', 'frame', 'digest'])
      // SQLite takes pairs after IN only as a VALUES list.
      .where(sql<boolean>`(project_id, batch_id) in (values ${pairs})`)
      .execute()
    for (const { project_id: projectId, batch_id: batchId, segment_id: segmentId, frame, digest } of rows) {
      owners.set(batchKey({ projectId, batchId }), { segmentId, frame, digest })
    }
  }
  return owners
}

function isOther(owner: Owner | undefined, { digest }: BatchClaim): boolean {
  return owner !== undefined && owner.digest !== '' && digest !== '' && owner.digest !== digest
}

function namedByBytes(entry: BatchClaim): BatchClaim {
  return { ...entry, batchId: nameByBytes(entry.batchId, entry.digest) }
}

/** No sender's id holds a slash. */
function nameByBytes(batchId: string, digest: string): string {
  return `${batchId}/${digest}`
}

/** Cannot collide: ids hold no line break. */
function batchKey({ projectId, batchId }: Pick<BatchClaim, 'projectId' | 'batchId'>): string {
  return `${projectId}\n${batchId}`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
