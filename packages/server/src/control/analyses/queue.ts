/** Loaded segments whose errors wait to be counted into analyses. `Analyses.record` takes them out of it. */
import { type ControlDatabase, withLock } from '../database/database.ts'

/** `errors` is how many its frames say it has; null when they do not say. */
type QueuedSegment = { segmentId: string; days: number[]; errors: number | null }

export type ClaimedSegment = QueuedSegment & { attempts: number; queuedAtMs: number }

export type AnalysisQueue = {
  /** Twice does no harm. */
  add(segment: QueuedSegment, nowMs: number): Promise<void>
  /** Those that waited longest, for this node alone until the lease ends. */
  claim(node: string, claim: { limit: number; leaseMs: number; nowMs: number }): Promise<ClaimedSegment[]>
  /** Gives a segment back to be tried again at `retryAtMs`. */
  postpone(segmentId: string, retryAtMs: number): Promise<void>
  /** The same for segments that failed through no fault of their own: no attempt is counted. */
  release(segmentIds: readonly string[], retryAtMs: number): Promise<void>
  /** How many wait, claimed ones included, and since when the first of them. */
  waiting(): Promise<{ segments: number; oldestMs: number | null }>
}

export function createAnalysisQueue(database: ControlDatabase): AnalysisQueue {
  const { db } = database
  return {
    async add({ segmentId, days, errors }, nowMs) {
      await db
        .insertInto('analysis_queue')
        .values({
          segment_id: segmentId,
          days: JSON.stringify(days),
          errors,
          queued_at: nowMs,
          claimed_by: null,
          claimed_until: 0,
          attempts: 0,
        })
        .onConflict((conflict) => conflict.column('segment_id').doNothing())
        .execute()
    },

    async claim(node, { limit, leaseMs, nowMs }) {
      // Most polls find nothing, and a poll must not cost a transaction.
      const due = db.selectFrom('analysis_queue').select('segment_id').where('claimed_until', '<=', nowMs)
      if ((await due.limit(1).executeTakeFirst()) === undefined) return []
      return withLock(database, 'analysisQueue', async (transaction) => {
        const rows = await transaction
          .selectFrom('analysis_queue')
          .selectAll()
          .where('claimed_until', '<=', nowMs)
          .orderBy('queued_at')
          .orderBy('segment_id')
          .limit(limit)
          .execute()
        if (rows.length === 0) return []
        await transaction
          .updateTable('analysis_queue')
          .set({ claimed_by: node, claimed_until: nowMs + leaseMs })
          .where(
            'segment_id',
            'in',
            rows.map((row) => row.segment_id),
          )
          .execute()
        return rows.map((row) => ({
          segmentId: row.segment_id,
          days: JSON.parse(row.days) as number[],
          errors: row.errors,
          attempts: row.attempts,
          queuedAtMs: row.queued_at,
        }))
      })
    },

    async postpone(segmentId, retryAtMs) {
      await db
        .updateTable('analysis_queue')
        .set(({ eb }) => ({ claimed_by: null, claimed_until: retryAtMs, attempts: eb('attempts', '+', 1) }))
        .where('segment_id', '=', segmentId)
        .execute()
    },

    async release(segmentIds, retryAtMs) {
      if (segmentIds.length === 0) return
      await db
        .updateTable('analysis_queue')
        .set({ claimed_by: null, claimed_until: retryAtMs })
        .where('segment_id', 'in', segmentIds)
        .execute()
    },

    async waiting() {
      const row = await db
        .selectFrom('analysis_queue')
        .select(({ fn }) => [fn.countAll<number>().as('segments'), fn.min('queued_at').as('oldest')])
        .executeTakeFirst()
      return { segments: row?.segments ?? 0, oldestMs: row?.oldest ?? null }
    },
  }
}
