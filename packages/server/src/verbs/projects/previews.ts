/** What a changed setting of a project would do, before it is saved. Nothing is changed, nothing stored. */

import type { RetentionPreviewAnswer, RetentionPreviewInput } from '@tidemark/wire/project'
import { ruleView } from '@tidemark/wire/retention'
import { withCommas } from '@tidemark/wire/text/counted'
import { checkedSettings } from '../../control/projects/input.ts'
import { checkedRules } from '../../control/projects/retention-rules.ts'
import { AppError } from '../../errors.ts'
import type { LogStore } from '../../logstore/log-store.ts'
import type { Caller } from '../../model/caller.ts'
import { pastRetention } from '../../model/retention.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import type { RedactionThreads } from '../../redaction/redact-in-thread.ts'
import { parseRedaction, redactionOf } from '../../redaction/settings.ts'
import { type ControlParts, requireManager } from '../access.ts'

const MAX_SAMPLE_CHARACTERS = 64 * 1024

type RedactionPreview = {
  text: string
  redactions: Record<string, number>
  /** What each rule has replaced in this project so far, most first. */
  counters: { rule: string; redactions: number }[]
}

/** Redacts a sample with the project's rules, or with rules that are not saved yet. */
export async function previewRedaction(
  parts: ControlParts & { redaction: RedactionThreads },
  caller: Caller,
  { project, text, redaction }: { project: string; text: string; redaction?: unknown },
  signal?: AbortSignal,
): Promise<RedactionPreview> {
  const found = await requireManager(parts, caller, { project, least: 'member' })
  if (text.length > MAX_SAMPLE_CHARACTERS) {
    throw new AppError(
      'invalid_request',
      `A sample has at most ${withCommas(MAX_SAMPLE_CHARACTERS)} characters: try a part of it.`,
    )
  }
  const isNew = redaction !== undefined
  const settings = isNew ? parseRedaction(redaction) : redactionOf(found.redaction)
  const sample = await parts.redaction.sample(found.id, { settings, text, isNew }, signal)
  return { ...sample, counters: await parts.control.usage.redactions(found.id) }
}

/**
 * How many records another retention would delete, by the rule of the job that deletes them. The counts per minute answer
 * it, so it costs the same for a day and for years.
 */
export async function previewRetention(
  parts: ControlParts & { logStore: Pick<LogStore, 'project'> },
  caller: Caller,
  { project, ...changes }: { project: string } & RetentionPreviewInput,
  signal?: AbortSignal,
): Promise<RetentionPreviewAnswer> {
  const saved = await requireManager(parts, caller, { project, least: 'owner' })
  checkedSettings(changes)
  const retention = {
    retentionDays: changes.retentionDays ?? saved.retentionDays,
    retentionRules: changes.retentionRules ? checkedRules(changes.retentionRules).rules : saved.retentionRules,
  }
  const past = pastRetention(retention, parts.now())
  const counts = await parts.logStore.project(saved.id).pastCounts(past, signal)
  return {
    records: counts.reduce((sum, records) => sum + records, 0),
    past: [...past.rules, null].map((rule, at) => ({
      rule: rule && ruleView(retention.retentionRules[at]!),
      keptSince: formatRfc3339(rule?.beforeUs ?? past.beforeUs),
      records: counts[at] ?? 0,
    })),
  }
}
