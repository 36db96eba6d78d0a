/** Merges the analyses of a group into those of another, environment by environment. */
import { mergeEpisodes } from '../../analysis/episode/episodes.ts'
import { analysisId } from '../../analysis/group/analysis-id.ts'
import type { AnalysisStatus } from '../../model/analysis.ts'
import type { Group } from '../../model/grouping-rule.ts'
import type { ProjectId } from '../../model/project.ts'
import type { ControlTransaction } from '../database/database.ts'
import { forgetIgnored, renameIgnored } from './ignored-analyses.ts'
import { moveNotes } from './notes.ts'
import { type AnalysisRow, episodeColumns, parseEpisodes, readRows, writeRows } from './rows.ts'

export async function mergeAnalyses(
  transaction: ControlTransaction,
  projectId: ProjectId,
  { from, into }: { from: Group; into: Group },
  nowMs: number,
): Promise<void> {
  const sources = await ofGroup(transaction, projectId, from).where('merged_into', 'is', null).execute()
  const idIn = (environment: string) => analysisId(projectId, environment, into)
  const targets = await readRows(
    transaction,
    sources.map(({ environment }) => idIn(environment)),
  )
  for (const source of sources) {
    const id = idIn(source.environment)
    const target = targets.get(id)
    if (target && target.merged_into === null) {
      await writeRows(transaction, [combined(target, source, nowMs)])
      await forgetIgnored(transaction, [source.id])
    } else {
      await renamed(transaction, source, id, into)
      await renameIgnored(transaction, source.id, id)
    }
    // What was merged into the source earlier now leads to the new place in one step.
    await transaction.updateTable('analyses').set({ merged_into: id }).where('merged_into', '=', source.id).execute()
    await writeRows(transaction, [{ ...source, merged_into: id }])
    await moveNotes(transaction, source.id, id)
  }
}

/** Without the rule the ids lead nowhere until errors create the analysis again; what was counted stays where it is. */
export async function unmergeAnalyses(
  transaction: ControlTransaction,
  projectId: ProjectId,
  from: Group,
): Promise<void> {
  const left = await ofGroup(transaction, projectId, from).where('merged_into', 'is not', null).execute()
  for (const { id } of left) {
    await transaction.deleteFrom('analysis_samples').where('analysis_id', '=', id).execute()
    await transaction.deleteFrom('analyses').where('id', '=', id).execute()
  }
}

function combined(target: AnalysisRow, source: AnalysisRow, nowMs: number): AnalysisRow {
  const standing = mergeEpisodes(
    {
      status: target.status as AnalysisStatus,
      resolvedAtUs: target.resolved_at_us,
      episodes: parseEpisodes(target.episodes),
    },
    parseEpisodes(source.episodes),
  )
  const changed = standing.status === target.status ? {} : { state_changed_at: nowMs, state_changed_by: null }
  return {
    ...target,
    ...changed,
    ...episodeColumns(standing.episodes),
    status: standing.status,
    resolved_at_us: standing.resolvedAtUs,
    first_seen_us: Math.min(target.first_seen_us, source.first_seen_us),
    last_seen_us: Math.max(target.last_seen_us, source.last_seen_us),
    errors: target.errors + source.errors,
  }
}

/** In this environment there is nothing to merge into: the analysis continues under the other's id. */
async function renamed(
  transaction: ControlTransaction,
  source: AnalysisRow,
  id: string,
  { fingerprint, splitValue }: Group,
): Promise<void> {
  await writeRows(transaction, [{ ...source, id, fingerprint, split_value: splitValue }])
  const sample = await transaction
    .selectFrom('analysis_samples')
    .selectAll()
    .where('analysis_id', '=', source.id)
    .executeTakeFirstOrThrow()
  await transaction
    .insertInto('analysis_samples')
    .values({ ...sample, analysis_id: id })
    .onConflict((conflict) => conflict.column('analysis_id').doNothing())
    .execute()
}

function ofGroup(transaction: ControlTransaction, projectId: ProjectId, group: Group) {
  return transaction
    .selectFrom('analyses')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('fingerprint', '=', group.fingerprint)
    .where('split_value', '=', group.splitValue)
}
