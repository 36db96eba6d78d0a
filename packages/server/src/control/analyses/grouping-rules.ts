/** People's corrections of the grouping. Adding a rule also changes existing analyses, in the same transaction. */
import { SPLIT_FIELDS } from '@tidemark/wire/analyses/analysis'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { GroupingRule, SplitField } from '../../model/grouping-rule.ts'
import { newId } from '../../model/id.ts'
import type { ProjectId } from '../../model/project.ts'
import { appendAudit, type Change } from '../audit.ts'
import { isoTime, parseColumn } from '../database/columns.ts'
import { type ControlDatabase, withLock } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'
import { decideIgnore, decideRule, type IgnoringRule, type NewGroupingRule } from './decide-rule.ts'
import { countIgnored, ignoreExisting, isIgnoredBy, leaveRule } from './ignored-analyses.ts'
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
  /**
   * Its effect on earlier errors stays. With `restore`, what it ignored has the state again that it had before, but for
   * what somebody changed since and what another rule ignores. Null when there is no such rule.
   */
  remove(
    projectId: ProjectId,
    id: string,
    change: Change,
    options?: { restore?: boolean },
  ): Promise<{ restored: number } | null>
  /** How many analyses each rule keeps ignored, of those that `restore` would bring back. Only of rules that have any. */
  countIgnored(projectId: ProjectId): Promise<Map<string, number>>
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
        if (effect.kind === 'ignore') await ignoreExisting(transaction, projectId, { ruleId: row.id, effect }, change)
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

    async remove(projectId, id, change, { restore = false } = {}) {
      return withLock(database, 'analyses', async (transaction) => {
        const row = await transaction
          .deleteFrom('grouping_rules')
          .where('project_id', '=', projectId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst()
        if (!row) return null
        const rule = toRule(row)
        if (rule.kind === 'merge') await unmergeAnalyses(transaction, projectId, rule.from)
        const remaining = (await rulesOf(transaction, [projectId])).get(projectId) ?? []
        const restored = await leaveRule(transaction, rule, { remaining, restore, nowMs: change.nowMs })
        const details = { rule: id, description: row.description, ...(restore && { restored }) }
        await appendAudit(database, transaction, change, { action: 'grouping_rule.removed', projectId, details })
        return { restored }
      })
    },

    countIgnored: (projectId) => countIgnored(db, projectId),

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
