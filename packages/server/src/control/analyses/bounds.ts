/** How many kinds of errors a project may have. A stranger can cause any number; each costs rows, and attention. */
import { MINUTE_MS } from '@tidemark/wire/time/units'
import { OVERFLOW_FINGERPRINT } from '../../model/analysis.ts'
import type { ProjectId } from '../../model/project.ts'
import type { ControlTransaction } from '../database/database.ts'

/** Beyond them errors are counted in the overflow analysis of their environment. */
export const MAX_ANALYSES = 20_000
export const MAX_NEW_A_MINUTE = 2_000
/** Environments with their own overflow. */
export const MAX_OVERFLOWS = 1_000

export async function roomForNew(
  transaction: ControlTransaction,
  projectId: ProjectId,
  nowMs: number,
): Promise<{ analyses: number; overflows: number }> {
  const made = transaction
    .selectFrom('analyses')
    .select(({ fn }) => fn.countAll<number>().as('analyses'))
    .where('project_id', '=', projectId)
  const overflows = await countOf(made.where('fingerprint', '=', OVERFLOW_FINGERPRINT))
  const all = (await countOf(made)) - overflows
  const recent = await countOf(made.where('created_at', '>', nowMs - MINUTE_MS))
  return {
    analyses: Math.max(0, Math.min(MAX_ANALYSES - all, MAX_NEW_A_MINUTE - recent)),
    overflows: Math.max(0, MAX_OVERFLOWS - overflows),
  }
}

async function countOf(query: { executeTakeFirst(): Promise<{ analyses: number } | undefined> }): Promise<number> {
  return (await query.executeTakeFirst())?.analyses ?? 0
}
