/** The log store over anything that speaks ClickHouse's HTTP interface; only how a segment gets there differs. */

import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings } from '@clickhouse/client'
import { END_OF_TIME_US } from '@tidemark/wire/time/instant'
import { MINUTE_MS } from '@tidemark/wire/time/units'
import { firstIdAt } from '../model/id.ts'
import type { ProjectId } from '../model/project.ts'
import type { PastRetention } from '../model/retention.ts'
import { translated } from './driver-errors.ts'
import type { EngineHealth, LogStore, Segment } from './log-store.ts'
import { compilePast } from './query/past-retention.ts'
import { LOAD_SETTINGS, READ_SETTINGS, WITHOUT_LAG } from './query/query-limits.ts'
import { projectLogs } from './read/project-logs.ts'
import { readOf } from './read/read-connection.ts'
import { countPast } from './read/read-past.ts'
import { countErrors } from './read/segment-errors.ts'
import { COLUMNS, SEGMENT_COLUMN, SEGMENT_STRUCTURE } from './schema/columns.ts'
import { LOG_TABLE, onCluster, storedTable, type TableLayout } from './schema/schema.ts'

/** Long before anybody forgets the token under which it was loaded, however many loads there are. */
const LOADED_AGAIN_MS = 15 * MINUTE_MS
/** So that the list of ids stays far below what an address may hold. */
const SEGMENTS_A_QUESTION = 2_000

/** Longer than any deadline of the engine, which decides. Errors go to our own log; the client's is off. */
export const CLIENT_OPTIONS = { request_timeout: 360_000, log: { level: ClickHouseLogLevel.OFF } }

export type StoreParts = {
  layout: TableLayout
  maxSegmentBytes(): number
  /** May throw an AppError while there is none. */
  client(): ClickHouseClient
  /** Runs `loadStatement` over the segment's bytes. */
  loadDay(segment: Segment, load: DayLoad): Promise<void>
  /** Runs `insertFrom` over the bytes of an archive's part, a file in gzip. */
  loadPart(path: string, settings: ClickHouseSettings): Promise<void>
  health(): EngineHealth
  close(): Promise<void>
}

type DayLoad = {
  query_params: { segment: string; day: number }
  clickhouse_settings: typeof LOAD_SETTINGS
}

export function createStore({
  layout,
  maxSegmentBytes,
  client,
  loadDay,
  health,
  close,
}: Omit<StoreParts, 'loadPart'>): LogStore {
  return {
    maxSegmentBytes,

    async load(segment) {
      // A part belongs to one day, and only a part is atomic: a day at a time, each with its own token.
      for (const { day } of segment.days) {
        const load: DayLoad = {
          query_params: { segment: segment.id, day },
          clickhouse_settings: { ...LOAD_SETTINGS, insert_deduplication_token: `${segment.id}:${day}` },
        }
        await translated(() => loadDay(segment, load))
      }
    },

    async loadedDays(segmentIds) {
      const found = new Map<string, Set<number>>()
      for (let start = 0; start < segmentIds.length; start += SEGMENTS_A_QUESTION) {
        const segments = segmentIds.slice(start, start + SEGMENTS_A_QUESTION)
        for (const { segment, day } of await translated(() => askDays(client(), segments))) {
          found.set(segment, (found.get(segment) ?? new Set()).add(day))
        }
      }
      return found
    },

    isLoadedAgain: (id) => layout.cluster !== null && id >= firstIdAt('seg', Date.now() - LOADED_AGAIN_MS),
    errorsOfSegments: (question) => translated(() => countErrors(client(), question)),
    forget: (id, past) => translated(() => forgetRecords({ client: client(), layout }, id, past)),
    project: (id) => projectLogs(client, id),
    health,
    close,
  }
}

const COLUMN_NAMES = COLUMNS.map(({ name }) => name).join(', ')

/** `source` is a table function that gives the segment's rows. The day is always given: others may be stored. */
export function loadStatement(source: string): string {
  return `INSERT INTO ${LOG_TABLE} (${COLUMN_NAMES}, ${SEGMENT_COLUMN.name})
SELECT ${COLUMN_NAMES}, {segment:String} FROM ${source}
WHERE frame = '' AND toUInt16(toDate(time)) = {day:UInt16}`
}

/** The structure of a segment as an SQL literal. */
export const STRUCTURE_LITERAL = `'${SEGMENT_STRUCTURE.replaceAll("'", "\\'")}'`

async function askDays(
  client: ClickHouseClient,
  segments: readonly string[],
): Promise<{ segment: string; day: number }[]> {
  const answer = await client.query({
    query: `SELECT segment, toUInt16(toDate(time)) AS day FROM ${LOG_TABLE} WHERE segment IN {segments:Array(String)} GROUP BY segment, day`,
    query_params: { segments },
    clickhouse_settings: READ_SETTINGS,
    format: 'JSONEachRow',
  })
  return await answer.json()
}

const DELETE_SECONDS = 300
/** Everything there is. */
const ALL: PastRetention = { rules: [], beforeUs: END_OF_TIME_US }

/** Looks first: a delete writes a mutation into every part, even when it finds nothing. */
async function forgetRecords(
  { client, layout }: { client: ClickHouseClient; layout: TableLayout },
  project: ProjectId,
  past: PastRetention | null,
): Promise<boolean> {
  const { latest, beforeOfRecord, values } = compilePast(past ?? ALL)
  const query_params = { ...values, project }
  // Without rules, the first finds a record at once; with them, the counts per minute save reading every record.
  const found =
    past !== null && past.rules.length > 0
      ? (
          await countPast(
            readOf(() => client, project),
            past,
          )
        ).some((records) => records > 0)
      : (await askPast(client, query_params, latest)).length > 0
  if (!found) return false
  await client.command({
    query: `DELETE FROM ${storedTable(layout)}${onCluster(layout)} WHERE project = {project:String} AND time < fromUnixTimestamp64Micro(${latest}) AND toUnixTimestamp64Micro(time) < ${beforeOfRecord}`,
    query_params,
    clickhouse_settings: { max_execution_time: DELETE_SECONDS, lightweight_deletes_sync: '2' },
  })
  return true
}

async function askPast(client: ClickHouseClient, query_params: Record<string, unknown>, latest: string) {
  const answer = await client.query({
    query: `SELECT 1 FROM ${LOG_TABLE} WHERE project = {project:String} AND time < fromUnixTimestamp64Micro(${latest}) LIMIT 1`,
    query_params,
    clickhouse_settings: { ...READ_SETTINGS, ...WITHOUT_LAG },
    format: 'JSONEachRow',
  })
  return await answer.json()
}
