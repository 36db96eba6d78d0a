/** Forgets which batches came in and which segments were counted, once nobody can send or count them again. */

import { BATCH_MEMORY_MS } from '@tidemark/wire/batch-id'
import { DAY_MS, HOUR_MS } from '@tidemark/wire/time/units'
import type { Control } from '../control/open.ts'
import type { Job } from './schedule.ts'

type Parts = { control: Pick<Control, 'batches' | 'usage'>; now?: () => number }

const EVERY_MS = HOUR_MS
/** Counted segments are remembered far longer than a segment can wait in the spool. */
const SEGMENT_MEMORY_MS = 90 * DAY_MS

export function forgetBatches({ control, now = Date.now }: Parts) {
  return {
    name: 'batches',
    everyMs: EVERY_MS,
    async run() {
      await control.batches.purge(now() - BATCH_MEMORY_MS)
      await control.usage.forgetSegments(now() - SEGMENT_MEMORY_MS)
    },
  } satisfies Job
}
