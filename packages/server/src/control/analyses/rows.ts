/** Analyses as rows: what is written often in one table, the sample in another. */
import { EPISODE_BEGINNINGS } from '@tidemark/wire/analyses/analysis-state'
import type { Level } from '@tidemark/wire/level'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { searchTextOf } from '../../analysis/group/search-text.ts'
import type { Analysis, AnalysisSample, AnalysisStatus, Episode } from '../../model/analysis.ts'
import type { ProjectId } from '../../model/project.ts'
import { storableText } from '../../model/storable-text.ts'
import { isoTime, isoTimeOrNull, parseColumn } from '../database/columns.ts'
import { type ControlTransaction, chunks } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'

export type AnalysisRow = ControlSchema['analyses']
export type SampleRow = ControlSchema['analysis_samples']
type Shown = AnalysisRow &
  Pick<SampleRow, 'log_id' | 'message' | 'error' | 'environment_defaulted' | 'source_stack' | 'release'>

/** Rows have many values. */
export const ROWS_PER_STATEMENT = 50

export function shownAnalyses(db: Kysely<ControlSchema>) {
  return db
    .selectFrom('analyses')
    .innerJoin('analysis_samples', 'analysis_samples.analysis_id', 'analyses.id')
    .selectAll('analyses')
    .select(['analysis_samples.log_id', 'analysis_samples.message'])
    .select(['analysis_samples.error', 'analysis_samples.environment_defaulted', 'analysis_samples.source_stack'])
    .select('analysis_samples.release')
}

/** The id of an analysis that was merged leads to the one it was merged into. */
export async function findAnalysis(
  db: Kysely<ControlSchema>,
  projectId: ProjectId,
  id: string,
): Promise<Analysis | null> {
  const row = await shownAnalyses(db)
    .where('analyses.project_id', '=', projectId)
    .where('analyses.merged_into', 'is', null)
    .where(
      sql<boolean>`analyses.id = coalesce((select m.merged_into from analyses as m where m.id = ${id} and m.project_id = ${projectId}), ${id})`,
    )
    .executeTakeFirst()
  return row ? toAnalysis(row) : null
}

export function toAnalysis(row: Shown): Analysis {
  return {
    id: row.id,
    projectId: row.project_id as ProjectId,
    environment: row.environment,
    fingerprint: row.fingerprint,
    splitValue: row.split_value,
    title: row.title,
    type: row.type,
    where: row.place,
    service: row.service,
    level: row.level as Level,
    grouping: row.grouping,
    status: row.status as AnalysisStatus,
    firstSeenUs: row.first_seen_us,
    lastSeenUs: row.last_seen_us,
    count: row.errors,
    episodes: parseEpisodes(row.episodes),
    sample: {
      logId: row.log_id,
      message: row.message,
      error: row.error === null ? null : parseColumn(sampleError, row.error),
      environmentDefaulted: row.environment_defaulted === 1,
      ...(row.source_stack !== null && { sourceStack: row.source_stack }),
      ...(row.release !== null && { release: row.release }),
    },
    resolvedAtUs: row.resolved_at_us,
    stateChangedAt: isoTimeOrNull(row.state_changed_at),
    stateChangedBy: row.state_changed_by,
    createdAt: isoTime(row.created_at),
  }
}

export function parseEpisodes(text: string): Episode[] {
  return parseColumn(storedEpisodes, text).map(([floorUs, began, anchorUs, anchorLogId, lastSeenUs, count]) => ({
    floorUs,
    began,
    anchorUs,
    anchorLogId,
    lastSeenUs,
    count,
  }))
}

/** The columns that follow from the episodes. */
export function episodeColumns(episodes: readonly Episode[]) {
  return {
    anchor_us: episodes.at(-1)?.anchorUs ?? 0,
    episode_count: episodes.length,
    episodes: JSON.stringify(
      episodes.map((one) => [one.floorUs, one.began, one.anchorUs, one.anchorLogId, one.lastSeenUs, one.count]),
    ),
  }
}

export function sampleRow(
  { id, title, type, place }: Pick<AnalysisRow, 'id' | 'title' | 'type' | 'place'>,
  sample: AnalysisSample,
): SampleRow {
  return {
    analysis_id: id,
    log_id: sample.logId,
    message: sample.message,
    error: sample.error === null ? null : JSON.stringify(sample.error),
    environment_defaulted: sample.environmentDefaulted ? 1 : 0,
    // Made here of what was stored already, by cutting among other things: half a character would stop every round after it.
    source_stack: sample.sourceStack === undefined ? null : storableText(sample.sourceStack),
    release: sample.release ?? null,
    search_text: storableText(searchTextOf({ title, type, where: place, sample })),
  }
}

export async function readRows(
  transaction: ControlTransaction,
  ids: readonly string[],
): Promise<Map<string, AnalysisRow>> {
  const rows = new Map<string, AnalysisRow>()
  for (const chunk of chunks(ids)) {
    const found = await transaction.selectFrom('analyses').selectAll().where('id', 'in', chunk).execute()
    for (const row of found) rows.set(row.id, row)
  }
  return rows
}

/** Rows that exist are replaced. */
export async function writeRows(transaction: ControlTransaction, rows: readonly AnalysisRow[]): Promise<void> {
  for (const chunk of chunks(rows, ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('analyses')
      .values(chunk)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet(({ ref }) => ({
          title: ref('excluded.title'),
          type: ref('excluded.type'),
          place: ref('excluded.place'),
          service: ref('excluded.service'),
          level: ref('excluded.level'),
          grouping: ref('excluded.grouping'),
          status: ref('excluded.status'),
          first_seen_us: ref('excluded.first_seen_us'),
          last_seen_us: ref('excluded.last_seen_us'),
          errors: ref('excluded.errors'),
          anchor_us: ref('excluded.anchor_us'),
          episode_count: ref('excluded.episode_count'),
          episodes: ref('excluded.episodes'),
          resolved_at_us: ref('excluded.resolved_at_us'),
          state_changed_at: ref('excluded.state_changed_at'),
          state_changed_by: ref('excluded.state_changed_by'),
          merged_into: ref('excluded.merged_into'),
          created_at: ref('excluded.created_at'),
        })),
      )
      .execute()
  }
}

export async function writeSamples(transaction: ControlTransaction, rows: readonly SampleRow[]): Promise<void> {
  for (const chunk of chunks(rows, ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('analysis_samples')
      .values(chunk)
      .onConflict((conflict) =>
        conflict.column('analysis_id').doUpdateSet(({ ref }) => ({
          log_id: ref('excluded.log_id'),
          message: ref('excluded.message'),
          error: ref('excluded.error'),
          environment_defaulted: ref('excluded.environment_defaulted'),
          source_stack: ref('excluded.source_stack'),
          release: ref('excluded.release'),
          search_text: ref('excluded.search_text'),
        })),
      )
      .execute()
  }
}

const storedEpisodes = z.array(
  z.tuple([z.number().nullable(), z.enum(EPISODE_BEGINNINGS), z.number(), z.string(), z.number(), z.number()]),
)
const sampleError = z.object({ type: z.string(), message: z.string(), stack: z.string() })
