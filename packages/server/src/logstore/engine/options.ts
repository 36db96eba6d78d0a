/**
 * What the engine is started with: the configuration file, the settings of every connection, and the message that
 * passes both to the child process.
 */
import { availableParallelism } from 'node:os'
import { MAX_READ_SECONDS } from '../questions.ts'
import { OLD_PARTS_SECONDS } from '../schema/schema.ts'
import type { MemoryBudget } from './memory-limit.ts'

/** Given to the child on its command line. */
export type EngineOptions = {
  databaseDir: string
  configFile: string
  socketPath: string
  /** Where chDB is looked up: a file or folder path for `createRequire`. */
  requireFrom: string
  settings: Record<string, string>
  /** Deadlines grow by this factor where the engine is slow by nature, not by load. */
  slowdown: number
}

export type EngineMessage = { kind: 'ready' } | { kind: 'failed'; code: number; message: string }

const MAX_MARK_CACHE_BYTES = 256 * 1024 * 1024

/**
 * Loads yield to readers and to senders waiting for an acknowledgement, merges to all of them: a record that is safe
 * can wait, a person cannot. Linux lets the engine do this only with CAP_SYS_NICE; without it nothing changes.
 */
const LOAD_NICENESS = 5
const MERGE_NICENESS = 10

/** Added to the settings of a load. An external server has its own priorities, and may not know the name. */
export const EMBEDDED_LOAD_SETTINGS = { os_threads_nice_value_query: LOAD_NICENESS }

/**
 * The engine compiles what it is asked for the fourth time. Where it is slow by nature one compilation takes two seconds,
 * more than it saves in hundreds of reads.
 */
const NOT_COMPILED = { compile_expressions: '0', compile_aggregate_expressions: '0', compile_sort_description: '0' }

/** Only server settings work in the file; what belongs to a query has to be set on the connection. */
export function engineXml({ engineBytes }: MemoryBudget): string {
  return `<clickhouse>
  <max_server_memory_usage>${engineBytes}</max_server_memory_usage>
  <mark_cache_size>${Math.min(MAX_MARK_CACHE_BYTES, Math.floor(engineBytes / 10))}</mark_cache_size>
  <os_threads_nice_value_merge_mutate>${MERGE_NICENESS}</os_threads_nice_value_merge_mutate>
  <logger><level>none</level></logger>
  <merge_tree>
    <old_parts_lifetime>${OLD_PARTS_SECONDS}</old_parts_lifetime>
    <max_suspicious_broken_parts>1000000</max_suspicious_broken_parts>
  </merge_tree>
</clickhouse>
`
}

export function connectionSettings({ queryBytes }: MemoryBudget, slowdown: number): Record<string, string> {
  return {
    ...(slowdown > 1 ? NOT_COMPILED : {}),
    max_memory_usage: String(queryBytes),
    max_bytes_before_external_group_by: String(Math.floor(queryBytes / 2)),
    max_bytes_before_external_sort: String(Math.floor(queryBytes / 2)),
    max_threads: String(availableParallelism()),
    // For statements that say nothing of their own; a load does.
    max_execution_time: String(MAX_READ_SECONDS),
    timeout_before_checking_execution_speed: '0',
    async_insert: '0',
    log_queries: '0',
  }
}
