/** Records of a window with the deploys between them, page by page. */
import { environmentOf } from '@tidemark/wire/query/environment-of'
import { DEFAULT_LIMIT, type SearchAnswer, type SearchInput } from '@tidemark/wire/reading'
import type { StoredRecord } from '../../logstore/log-store.ts'
import type { Caller } from '../../model/caller.ts'
import { requireReader } from '../require-reader.ts'
import { analysisIds } from './analysis-of-records.ts'
import type { CursorScope } from './cursor.ts'
import { toDeployRow } from './deploy-row.ts'
import { filterQuestion, logFilter, unknownFields } from './log-filter.ts'
import { toLogRow } from './log-row.ts'
import type { ReadingParts } from './reading-parts.ts'
import { narrowed, narrowedWindow, narrowingOf } from './search-logs-analysis.ts'
import { deploysBehind } from './search-logs-deploys.ts'
import { mergeTimeline, positionOf, recordsBehind, type TimelineRow } from './search-logs-merge.ts'
import { whyEmpty } from './why-empty.ts'
import { usedWindow } from './window.ts'

/** A page ends early when its texts are longer than this together; the cursor goes on from there. */
const MAX_PAGE_CHARACTERS = 8_000_000

export async function searchLogs(
  parts: ReadingParts,
  caller: Caller,
  input: SearchInput,
  signal?: AbortSignal,
): Promise<SearchAnswer> {
  const { control, logStore, cursors, publicUrl } = parts
  const project = requireReader(caller)
  const { limit = DEFAULT_LIMIT, order = 'newest' } = input
  const filter = logFilter(input)
  const narrowing = await narrowingOf(parts, project.id, input)
  const query = narrowed(filter.query, narrowing)
  const environments = environmentOf(query)
  const scope = searchScope(project.id, input)
  const cursor = input.cursor === undefined ? undefined : cursors.open(input.cursor, scope)
  // With a cursor the window is the one of the first page: what `from` and `to` mean may have moved on since.
  const window = cursor
    ? { fromUs: cursor.fromUs, toUs: cursor.toUs, warnings: [] }
    : await narrowedWindow(parts, project, input, narrowing)
  const { fromUs, toUs } = window
  const logs = logStore.project(project.id)

  const range = { fromUs, toUs }
  const after = cursor?.after
  // One more of each than can be shown, so that the last page is known to be the last.
  const stretch = { order, limit: limit + 1 }
  const deploys = await deploysBehind(control.deploys, {
    ...stretch,
    projectId: project.id,
    range,
    environments,
    after,
  })
  const found = await logs.search({ ...stretch, ...recordsBehind(range, order, after), filter: query, signal })
  const page = mergeTimeline({ rows: found.records, isEnd: found.isEnd }, deploys, { order, limit })
  const rows = withinSize(page.rows)
  const last = rows.at(-1)
  const hasMore = !page.isEnd || rows.length < page.rows.length
  const records = rows.flatMap((row) => (row.kind === 'log' ? [row.record] : []))
  const analyses = await analysisIds(parts, project.id, records)
  const warnings = [...narrowing.warnings, ...filter.warnings]
  if (cursor === undefined) {
    warnings.push(...(await unknownFields(logs, { query, range, records: found.records, signal })))
  }
  return {
    window: usedWindow(range),
    rows: rows.map((row) =>
      row.kind === 'log' ? toLogRow(row.record, analyses.get(row.record.id) ?? null) : toDeployRow(row.deploy),
    ),
    nextCursor: hasMore && last ? cursors.seal({ ...range, after: positionOf(last) }, scope) : null,
    warnings: [...window.warnings, ...warnings],
    empty: await whyNothing(),
  }

  /** A deploy between no records is no answer to a search for records. */
  async function whyNothing(): Promise<string | null> {
    if (cursor) return last ? null : 'There are no more rows in this window.'
    if (last && (found.records.length > 0 || !found.isEnd)) return null
    return await whyEmpty(logs, { range, query, environments, publicUrl, signal })
  }
}

/** Everything that decides which rows there are and in which order. */
export function searchScope(projectId: string, input: SearchInput): CursorScope {
  const { order = 'newest', analysisId, deployId } = input
  return { projectId, question: ['logs', order, ...filterQuestion(input), analysisId, deployId] }
}

function withinSize(rows: TimelineRow[]): TimelineRow[] {
  let characters = 0
  const end = rows.findIndex((row) => {
    if (row.kind === 'log') characters += charactersOf(row.record)
    return characters > MAX_PAGE_CHARACTERS
  })
  return end < 0 ? rows : rows.slice(0, Math.max(1, end))
}

function charactersOf({ message, error, attributes }: StoredRecord): number {
  let characters = message.length + (error?.message.length ?? 0) + (error?.stack.length ?? 0)
  for (const [key, value] of attributes) characters += key.length + String(value).length
  return characters
}
