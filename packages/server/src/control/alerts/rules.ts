import { ALERT_REASONS, type AlertReason, MAX_ALERT_RULES, MAX_QUERY_RULES } from '@tidemark/wire/alerts/alert-kinds'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { AlertRule } from '../../model/alert.ts'
import { newId } from '../../model/id.ts'
import type { ProjectId } from '../../model/project.ts'
import { appendAudit, type Change } from '../audit.ts'
import { isoTime, parseColumn } from '../database/columns.ts'
import { type ControlDatabase, type ControlTransaction, chunks, withLock } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'
import { nameWithKey, takenName } from './names.ts'

type NewRule = Omit<AlertRule, 'id' | 'projectId' | 'createdAt' | 'createdBy'>

export type AlertRules = {
  /** By name. */
  list(projectId: ProjectId): Promise<AlertRule[]>
  get(projectId: ProjectId, id: string): Promise<AlertRule | null>
  /** Those that are on and have the reason, of all living projects, oldest first. */
  listOn(reason: AlertReason): Promise<AlertRule[]>
  /** `conflict` when the name is taken or there are too many; `invalid_request` for a channel of another project. */
  add(projectId: ProjectId, rule: NewRule, change: Change): Promise<AlertRule>
  /** What it has told before is forgotten when its question changes: it is then another rule. Null when there is none. */
  change(projectId: ProjectId, id: string, rule: NewRule, change: Change): Promise<AlertRule | null>
  /** What is queued already is still sent. False when there is no such rule. */
  remove(projectId: ProjectId, id: string, change: Change): Promise<boolean>
}

type RuleRow = ControlSchema['alert_rules']

export function createAlertRules(database: ControlDatabase): AlertRules {
  const { db } = database

  return {
    async list(projectId) {
      return rulesOf(db, [projectId])
    },

    async get(projectId, id) {
      return (await rulesOf(db, [projectId])).find((rule) => rule.id === id) ?? null
    },

    async listOn(reason) {
      const rows = await db
        .selectFrom('alert_rules')
        .innerJoin('projects', 'projects.id', 'alert_rules.project_id')
        .selectAll('alert_rules')
        .where('projects.deleted_at', 'is', null)
        .where('alert_rules.is_on', '=', 1)
        .orderBy('alert_rules.id')
        .execute()
      return rows.map(toRule).filter(({ reasons }) => reasons.includes(reason))
    },

    async add(projectId, rule, change) {
      return withLock(database, 'alerts', async (transaction) => {
        const row = await checkedRow(transaction, projectId, rule, { id: newId('alr', change.nowMs), change })
        await transaction.insertInto('alert_rules').values(row).execute()
        await appendAudit(database, transaction, change, {
          action: 'alert_rule.added',
          projectId,
          details: detailsOf(row),
        })
        return toRule(row)
      })
    },

    async change(projectId, id, rule, change) {
      return withLock(database, 'alerts', async (transaction) => {
        const before = (await rulesOf(transaction, [projectId])).find((one) => one.id === id)
        if (!before) return null
        const {
          created_at: _,
          created_by: __,
          ...values
        } = await checkedRow(transaction, projectId, rule, {
          id,
          change,
        })
        await transaction.updateTable('alert_rules').set(values).where('id', '=', id).execute()
        if (question(before) !== question(rule)) {
          await transaction.deleteFrom('alert_episodes').where('rule_id', '=', id).execute()
        }
        const details = detailsOf(values)
        await appendAudit(database, transaction, change, { action: 'alert_rule.changed', projectId, details })
        return (await rulesOf(transaction, [projectId])).find((one) => one.id === id) ?? null
      })
    },

    async remove(projectId, id, change) {
      return withLock(database, 'alerts', async (transaction) => {
        const row = await transaction
          .deleteFrom('alert_rules')
          .where('project_id', '=', projectId)
          .where('id', '=', id)
          .returning('name')
          .executeTakeFirst()
        if (!row) return false
        const details = { rule: id, name: row.name }
        await appendAudit(database, transaction, change, { action: 'alert_rule.removed', projectId, details })
        return true
      })
    },
  }
}

/** By name. */
export async function rulesOf(db: Kysely<ControlSchema>, projectIds: readonly ProjectId[]): Promise<AlertRule[]> {
  const rules: AlertRule[] = []
  for (const chunk of chunks(projectIds)) {
    const rows = await db
      .selectFrom('alert_rules')
      .selectAll()
      .where('project_id', 'in', chunk)
      .orderBy('name_key')
      .execute()
    rules.push(...rows.map(toRule))
  }
  return rules
}

async function checkedRow(
  transaction: ControlTransaction,
  projectId: ProjectId,
  rule: NewRule,
  { id, change }: { id: string; change: Change },
): Promise<RuleRow> {
  const { name, nameKey } = nameWithKey(rule.name, 'The name of a rule')
  const others = (await rulesOf(transaction, [projectId])).filter((other) => other.id !== id)
  if (others.length >= MAX_ALERT_RULES) {
    throw new AppError('conflict', `A project has at most ${MAX_ALERT_RULES} alert rules. Remove one first.`)
  }
  if (others.some((other) => nameWithKey(other.name, '').nameKey === nameKey)) throw takenName('rule', name)
  if (rule.query !== null && others.filter(({ query }) => query !== null).length >= MAX_QUERY_RULES) {
    throw new AppError('conflict', `A project has at most ${MAX_QUERY_RULES} rules with a query. Remove one first.`)
  }
  const channelIds = [...new Set(rule.channelIds)]
  const known = await transaction
    .selectFrom('alert_channels')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', 'in', channelIds)
    .execute()
  if (known.length !== channelIds.length) {
    throw new AppError('invalid_request', 'A rule names channels of its own project. List them to find one.', {
      fields: [{ path: 'channelIds', message: 'names a channel that this project does not have' }],
    })
  }
  return {
    id,
    project_id: projectId,
    name,
    name_key: nameKey,
    is_on: rule.isOn ? 1 : 0,
    reasons: JSON.stringify([...new Set(rule.reasons)]),
    environment: rule.environment,
    service: rule.service,
    query: rule.query,
    threshold: rule.threshold,
    window_minutes: rule.windowMinutes,
    channels: JSON.stringify(channelIds),
    created_at: change.nowMs,
    created_by: change.by,
  }
}

/** What an episode of a rule is an episode of. Switching it off ends them too: on again, it tells what is the case then. */
function question({ query, threshold, windowMinutes, environment, service, isOn }: NewRule): string {
  return JSON.stringify([query, threshold, windowMinutes, environment, service, isOn])
}

function detailsOf(row: Omit<RuleRow, 'created_at' | 'created_by'>): Record<string, unknown> {
  const { id: rule, name, environment, service, query, threshold, window_minutes: windowMinutes } = row
  const reasons = (JSON.parse(row.reasons) as string[]).join(', ')
  return { rule, name, isOn: row.is_on === 1, reasons, environment, service, query, threshold, windowMinutes }
}

function toRule(row: RuleRow): AlertRule {
  return {
    id: row.id,
    projectId: row.project_id as ProjectId,
    name: row.name,
    isOn: row.is_on === 1,
    reasons: parseColumn(storedReasons, row.reasons),
    environment: row.environment,
    service: row.service,
    query: row.query,
    threshold: row.threshold,
    windowMinutes: row.window_minutes,
    channelIds: parseColumn(storedIds, row.channels),
    createdAt: isoTime(row.created_at),
    createdBy: row.created_by,
  }
}

const storedReasons = z.array(z.enum(ALERT_REASONS))
const storedIds = z.array(z.string())
