import type { FilterInput } from '@tidemark/wire/reading/question'
import type { LogRow } from '@tidemark/wire/reading/row'
import type { Selection } from '../../../logstore/questions.ts'
import type { Caller } from '../../../model/caller.ts'
import type { ProjectId } from '../../../model/project.ts'
import { changeBy, requireReader } from '../../access.ts'
import { logFilter } from '../log-filter.ts'
import type { ReadingParts } from '../reading-parts.ts'
import { resolveWindow, windowParts } from '../window.ts'
import { toLogRows } from './log-row.ts'

/** An export ends here; a narrower window gives the rest. */
const MAX_EXPORT_RECORDS = 1_000_000
const AT_A_TIME = 1_000

/** `records` will be sent; `leftOut` more match but are not. Counted at the start: some may expire meanwhile. */
type LogExport = { records: number; leftOut: number; pages: AsyncIterable<LogRow[]> }

/** All records of a search, newest first, page by page as they are read; bounded by the export limit. Audited. */
export async function exportLogs(
  parts: ReadingParts,
  caller: Caller,
  input: FilterInput,
  signal: AbortSignal,
): Promise<LogExport> {
  const project = requireReader(caller)
  const { query: filter } = logFilter(input)
  const range = await resolveWindow(input, windowParts(parts, project))
  const matching = await parts.logStore.project(project.id).total({ range, filter, signal })
  await parts.control.audit.append(changeBy(parts, caller), {
    action: 'logs.exported',
    projectId: project.id,
    details: { ...input, records: matching },
  })
  const records = Math.min(matching, MAX_EXPORT_RECORDS)
  const pages = readPages(parts, project.id, { range, filter, signal })
  return { records, leftOut: matching - records, pages }
}

/** Page by page, each read only when the one before has been consumed: a slow reader holds one page and no query. */
async function* readPages(
  parts: ReadingParts,
  projectId: ProjectId,
  { range: { fromUs, toUs }, filter, signal }: Selection,
): AsyncGenerator<LogRow[]> {
  const logs = parts.logStore.project(projectId)
  let after: string | undefined
  for (let given = 0; given < MAX_EXPORT_RECORDS; ) {
    const limit = Math.min(AT_A_TIME, MAX_EXPORT_RECORDS - given)
    const search = { range: { fromUs, toUs }, filter, order: 'newest', limit, after, signal } as const
    const { records, isEnd } = await logs.search(search)
    if (records.length > 0) yield await toLogRows(parts, projectId, records)
    after = records.at(-1)?.id
    given += records.length
    if (isEnd || after === undefined) return
  }
}
