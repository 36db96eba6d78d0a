/**
 * What rules have made ignored, each with the state it had before, so that removing a rule can bring that back. Kept only
 * while the analysis is ignored because of the rule: what somebody decides about it later stands.
 */
import { type ExpressionBuilder, type Kysely, type OnConflictBuilder, sql } from 'kysely'
import { ignoringRule } from '../../analysis/group/group-of-record.ts'
import { OVERFLOW_FINGERPRINT } from '../../model/analysis.ts'
import type { GroupingRule } from '../../model/grouping-rule.ts'
import type { ProjectId } from '../../model/project.ts'
import type { Change } from '../audit.ts'
import { type ControlTransaction, chunks } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'
import type { IgnoreEffect } from './decide-rule.ts'
import { type AnalysisRow, ROWS_PER_STATEMENT } from './rows.ts'

export type IgnoredRow = ControlSchema['ignored_analyses']

const STATE = ['status', 'resolved_at_us', 'state_changed_at', 'state_changed_by'] as const

export async function ignoreExisting(
  transaction: ControlTransaction,
  projectId: ProjectId,
  { ruleId, effect }: { ruleId: string; effect: IgnoreEffect },
  change: Change,
): Promise<void> {
  await transaction
    .insertInto('ignored_analyses')
    .columns(['analysis_id', 'project_id', 'rule_id', ...STATE])
    .expression((eb) =>
      eb
        .selectFrom('analyses')
        .select(['id', 'project_id', sql.val(ruleId).as('rule_id'), ...STATE])
        .where(isIgnoredBy(projectId, effect)),
    )
    .onConflict(replaced)
    .execute()
  await transaction
    .updateTable('analyses')
    .set({ status: 'ignored', resolved_at_us: null, state_changed_at: change.nowMs, state_changed_by: change.by })
    .where(isIgnoredBy(projectId, effect))
    .execute()
}

/** Of an analysis that the rule makes ignored. */
export function ignoredRow(before: AnalysisRow, ruleId: string): IgnoredRow {
  const { id, project_id, status, resolved_at_us, state_changed_at, state_changed_by } = before
  return { analysis_id: id, project_id, rule_id: ruleId, status, resolved_at_us, state_changed_at, state_changed_by }
}

export async function writeIgnored(transaction: ControlTransaction, rows: readonly IgnoredRow[]): Promise<void> {
  for (const chunk of chunks(rows, ROWS_PER_STATEMENT)) {
    await transaction.insertInto('ignored_analyses').values(chunk).onConflict(replaced).execute()
  }
}

/** Somebody has decided about these. */
export async function forgetIgnored(transaction: ControlTransaction, ids: readonly string[]): Promise<void> {
  for (const chunk of chunks(ids)) {
    await transaction.deleteFrom('ignored_analyses').where('analysis_id', 'in', chunk).execute()
  }
}

/** The analysis continues under another id. */
export async function renameIgnored(transaction: ControlTransaction, from: string, to: string): Promise<void> {
  await forgetIgnored(transaction, [to])
  await transaction.updateTable('ignored_analyses').set({ analysis_id: to }).where('analysis_id', '=', from).execute()
}

/**
 * For a rule that is no longer there. What one of the `remaining` ones catches too is ignored by that one from now on;
 * the rest stays ignored, or with `restore` has the state again that it had before. Returns how many have.
 */
export async function leaveRule(
  transaction: ControlTransaction,
  { id, projectId }: GroupingRule,
  { remaining, restore, nowMs }: { remaining: readonly GroupingRule[]; restore: boolean; nowMs: number },
): Promise<number> {
  await handOver(transaction, { id, projectId }, remaining)
  const restored = restore ? await putBack(transaction, { id, projectId }, nowMs) : 0
  await transaction
    .deleteFrom('ignored_analyses')
    .where('project_id', '=', projectId)
    .where('rule_id', '=', id)
    .execute()
  return restored
}

/** How many each rule of the project has made ignored that would come back. */
export async function countIgnored(db: Kysely<ControlSchema>, projectId: ProjectId): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('ignored_analyses')
    .select(({ fn }) => ['rule_id', fn.countAll<number>().as('analyses')])
    .where('project_id', '=', projectId)
    .groupBy('rule_id')
    .execute()
  return new Map(rows.map(({ rule_id, analyses }) => [rule_id, Number(analyses)]))
}

/** The same for what is ignored and for what is said before that it would be. */
export function isIgnoredBy(projectId: ProjectId, { type, service, begins }: IgnoreEffect) {
  return (eb: ExpressionBuilder<ControlSchema, 'analyses'>) =>
    eb.and([
      eb('project_id', '=', projectId),
      eb('status', '<>', 'ignored'),
      eb('merged_into', 'is', null),
      eb('fingerprint', '<>', OVERFLOW_FINGERPRINT),
      ...(type === null ? [] : [eb('type', '=', type)]),
      ...(service === null ? [] : [eb('service', '=', service)]),
      ...(begins === undefined ? [] : [eb('service', '=', begins.service), titleBegins(begins.words)]),
    ])
}

/** As `ignoringRule` compares; `like` would take case as equal in one of the stores. */
function titleBegins(words: string) {
  const length = [...words].length
  return sql<boolean>`(title = ${words} or substr(title, 1, ${sql.lit(length + 1)}) = ${`${words} `})`
}

function replaced(conflict: OnConflictBuilder<ControlSchema, 'ignored_analyses'>) {
  return conflict.column('analysis_id').doUpdateSet(({ ref }) => ({
    rule_id: ref('excluded.rule_id'),
    status: ref('excluded.status'),
    resolved_at_us: ref('excluded.resolved_at_us'),
    state_changed_at: ref('excluded.state_changed_at'),
    state_changed_by: ref('excluded.state_changed_by'),
  }))
}

type OfRule = Pick<GroupingRule, 'id' | 'projectId'>

async function handOver(
  transaction: ControlTransaction,
  { id, projectId }: OfRule,
  remaining: readonly GroupingRule[],
): Promise<void> {
  if (!remaining.some(({ kind }) => kind === 'ignore')) return
  const ignored = await transaction
    .selectFrom('ignored_analyses')
    .innerJoin('analyses', 'analyses.id', 'ignored_analyses.analysis_id')
    .select(['analyses.id', 'analyses.type', 'analyses.service', 'analyses.title'])
    .where('ignored_analyses.project_id', '=', projectId)
    .where('ignored_analyses.rule_id', '=', id)
    .execute()
  const taken = new Map<string, string[]>()
  for (const { id: analysisId, ...error } of ignored) {
    const rule = ignoringRule(error, remaining)
    if (rule === undefined) continue
    const ids = taken.get(rule.id) ?? []
    ids.push(analysisId)
    taken.set(rule.id, ids)
  }
  for (const [ruleId, ids] of taken) {
    for (const chunk of chunks(ids)) {
      await transaction
        .updateTable('ignored_analyses')
        .set({ rule_id: ruleId })
        .where('analysis_id', 'in', chunk)
        .execute()
    }
  }
}

/** What was resolved, and had errors while it was ignored, has come back. */
async function putBack(transaction: ControlTransaction, { id, projectId }: OfRule, nowMs: number): Promise<number> {
  const cameBack = sql<boolean>`before.status = 'resolved' and analyses.last_seen_us > before.resolved_at_us`
  const { numUpdatedRows } = await transaction
    .updateTable('analyses')
    .from('ignored_analyses as before')
    .set({
      status: sql<string>`case when ${cameBack} then 'open' else before.status end`,
      resolved_at_us: sql<number | null>`case when ${cameBack} then null else before.resolved_at_us end`,
      state_changed_at: sql<
        number | null
      >`case when ${cameBack} then ${sql.lit(nowMs)} else before.state_changed_at end`,
      state_changed_by: sql<string | null>`case when ${cameBack} then null else before.state_changed_by end`,
    })
    .whereRef('before.analysis_id', '=', 'analyses.id')
    .where('before.project_id', '=', projectId)
    .where('before.rule_id', '=', id)
    .where('analyses.status', '=', 'ignored')
    .where('analyses.merged_into', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
