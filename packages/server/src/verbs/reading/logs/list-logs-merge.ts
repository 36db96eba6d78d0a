/**
 * Records and deploys on one timeline. The order is by time; at equal times the deploy is the earlier one, because it may
 * have caused the record: oldest first it comes before the record, newest first after it. Among deploys of the same
 * moment the one recorded first is the earlier, among records the one with the smaller id.
 */
import type { Order, StoredRecord } from '../../../logstore/questions.ts'
import type { Deploy } from '../../../model/deploy.ts'
import type { TimeRange } from '../../../model/time-range.ts'
import type { Position } from '../cursor.ts'

export type TimelineRow = { kind: 'log'; record: StoredRecord } | { kind: 'deploy'; deploy: Deploy }

/** Rows of one kind, in order; `isEnd` when there are no more after them. */
export type Stretch<Row> = { rows: readonly Row[]; isEnd: boolean }

/**
 * The first rows of both together, at most `limit`. Where one kind runs out without being at its end, nothing more can be
 * said about the order, and the page ends.
 */
export function mergeTimeline(
  records: Stretch<StoredRecord>,
  deploys: Stretch<Deploy>,
  { order, limit }: { order: Order; limit: number },
): { rows: TimelineRow[]; isEnd: boolean } {
  const rows: TimelineRow[] = []
  let [atRecord, atDeploy] = [0, 0]
  while (rows.length < limit) {
    const record = records.rows[atRecord]
    const deploy = deploys.rows[atDeploy]
    if ((!record && !records.isEnd) || (!deploy && !deploys.isEnd)) return { rows, isEnd: false }
    if (record && (!deploy || isRecordFirst(record, deploy, order))) {
      rows.push({ kind: 'log', record })
      atRecord++
    } else if (deploy) {
      rows.push({ kind: 'deploy', deploy })
      atDeploy++
    } else {
      return { rows, isEnd: true }
    }
  }
  const isEnd = records.isEnd && deploys.isEnd && atRecord === records.rows.length && atDeploy === deploys.rows.length
  return { rows, isEnd }
}

function isRecordFirst({ timeUs }: StoredRecord, { deployedAtUs }: Deploy, order: Order): boolean {
  return order === 'newest' ? timeUs >= deployedAtUs : timeUs < deployedAtUs
}

export function positionOf(row: TimelineRow): Position {
  if (row.kind === 'log') return { kind: 'log', timeUs: row.record.timeUs, id: row.record.id }
  const { deployedAtUs, id, createdAt } = row.deploy
  return { kind: 'deploy', timeUs: deployedAtUs, id, createdAt }
}

/** Where the records after a position are: within the range, and after the record when it is one. */
export function recordsBehind(
  { fromUs, toUs }: TimeRange,
  order: Order,
  position: Position | undefined,
): { range: TimeRange; after: string | undefined } {
  if (position?.kind !== 'deploy') return { range: { fromUs, toUs }, after: position?.id }
  // Newest first, records of the deploy's own time were before it; oldest first they come after it.
  const range =
    order === 'newest'
      ? { fromUs, toUs: Math.min(toUs, position.timeUs) }
      : { fromUs: Math.max(fromUs, position.timeUs), toUs }
  return { range, after: undefined }
}
