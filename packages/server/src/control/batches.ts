/** Which frame of which segment holds a sender's batch, so that a batch sent again is loaded once, on any node. */
import { sql } from 'kysely'
import type { ControlDatabase } from './database.ts'

export type BatchClaim = { projectId: string; batchId: string; segmentId: string; frame: number }

export type Batches = {
  /**
   * For each entry, in order, whether exactly this segment and frame own the batch; the first to claim owns it. All
   * entries are claimed or, on an error, none. The same claim again, after a crash, gets the same answer.
   */
  claim(entries: readonly BatchClaim[], nowMs: number): Promise<boolean[]>
  /** Forgets claims made before `beforeMs`. Says how many. */
  purge(beforeMs: number): Promise<number>
}

/** How long a repeated batch is recognised. */
export const BATCH_MEMORY_MS = 24 * 60 * 60 * 1_000
/** Below the least number of bound values both databases take in one statement. */
const CLAIMS_PER_STATEMENT = 500
/** A long delete would keep other writers waiting. */
const PURGED_PER_STATEMENT = 5_000

export function createBatches({ db }: ControlDatabase): Batches {
  return {
    async claim(entries, nowMs) {
      if (entries.length === 0) return []
      // Every node claims in the same order, so that two of them never wait for each other. The sort is stable: of two
      // entries for one batch the earlier wins.
      const sorted = [...entries].sort((a, b) => compare(a.projectId, b.projectId) || compare(a.batchId, b.batchId))
      const owners = new Map<string, string>()
      await db.transaction().execute(async (transaction) => {
        for (let start = 0; start < sorted.length; start += CLAIMS_PER_STATEMENT) {
          const chunk = sorted.slice(start, start + CLAIMS_PER_STATEMENT)
          await transaction
            .insertInto('ingest_batches')
            .values(
              chunk.map(({ projectId, batchId, segmentId, frame }) => ({
                project_id: projectId,
                batch_id: batchId,
                segment_id: segmentId,
                frame,
                claimed_at: nowMs,
              })),
            )
            .onConflict((conflict) => conflict.columns(['project_id', 'batch_id']).doNothing())
            .execute()
          const pairs = sql.join(chunk.map(({ projectId, batchId }) => sql`(${projectId}, ${batchId})`))
          const rows = await transaction
            .selectFrom('ingest_batches')
            .select(['project_id', 'batch_id', 'segment_id', 'frame'])
            // SQLite takes pairs after IN only as a VALUES list.
            .where(sql<boolean>`(project_id, batch_id) in (values ${pairs})`)
            .execute()
          for (const row of rows) {
            owners.set(pairKey(row.project_id, row.batch_id), pairKey(row.segment_id, String(row.frame)))
          }
        }
      })
      return entries.map(
        ({ projectId, batchId, segmentId, frame }) =>
          owners.get(pairKey(projectId, batchId)) === pairKey(segmentId, String(frame)),
      )
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

/** Cannot collide: ids hold no line break. */
function pairKey(first: string, second: string): string {
  return `${first}\n${second}`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
