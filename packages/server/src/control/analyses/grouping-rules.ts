/** People's corrections of the grouping. Adding a rule also changes existing analyses, in the same transaction. */
import { SPLIT_FIELDS } from '@tidemark/wire/analyses/analysis'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { OVERFLOW_FINGERPRINT } from '../../model/analysis.ts'
import type { GroupingRule, SplitField } from '../../model/grouping-rule.ts'
import { newId } from '../../model/id.ts'
import type { ProjectId } from '../../model/project.ts'
import { appendAudit, type Change } from '../audit.ts'
import { isoTime, parseColumn } from '../database/columns.ts'
import { type ControlDatabase, type ControlTransaction, withLock } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'
import { decideIgnore, decideRule, type IgnoreEffect, type IgnoringRule, type NewGroupingRule } from './decide-rule.ts'
import { mergeAnalyses, unmergeAnalyses } from './merge.ts'

type WouldIgnore = {
  analyses: number
  errors: number
  examples: { id: string; title: string; environment: string; count: number }[]
}

/** Which errors of a project are told apart by which field, for counting them. */
type Split = { projectId: ProjectId; fingerprint: string; by: SplitField }

export type GroupingRules = {
  /** Oldest first: the order they were decided in. */
  list(projectId: ProjectId): Promise<GroupingRule[]>
  /**
   * Merge: the errors counted so far move into the other analysis in every environment, and the id leads there.
   * Split: what was counted stays; errors from now on are told apart. Ignore: matching analyses become ignored, new ones
   * start ignored. An analysis that does not exist is `not_found`; a rule that contradicts another is a `conflict`.
   */
  add(projectId: ProjectId, rule: NewGroupingRule, change: Change): Promise<GroupingRule>
  /** What an ignoring rule would make ignored now: how many, and the ones with most errors. Writes nothing. */
  wouldIgnore(projectId: ProjectId, rule: IgnoringRule, examples: number): Promise<WouldIgnore>
  /** Its effect on earlier errors stays. False when there is no such rule. */
  remove(projectId: ProjectId, id: string, change: Change): Promise<boolean>
  /** Of all living projects. */
  splits(): Promise<Split[]>
}

const MAX_RULES = 500

export function createGroupingRules(database: ControlDatabase): GroupingRules {
  const { db } = database

  return {
    async list(projectId) {
      return (await rulesOf(db, [projectId])).get(projectId) ?? []
    },

    async add(projectId, rule, change) {
      return withLock(database, 'analyses', async (transaction) => {
        const rules = (await rulesOf(transaction, [projectId])).get(projectId) ?? []
        if (rules.length >= MAX_RULES) {
          throw new AppError('conflict', `A project has at most ${MAX_RULES} grouping rules. Remove one first.`)
        }
        const { effect, description } = await decideRule(transaction, projectId, rule, rules)
        const row = {
          id: newId('rul', change.nowMs),
          project_id: projectId,
          kind: effect.kind,
          effect: JSON.stringify(effect),
          description,
          created_at: change.nowMs,
          created_by: change.by,
        }
        await transaction.insertInto('grouping_rules').values(row).execute()
        if (effect.kind === 'merge') await mergeAnalyses(transaction, projectId, effect, change.nowMs)
        if (effect.kind === 'ignore') await ignoreExisting(transaction, projectId, effect, change)
        const details = { rule: row.id, description }
        await appendAudit(database, transaction, change, { action: 'grouping_rule.added', projectId, details })
        return toRule(row)
      })
    },

    async wouldIgnore(projectId, rule, examples) {
      const { effect } = decideIgnore({ kind: 'ignore', ...rule })
      const caught = db.selectFrom('analyses').where(isIgnoredBy(projectId, effect))
      const [sums, rows] = await Promise.all([
        caught
          .select(({ fn }) => [
            fn.countAll<number>().as('analyses'),
            fn.coalesce(fn.sum<number>('errors'), sql<number>`0`).as('errors'),
          ])
          .executeTakeFirstOrThrow(),
        caught
          .select(['id', 'title', 'environment', 'errors'])
          .orderBy('errors', 'desc')
          .orderBy('id')
          .limit(examples)
          .execute(),
      ])
      return {
        analyses: Number(sums.analyses),
        errors: Number(sums.errors),
        examples: rows.map(({ errors, ...row }) => ({ ...row, count: errors })),
      }
    },

    async remove(projectId, id, change) {
      return withLock(database, 'analyses', async (transaction) => {
        const row = await transaction
          .deleteFrom('grouping_rules')
          .where('project_id', '=', projectId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst()
        if (!row) return false
        const rule = toRule(row)
        if (rule.kind === 'merge') await unmergeAnalyses(transaction, projectId, rule.from)
        const details = { rule: id, description: row.description }
        await appendAudit(database, transaction, change, { action: 'grouping_rule.removed', projectId, details })
        return true
      })
    },

    async splits() {
      const rows = await db
        .selectFrom('grouping_rules')
        .innerJoin('projects', 'projects.id', 'grouping_rules.project_id')
        .selectAll('grouping_rules')
        .where('grouping_rules.kind', '=', 'split')
        .where('projects.deleted_at', 'is', null)
        .execute()
      return rows
        .map(toRule)
        .flatMap((rule) =>
          rule.kind === 'split' ? [{ projectId: rule.projectId, fingerprint: rule.fingerprint, by: rule.by }] : [],
        )
    },
  }
}

async function ignoreExisting(
  transaction: ControlTransaction,
  projectId: ProjectId,
  effect: IgnoreEffect,
  change: Change,
): Promise<void> {
  await transaction
    .updateTable('analyses')
    .set({ status: 'ignored', resolved_at_us: null, state_changed_at: change.nowMs, state_changed_by: change.by })
    .where(isIgnoredBy(projectId, effect))
    .execute()
}

/** The same for what is ignored and for what is said before that it would be. */
function isIgnoredBy(projectId: ProjectId, { type, service, begins }: IgnoreEffect) {
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

/** As `isIgnored` compares; `like` would take case as equal in one of the stores. */
function titleBegins(words: string) {
  const length = [...words].length
  return sql<boolean>`(title = ${words} or substr(title, 1, ${sql.lit(length + 1)}) = ${`${words} `})`
}

/** All rules of the projects, oldest first. */
export async function rulesOf(
  db: Kysely<ControlSchema>,
  projectIds: readonly ProjectId[],
): Promise<Map<ProjectId, GroupingRule[]>> {
  const rules = new Map<ProjectId, GroupingRule[]>(projectIds.map((id) => [id, []]))
  if (projectIds.length === 0) return rules
  const rows = await db
    .selectFrom('grouping_rules')
    .selectAll()
    .where('project_id', 'in', projectIds)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  for (const row of rows) rules.get(row.project_id as ProjectId)?.push(toRule(row))
  return rules
}

function toRule(row: ControlSchema['grouping_rules']): GroupingRule {
  return {
    id: row.id,
    projectId: row.project_id as ProjectId,
    description: row.description,
    createdAt: isoTime(row.created_at),
    createdBy: row.created_by,
    ...parseColumn(effectColumn, row.effect),
  }
}

const group = z.object({ fingerprint: z.string(), splitValue: z.string() })
const effectColumn = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('merge'), from: group, into: group }),
  z.object({
    kind: z.literal('split'),
    fingerprint: z.string(),
    by: z.enum(SPLIT_FIELDS),
  }),
  z.object({
    kind: z.literal('ignore'),
    type: z.string().nullable(),
    service: z.string().nullable(),
    begins: z.object({ service: z.string(), words: z.string() }).optional(),
  }),
])
