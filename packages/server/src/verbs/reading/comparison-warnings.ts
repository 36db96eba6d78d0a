/** Rules of a retention take some records earlier than others, so two windows may not hold the same kinds of records. */
import type { Warning } from '@tidemark/wire/reading/question'
import { type Retention, retentionWords } from '@tidemark/wire/retention'
import { comparableSinceUs } from '../../model/retention.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import type { TimeRange } from '../../model/time-range.ts'

type Compared = { range: TimeRange; base: TimeRange; environment: string | null }

/** Empty when the two can be compared. */
export function comparisonWarnings(
  retention: Retention,
  { range, base, environment }: Compared,
  nowMs: number,
): Warning[] {
  if (!retention.retentionRules?.length) return []
  const untilUs = Math.max(range.toUs, base.toUs)
  const sinceUs = comparableSinceUs(retention, { untilUs, environment }, nowMs)
  if (Math.min(range.fromUs, base.fromUs) >= sinceUs) return []
  const message = `Records are kept for ${retentionWords(retention)}. Some of those from before ${formatRfc3339(sinceUs)} are gone, so what seems new or gone may have been kept for another time only: compare windows after it.`
  return [{ message }]
}
