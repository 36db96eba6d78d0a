import { ANALYSIS_STATES } from '@tidemark/wire/analyses/analysis-state'
import type { Analysis, AnalysisState, AnalysisStatus } from '../../model/analysis.ts'
import type { ProjectId } from '../../model/project.ts'
import { type AuditAction, appendAudit, type Change } from '../audit.ts'
import { type ControlDatabase, chunks, withLock } from '../database/database.ts'
import { type AnalysisFilter, isInFilter, isInState, SORT_COLUMNS, stateExpression } from './filter.ts'
import { forgetIgnored } from './ignored-analyses.ts'
import { purgeNotes } from './notes.ts'
import type { NeededSplit } from './place-errors.ts'
import { recordErrors, type SegmentErrors } from './record.ts'
import { findAnalysis, shownAnalyses, toAnalysis } from './rows.ts'

export type Analyses = {
  /**
   * Counts the errors of segments into their analyses, all or nothing. A segment that was recorded before, on any node,
   * adds nothing. Makes analyses that do not exist, up to the bounds per project and minute; what is beyond goes into the
   * overflow analysis of its environment. When an answer names splits, nothing was recorded: split and call again.
   */
  record(segments: readonly SegmentErrors[], nowMs: number): Promise<{ splits: NeededSplit[] }>
  get(projectId: ProjectId, id: string): Promise<Analysis | null>
  /** Those of the ids that exist in the project. */
  existing(projectId: ProjectId, ids: readonly string[]): Promise<Set<string>>
  /** In the order of `sort`, largest or newest first, ties by id. */
  list(projectId: ProjectId, filter: AnalysisFilter, nowUs: number): Promise<Analysis[]>
  countByState(projectId: ProjectId, filter: AnalysisFilter, nowUs: number): Promise<Record<AnalysisState, number>>
  /** All or none: null when one of them does not exist. Resolving sets the bound after which an error is a regression. */
  setStatuses(
    projectId: ProjectId,
    ids: readonly string[],
    status: AnalysisStatus,
    change: Change,
  ): Promise<Analysis[] | null>
  /** Removes the analyses, notes and rules of a deleted project. */
  purge(projectId: ProjectId): Promise<void>
}

/** A long delete would keep other writers waiting. */
const PURGED_AT_ONCE = 1_000
const ACTIONS: Record<AnalysisStatus, AuditAction> = {
  open: 'analysis.reopened',
  resolved: 'analysis.resolved',
  ignored: 'analysis.ignored',
}

export function createAnalyses(database: ControlDatabase): Analyses {
  const { db } = database

  return {
    record: (segments, nowMs) => recordErrors(database, segments, nowMs),

    get: (projectId, id) => findAnalysis(db, projectId, id),

    async existing(projectId, ids) {
      const found = new Set<string>()
      for (const chunk of chunks([...new Set(ids)])) {
        const rows = await db
          .selectFrom('analyses')
          .select('id')
          .where('project_id', '=', projectId)
          .where('id', 'in', chunk)
          .execute()
        for (const { id } of rows) found.add(id)
      }
      return found
    },

    async list(projectId, filter, nowUs) {
      const column = SORT_COLUMNS[filter.sort]
      let query = shownAnalyses(db)
        .where(isInFilter(projectId, filter))
        .orderBy(`analyses.${column}`, 'desc')
        .orderBy('analyses.id', 'desc')
        .limit(filter.limit)
      if (filter.state !== undefined) query = query.where(isInState(filter.state, nowUs))
      if (filter.after !== undefined) {
        const { value, id } = filter.after
        query = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple(`analyses.${column}`, 'analyses.id'), '<', tuple(value, id)),
        )
      }
      return (await query.execute()).map(toAnalysis)
    },

    async countByState(projectId, filter, nowUs) {
      const states = Object.fromEntries(ANALYSIS_STATES.map((state) => [state, 0])) as Record<AnalysisState, number>
      const rows = await db
        .selectFrom(
          db
            .selectFrom('analyses')
            .innerJoin('analysis_samples', 'analysis_samples.analysis_id', 'analyses.id')
            .select(stateExpression(nowUs).as('state'))
            .where(isInFilter(projectId, filter))
            .as('counted'),
        )
        .select(({ fn }) => ['state', fn.countAll<number>().as('analyses')])
        .groupBy('state')
        .execute()
      for (const { state, analyses } of rows) states[state] = analyses
      return states
    },

    async setStatuses(projectId, ids, status, change) {
      return withLock(database, 'analyses', async (transaction) => {
        const known = new Map<string, Analysis>()
        for (const id of ids) {
          const analysis = await findAnalysis(transaction, projectId, id)
          if (analysis === null) return null
          known.set(analysis.id, analysis)
        }
        await forgetIgnored(transaction, [...known.keys()])
        const others = [...known.values()].filter((analysis) => analysis.status !== status)
        for (const { id } of others) {
          await transaction
            .updateTable('analyses')
            .set({
              status,
              resolved_at_us: status === 'resolved' ? change.nowMs * 1_000 : null,
              state_changed_at: change.nowMs,
              state_changed_by: change.by,
            })
            .where('id', '=', id)
            .execute()
        }
        const after: Analysis[] = []
        for (const id of known.keys()) after.push((await findAnalysis(transaction, projectId, id))!)
        for (const { id, title, environment } of others) {
          const details = { analysis: id, title, environment }
          await appendAudit(database, transaction, change, { action: ACTIONS[status], projectId, details })
        }
        return after
      })
    },

    async purge(projectId) {
      for (;;) {
        const isMore = await withLock(database, 'analyses', async (transaction) => {
          const rows = await transaction
            .selectFrom('analyses')
            .select('id')
            .where('project_id', '=', projectId)
            .limit(PURGED_AT_ONCE)
            .execute()
          for (const chunk of chunks(rows)) {
            const ids = chunk.map(({ id }) => id)
            await transaction.deleteFrom('analysis_samples').where('analysis_id', 'in', ids).execute()
            await transaction.deleteFrom('analyses').where('id', 'in', ids).execute()
          }
          return rows.length === PURGED_AT_ONCE
        })
        if (!isMore) break
      }
      await purgeNotes(db, projectId)
      await db.deleteFrom('ignored_analyses').where('project_id', '=', projectId).execute()
      await db.deleteFrom('grouping_rules').where('project_id', '=', projectId).execute()
    },
  }
}
