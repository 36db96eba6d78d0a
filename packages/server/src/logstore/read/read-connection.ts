/** Asks the engine about one project. The project's id is a parameter of every query (Invariant 5). */
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import type { ProjectId } from '../../model/project.ts'
import { translated } from '../driver-errors.ts'
import type { CompiledQuery } from '../query/compile-query.ts'
import { READ_SETTINGS } from '../query/query-limits.ts'
import { LOG_TABLE } from '../schema/schema.ts'

export type Values = Record<string, unknown>
export type Read = <Row>(
  query: string,
  values: Values,
  signal?: AbortSignal | undefined,
  settings?: ClickHouseSettings,
) => Promise<Row[]>

/** What every SELECT on the table begins its WHERE with. */
export const OF_PROJECT: string = ofProject({ slices: '' })

/** The same for a SELECT with the condition of a compiled query. */
export function ofProject({ slices }: Pick<CompiledQuery, 'slices'>): string {
  return `${LOG_TABLE}${slices} WHERE project = {project:String}`
}

/** Records of the same time are in the order in which they came. */
export const NEWEST_FIRST = 'ORDER BY time DESC, seq DESC'

const SETTINGS: ClickHouseSettings = {
  ...READ_SETTINGS,
  // Within one project, searching the dictionary of all projects' words costs more than reading the messages.
  use_text_index_like_evaluation_by_dictionary_scan: 0,
}

export function readOf(client: () => ClickHouseClient, project: ProjectId): Read {
  return async <Row>(
    query: string,
    values: Values,
    signal?: AbortSignal | undefined,
    settings?: ClickHouseSettings,
  ) => {
    signal?.throwIfAborted()
    try {
      return await translated(async () => {
        const answer = await client().query({
          query,
          query_params: { ...values, project },
          clickhouse_settings: { ...SETTINGS, ...settings },
          format: 'JSONEachRow',
          ...(signal ? { abort_signal: signal } : {}),
        })
        return await answer.json<Row>()
      })
    } catch (error) {
      // The client's own error for an aborted call would look like an engine that went away.
      signal?.throwIfAborted()
      throw error
    }
  }
}
