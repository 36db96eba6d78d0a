import type { BatchContext } from './finish-record.ts'
import type { RecordDraft } from './record-draft.ts'
import { parseTimestamp } from './timestamp.ts'

/** The protocol's time wins; one in the line that says something else is kept beside it. */
export function keepOwnTime(
  draft: RecordDraft,
  timeUs: number,
  { receivedUs }: Pick<BatchContext, 'receivedUs'>,
): void {
  const own = draft.value('time')
  if (own === undefined) return
  const ownUs = parseTimestamp(own, receivedUs)
  if (ownUs === null || Math.floor(ownUs / 1_000) !== Math.floor(timeUs / 1_000)) draft.keep(draft.key('time'), own, 1)
}
