/**
 * Counts the errors of segments into analyses, each once (Invariant 11): everything is read and decided first, then
 * written, all in one transaction under one lock that every writer of analyses takes. So nothing that is written ever has to be undone.
 */
import type { AnalysisStatus } from '../../model/analysis.ts'
import type { ProjectId } from '../../model/project.ts'
import { noteBeginnings } from '../alerts/events.ts'
import { type ControlDatabase, type ControlTransaction, chunks, withLock } from '../database/database.ts'
import { rulesOf } from './grouping-rules.ts'
import { writeIgnored } from './ignored-analyses.ts'
import { type ErrorGroup, type NeededSplit, placeErrors } from './place-errors.ts'
import { type AnalysisRow, parseEpisodes, writeRows, writeSamples } from './rows.ts'

/** Groups of one segment, which count once however often they are recorded. */
export type SegmentErrors = { segmentId: string; groups: readonly ErrorGroup[] }

/** The name under which segments are marked in `counted_segments`. */
const COUNTER = 'analysis'

export async function recordErrors(
  database: ControlDatabase,
  segments: readonly SegmentErrors[],
  nowMs: number,
): Promise<{ splits: NeededSplit[] }> {
  if (segments.length === 0) return { splits: [] }
  return withLock(database, 'analyses', async (transaction) => {
    const fresh = await notCountedYet(transaction, segments)
    const errors = fresh.flatMap(({ segmentId, groups }) => groups.map((group) => ({ segmentId, group })))
    const living = await livingProjects(transaction, [...new Set(errors.map(({ group }) => group.projectId))])
    const { splits, rows, samples, ignored, known } = await placeErrors(transaction, {
      errors: errors.filter(({ group }) => living.has(group.projectId)),
      rules: await rulesOf(transaction, [...living]),
      nowMs,
    })
    if (splits.length > 0) return { splits }
    await writeRows(transaction, rows)
    await writeSamples(transaction, samples)
    await writeIgnored(transaction, ignored)
    await noteBeginnings(
      transaction,
      rows.map((row) => beginningOf(row, known.get(row.id))),
      nowMs,
    )
    await markCounted(transaction, fresh, nowMs)
    await leaveQueue(transaction, segments)
    return { splits: [] }
  })
}

function beginningOf(row: AnalysisRow, before: AnalysisRow | undefined) {
  const { id, environment, service, title } = row
  return {
    ...{ id, environment, service, title },
    projectId: row.project_id as ProjectId,
    before: before === undefined ? null : (parseEpisodes(before.episodes).at(-1) ?? null),
    now: { status: row.status as AnalysisStatus, episodes: parseEpisodes(row.episodes) },
  }
}

async function notCountedYet(
  transaction: ControlTransaction,
  segments: readonly SegmentErrors[],
): Promise<SegmentErrors[]> {
  const fresh = new Map(segments.map((segment) => [segment.segmentId, segment]))
  for (const ids of chunks([...fresh.keys()])) {
    const counted = await transaction
      .selectFrom('counted_segments')
      .select('segment_id')
      .where('counter', '=', COUNTER)
      .where('segment_id', 'in', ids)
      .execute()
    for (const { segment_id } of counted) fresh.delete(segment_id)
  }
  return [...fresh.values()]
}

/** Segments may hold errors of projects that have since been deleted; their analyses must not come back. */
async function livingProjects(transaction: ControlTransaction, ids: readonly ProjectId[]): Promise<Set<ProjectId>> {
  const living = new Set<ProjectId>()
  for (const chunk of chunks(ids)) {
    const rows = await transaction
      .selectFrom('projects')
      .select('id')
      .where('id', 'in', chunk)
      .where('deleted_at', 'is', null)
      .execute()
    for (const { id } of rows) living.add(id as ProjectId)
  }
  return living
}

async function markCounted(
  transaction: ControlTransaction,
  segments: readonly SegmentErrors[],
  nowMs: number,
): Promise<void> {
  for (const chunk of chunks(segments)) {
    const marks = chunk.map(({ segmentId }) => ({ segment_id: segmentId, counter: COUNTER, counted_at: nowMs }))
    await transaction.insertInto('counted_segments').values(marks).execute()
  }
}

async function leaveQueue(transaction: ControlTransaction, segments: readonly SegmentErrors[]): Promise<void> {
  for (const chunk of chunks(segments)) {
    const ids = chunk.map(({ segmentId }) => segmentId)
    await transaction.deleteFrom('analysis_queue').where('segment_id', 'in', ids).execute()
  }
}
