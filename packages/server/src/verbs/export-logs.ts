import type { FilterInput, LogRow } from '@tidemark/wire/reading'
import type { Caller } from '../model/caller.ts'
import { toLogRows } from './analysis-of-records.ts'
import { logFilter } from './log-filter.ts'
import type { ReadingParts } from './open-reading-parts.ts'
import { requireReader } from './require-reader.ts'
import { resolveWindow, windowParts } from './window.ts'

/** An export ends there; a narrower window gives the rest. */
export const MAX_EXPORT_RECORDS = 1_000_000
const AT_A_TIME = 1_000

/** Page by page, each read only when the one before was taken: a slow reader holds one page and no query. */
export async function* exportLogs(
  parts: ReadingParts,
  caller: Caller,
  input: FilterInput,
  signal: AbortSignal,
): AsyncGenerator<LogRow[]> {
  const { logStore } = parts
  const project = requireReader(caller)
  const { query: filter } = logFilter(input)
  const { fromUs, toUs } = await resolveWindow(input, windowParts(parts, project))
  const logs = logStore.project(project.id)
  let after: string | undefined
  for (let given = 0; given < MAX_EXPORT_RECORDS; ) {
    const limit = Math.min(AT_A_TIME, MAX_EXPORT_RECORDS - given)
    const search = { range: { fromUs, toUs }, filter, order: 'newest', limit, after, signal } as const
    const { records, isEnd } = await logs.search(search)
    if (records.length > 0) yield await toLogRows(parts, project.id, records)
    after = records.at(-1)?.id
    given += records.length
    if (isEnd || after === undefined) return
  }
}
