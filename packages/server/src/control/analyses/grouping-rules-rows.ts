import type { Kysely } from 'kysely'
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { GroupingRule, RuleEffect } from '../../model/grouping-rule.ts'
import type { ProjectId } from '../../model/project.ts'
import { isoTime } from '../database/columns.ts'
import type { ControlSchema } from '../database/schema.ts'

type RuleRow = ControlSchema['grouping_rules']

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

export function toRule(row: RuleRow): GroupingRule {
  return {
    id: row.id,
    projectId: row.project_id as ProjectId,
    description: row.description,
    createdAt: isoTime(row.created_at),
    createdBy: row.created_by,
    ...parseEffect(row.effect),
  }
}

const group = z.object({ fingerprint: z.string(), splitValue: z.string() })
const effect = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('merge'), from: group, into: group }),
  z.object({
    kind: z.literal('split'),
    fingerprint: z.string(),
    by: z.enum(['service', 'logger', 'host', 'pattern']),
  }),
  z.object({ kind: z.literal('ignore'), type: z.string().nullable(), service: z.string().nullable() }),
])

function parseEffect(text: string): RuleEffect {
  try {
    return effect.parse(JSON.parse(text))
  } catch (cause) {
    throw new AppError('internal', 'The control database holds a damaged value. Restore it from a backup.', { cause })
  }
}
