import type { ClickHouseClient } from '@clickhouse/client'
import type { ProjectId } from '../model/project.ts'
import { READ_SETTINGS } from './query/query-limits.ts'
import { LOG_TABLE } from './schema/schema.ts'

const DELETE_SECONDS = 300
const WHERE = 'project = {project:String} AND time < fromUnixTimestamp64Micro({before:Int64})'
/** Far behind the last record that can ever come in. */
const EVERYTHING_US = 4_102_444_800_000_000

/** Looks first: a delete writes a mutation into every part, also when it finds nothing. */
export async function forgetRecords(
  client: ClickHouseClient,
  project: ProjectId,
  beforeUs: number | null,
): Promise<boolean> {
  const query_params = { project, before: beforeUs ?? EVERYTHING_US }
  const found = await client.query({
    query: `SELECT 1 FROM ${LOG_TABLE} WHERE ${WHERE} LIMIT 1`,
    query_params,
    clickhouse_settings: READ_SETTINGS,
    format: 'JSONEachRow',
  })
  if ((await found.json()).length === 0) return false
  await client.command({
    query: `DELETE FROM ${LOG_TABLE} WHERE ${WHERE}`,
    query_params,
    clickhouse_settings: { max_execution_time: DELETE_SECONDS, lightweight_deletes_sync: '2' },
  })
  return true
}
