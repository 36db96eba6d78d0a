/** Records of a window with the deploys between them, page by page. */
import { environmentOf } from '@tidemark/wire/query/environment-of'
import { DEFAULT_LIMIT } from '@tidemark/wire/reading/question'
import type { DeployRow, LogRow } from '@tidemark/wire/reading/row'
import type { SearchAnswer, SearchInput } from '@tidemark/wire/reading/search'
import { AppError } from '../../../errors.ts'
import type { StoredRecord } from '../../../logstore/questions.ts'
import type { Caller } from '../../../model/caller.ts'
import { parseRfc3339 } from '../../../model/rfc3339.ts'
import { requireReader } from '../../access.ts'
import type { CursorScope, Position } from '../cursor.ts'
import { toDeployRow } from '../deploy-view.ts'
import { filterQuestion, logFilter, unknownFields } from '../log-filter.ts'
import { narrowed, narrowedWindow, narrowingOf } from '../narrowing.ts'
import type { ReadingParts } from '../reading-parts.ts'
import { explainEmptiness } from '../why-empty.ts'
import { usedWindow } from '../window.ts'
import { deploysBehind } from './list-logs-deploys.ts'
import { mergeTimeline, positionOf, recordsBehind, type TimelineRow } from './list-logs-merge.ts'
import { analysisIds, toLogRow } from './log-row.ts'

/** A page ends early when its texts are longer than this together; the cursor continues from there. */
const MAX_PAGE_CHARACTERS = 8_000_000

export async function listLogs(
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
  // With a cursor the window is that of the first page: what `from` and `to` mean may have changed since.
  const window = cursor
    ? { fromUs: cursor.fromUs, toUs: cursor.toUs, warnings: [] }
    : await narrowedWindow(parts, project, input, narrowing)
  const { fromUs, toUs } = window
  const logs = logStore.project(project.id)

  const range = { fromUs, toUs }
  const after = cursor?.after
  // One more of each than can be shown, so that the last page is known to be the last.
  const stretch = { order, limit: limit + 1 }
  const [deploys, found] = await Promise.all([
    deploysBehind(control.deploys, { ...stretch, projectId: project.id, range, environments, after }),
    logs.search({ ...stretch, ...recordsBehind(range, order, after), filter: query, signal }),
  ])
  const page = mergeTimeline({ rows: found.records, isEnd: found.isEnd }, deploys, { order, limit })
  const rows = withinSize(page.rows)
  const last = rows.at(-1)
  const hasMore = !page.isEnd || rows.length < page.rows.length
  const records = rows.flatMap((row) => (row.kind === 'log' ? [row.record] : []))
  const [analyses, unknown, emptiness] = await Promise.all([
    analysisIds(parts, project.id, records),
    cursor ? [] : unknownFields(logs, { query, range, records: found.records, signal }),
    whyNothing(),
  ])
  return {
    window: usedWindow(range),
    rows: rows.map((row) =>
      row.kind === 'log' ? toLogRow(row.record, analyses.get(row.record.id) ?? null) : toDeployRow(row.deploy),
    ),
    nextCursor: hasMore && last ? cursors.seal({ ...range, after: positionOf(last) }, scope) : null,
    warnings: [...window.warnings, ...narrowing.warnings, ...filter.warnings, ...unknown],
    ...emptiness,
  }

  /** Deploys without any record are not an answer to a search for records. */
  async function whyNothing(): Promise<Pick<SearchAnswer, 'empty' | 'nearest'>> {
    if (cursor) return { empty: last ? null : 'There are no more rows in this window.' }
    if (last && (found.records.length > 0 || !found.isEnd)) return { empty: null }
    return await explainEmptiness(logs, { range, query, environments, publicUrl, signal })
  }
}

/**
 * The first rows of an answer to `input`, with a cursor that continues after them: a caller without room for more need
 * not ask again. `count` is at least 1 and less than the answer has. Does not query the log store.
 */
export async function shortenLogs(
  { control, cursors }: Pick<ReadingParts, 'control' | 'cursors'>,
  caller: Caller,
  input: SearchInput,
  answer: SearchAnswer,
  count: number,
): Promise<SearchAnswer> {
  const project = requireReader(caller)
  const rows = answer.rows.slice(0, count)
  const last = rows.at(-1)
  if (last === undefined || rows.length === answer.rows.length) return answer
  const range = { fromUs: timeOf(answer.window.from), toUs: timeOf(answer.window.to) }
  const after = last.kind === 'log' ? positionOfLog(last) : await positionOfDeploy(last)
  return { ...answer, rows, nextCursor: cursors.seal({ ...range, after }, searchScope(project.id, input)) }

  function positionOfLog({ timestamp, id }: LogRow): Position {
    return { kind: 'log', timeUs: timeOf(timestamp), id }
  }

  async function positionOfDeploy({ timestamp, id }: DeployRow): Promise<Position> {
    const deploy = await control.deploys.get(project.id, id)
    if (deploy === null) {
      throw new AppError('not_found', 'The project is being deleted and can no longer be read: ask in another one.')
    }
    return { kind: 'deploy', timeUs: timeOf(timestamp), id, createdAt: deploy.createdAt }
  }
}

/** Everything that decides which rows there are and in which order. */
function searchScope(projectId: string, input: SearchInput): CursorScope {
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

/** Times of an answer are ours and whole microseconds. */
function timeOf(text: string): number {
  const timeUs = parseRfc3339(text)
  if (timeUs === null) throw new Error(`not a time of ours: ${text}`)
  return timeUs
}
