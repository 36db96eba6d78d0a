import type { ClickHouseSettings } from '@clickhouse/client'
import { MAX_READ_SECONDS } from '../questions.ts'

/**
 * For every read, on the embedded engine and on a server alike. At a limit the query fails and says which. Nothing is
 * compiled: a question that takes milliseconds would wait for the compiler the third time it is asked.
 */
export const READ_SETTINGS: ClickHouseSettings = {
  max_execution_time: MAX_READ_SECONDS,
  // A server stops a query whose client has gone only with this setting, and only if it cannot write.
  readonly: '2',
  cancel_http_readonly_queries_on_client_close: 1,
  max_result_rows: '100000',
  max_result_bytes: '64000000',
  result_overflow_mode: 'throw',
  output_format_json_quote_64bit_integers: 1,
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  compile_sort_description: 0,
}

/**
 * For loading a segment: one day of it becomes one block, hence one part, which is stored whole or not at all. A
 * segment is far smaller than these block sizes.
 */
export const LOAD_SETTINGS: ClickHouseSettings = {
  max_execution_time: 300,
  max_insert_threads: '1',
  max_threads: 1,
  min_insert_block_size_rows: '100000000',
  min_insert_block_size_bytes: '4000000000',
  max_insert_block_size: '100000000',
  async_insert: 0,
}
