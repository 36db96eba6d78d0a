import type { RetentionPreviewAnswer } from '@tidemark/wire/project'
import type { Control } from '../../control/open.ts'
import { checkedSettings } from '../../control/projects/project-settings.ts'
import type { LogStore } from '../../logstore/log-store.ts'
import type { Caller } from '../../model/caller.ts'
import { keptSinceUs } from '../../model/project.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import { requireManager } from '../require-manager.ts'

type Parts = { control: Pick<Control, 'projects'>; logStore: Pick<LogStore, 'project'> }
type Input = { project: string; retentionDays: number }

/**
 * How many records another retention would delete, by the rule of the job that deletes them. Changes nothing. The counts
 * per minute answer it, so it costs the same for a day and for years.
 */
export async function previewRetention(
  { control, logStore }: Parts,
  caller: Caller,
  { project, retentionDays }: Input,
  nowMs: number,
  signal?: AbortSignal,
): Promise<RetentionPreviewAnswer> {
  const { id } = await requireManager(control, caller, { project, least: 'owner' })
  checkedSettings({ retentionDays })
  const toUs = keptSinceUs(retentionDays, nowMs)
  const records = await logStore.project(id).total({ range: { fromUs: 0, toUs }, filter: { root: null }, signal })
  return { retentionDays, keptSince: formatRfc3339(toUs), records }
}
