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
  // Servers of early 2026 (26.1 and some later ones) would otherwise ignore the token of an insert that selects.
  deduplicate_insert_select: 'enable_even_for_bad_queries',
}

/** For every statement on a cluster, whatever the profile of the user says. */
export const CLUSTER_SETTINGS: ClickHouseSettings = {
  // A segment leaves the spool only when most replicas of its shard have it: an insert waits for the shard and the replicas.
  distributed_foreground_insert: 1,
  insert_quorum: 'auto',
  // Nodes load at the same time. The price: no replica knows that it has everything, so `select_sequential_consistency` is
  // of no use, and whatever must not miss a record asks again (analyses) or asks only replicas without a lag (below).
  insert_quorum_parallel: 1,
  // By itself ten minutes, for which a load would hang when a replica dies under it. It is tried again anyway.
  insert_quorum_timeout: 60_000,
  distributed_insert_skip_read_only_replicas: 1,
  // A shard that is away, or of which only replicas far behind are left, is an error: never silently fewer records. The delay
  // also grows while Keeper is away, and then says nothing: five minutes of that do no harm to readers.
  skip_unavailable_shards: 0,
  max_replica_delay_for_distributed_queries: '300',
  fallback_to_stale_replicas_for_distributed_queries: 0,
  // Where a segment lies is decided when it is loaded. With another shard added since, its key says something else.
  optimize_skip_unused_shards: 0,
  // A subquery that would be sent from every shard to every shard fails, in our tests first.
  distributed_product_mode: 'deny',
  // For a table or a deletion, which all replicas carry out: those that are away do it later.
  distributed_ddl_task_timeout: '120',
}

/** For what is asked once and decides for good: replicas with any lag are not asked. Without replicas it means nothing. */
export const WITHOUT_LAG: ClickHouseSettings = { max_replica_delay_for_distributed_queries: '1' }
