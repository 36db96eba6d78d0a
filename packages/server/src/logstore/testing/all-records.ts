/** Everything that a project has, for tests that look at what was stored. */

import { DAY_US } from '@tidemark/wire/time/units'
import type { TimeRange } from '../../model/time-range.ts'
import type { ProjectLogs } from '../log-store.ts'
import type { StoredRecord } from '../questions.ts'
import { TODAY } from './segment.ts'

/** All that a test stores is of today or before. */
const ALL_TIME: TimeRange = { fromUs: 0, toUs: (TODAY + 1) * DAY_US }

export function countOf(logs: ProjectLogs, range: TimeRange = ALL_TIME): Promise<number> {
  return logs.total({ range, filter: { root: null } })
}

/** Newest first. */
export async function recordsOf(logs: ProjectLogs, limit = 1_000): Promise<StoredRecord[]> {
  return (await logs.search({ range: ALL_TIME, filter: { root: null }, order: 'newest', limit })).records
}
