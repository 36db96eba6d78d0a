/** Why records were not taken, for protocols that have only a sentence for it: the first few, the rest is a number. */
import type { AcceptedBatch } from '../../ingest/door/accept.ts'

export const MAX_REASONS = 5

export function firstReasons(rejected: AcceptedBatch['rejected'], entry: string): string[] {
  return rejected.slice(0, MAX_REASONS).map(({ index, reason }) => `${entry} ${index}: ${reason}`)
}
