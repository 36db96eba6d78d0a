/** Forgets which batches came in, which segments were counted, once nobody can send or count them again, and old counts. */

import { BATCH_MEMORY_MS } from '@tidemark/wire/batch-id'
import { DAY_MS, HOUR_MS } from '@tidemark/wire/time/units'
import { INGEST_COUNTS_KEPT_MS } from '../control/keys/ingest-counts.ts'
import type { Control } from '../control/open.ts'
import type { Job } from './schedule.ts'

type Parts = { control: Pick<Control, 'batches' | 'usage' | 'ingestCounts'>; now?: () => number }

const EVERY_MS = HOUR_MS
/** Counted segments are remembered far longer than a segment can wait in the spool. */
const SEGMENT_MEMORY_MS = 90 * DAY_MS
/** More than a year, so that a month can be set beside the one a year before. */
const DAY_MEMORY_MS = 400 * DAY_MS

export function forgetBatches({ control, now = Date.now }: Parts) {
  return {
    name: 'batches',
    everyMs: EVERY_MS,
    async run() {
      await control.batches.purge(now() - BATCH_MEMORY_MS)
      await control.usage.forgetSegments(now() - SEGMENT_MEMORY_MS)
      await control.usage.forgetDays(now() - DAY_MEMORY_MS)
      await control.ingestCounts.forget(now() - INGEST_COUNTS_KEPT_MS)
    },
  } satisfies Job
}
