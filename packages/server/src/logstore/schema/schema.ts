/**
 * The log table, written once. On one node it is a MergeTree; on a cluster the same columns lie in a replicated table on
 * every shard, with a distributed table in front. The version is in the table's comment, so table and version are
 * created together.
 */
import { COLUMNS, SEGMENT_COLUMN } from './columns.ts'

export const SCHEMA_VERSION = 2
export const LOG_TABLE = 'logs'
const LOCAL_TABLE = 'logs_local'
const COMMENT = 'tidemark schema '
/**
 * Parts that a merge has replaced stay this long, in case a power cut takes the merged part's place in its folder: every
 * file system in use writes that down within half a minute. Longer, and under load they take more room than the records.
 */
export const OLD_PARTS_SECONDS = 60

/** Where the table lives: `cluster` is null for one server. */
export type TableLayout = { cluster: string | null }

/** What each later version adds, by the version it leads to. Statements must be safe to run twice. */
const MIGRATIONS: Record<number, (layout: TableLayout) => string[]> = {
  2: (layout) => {
    const alter = `ALTER TABLE ${storedTable(layout)}${onCluster(layout)}`
    return [
      `${alter} MODIFY COLUMN seq UInt64 CODEC(T64, ZSTD(1)), MODIFY COLUMN received DateTime64(3, 'UTC') CODEC(T64, ZSTD(1))`,
      `${alter} MODIFY SETTING old_parts_lifetime = 60`,
    ]
  },
}

/** The statements that lead from the version found (null: no table) to this one. */
export function schemaStatements(found: number | null, layout: TableLayout): string[] {
  if (found === null) return createStatements(layout)
  const statements: string[] = []
  for (let version = found + 1; version <= SCHEMA_VERSION; version++) {
    statements.push(...(MIGRATIONS[version]?.(layout) ?? []))
    for (const table of tables(layout)) {
      statements.push(`ALTER TABLE ${table}${onCluster(layout)} MODIFY COMMENT '${COMMENT}${version}'`)
    }
  }
  return statements
}

export const FIND_SCHEMA = `SELECT comment FROM system.tables WHERE database = currentDatabase() AND name = '${LOG_TABLE}'`

/** Null when the comment is not ours. */
export function schemaVersion(comment: string): number | null {
  const version = comment.startsWith(COMMENT) ? Number(comment.slice(COMMENT.length)) : Number.NaN
  return Number.isInteger(version) ? version : null
}

/**
 * By names and not by the id of the table: a replica that takes the place of a lost one has no other way to find the rest.
 */
const REPLICATED = "ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')"

/** The table that holds the records. */
export function storedTable({ cluster }: TableLayout): string {
  return cluster === null ? LOG_TABLE : LOCAL_TABLE
}

function tables(layout: TableLayout): string[] {
  return layout.cluster === null ? [LOG_TABLE] : [storedTable(layout), LOG_TABLE]
}

function createStatements(layout: TableLayout): string[] {
  const comment = `COMMENT '${COMMENT}${SCHEMA_VERSION}'`
  const { cluster } = layout
  if (cluster === null) return [`${createTable(LOG_TABLE, layout, 'MergeTree')} ${comment}`]
  // A whole segment goes to one shard, so that loading it twice meets the same deduplication log.
  const distributed = `Distributed('${cluster}', currentDatabase(), '${LOCAL_TABLE}', cityHash64(segment))`
  return [
    `${createTable(LOCAL_TABLE, layout, REPLICATED)} ${comment}`,
    `CREATE TABLE IF NOT EXISTS ${LOG_TABLE}${onCluster(layout)} AS ${LOCAL_TABLE} ENGINE = ${distributed} ${comment}`,
  ]
}

function createTable(name: string, layout: TableLayout, engine: string): string {
  const columns = COLUMNS.map(
    (column) => `${column.name} ${column.type}${column.codec ? ` CODEC(${column.codec})` : ''}`,
  )
  const parts = [...columns, `${SEGMENT_COLUMN.name} ${SEGMENT_COLUMN.type}`, ...DERIVED, ...INDEXES, PER_MINUTE]
  return `CREATE TABLE IF NOT EXISTS ${name}${onCluster(layout)} (
  ${parts.join(',\n  ')}
) ENGINE = ${engine}
PARTITION BY toDate(time)
ORDER BY (project, time, seq)
TTL expires
SETTINGS ${Object.entries(settings(layout))
    .map(([setting, value]) => `${setting} = ${value}`)
    .join(', ')}`
}

/**
 * Words with digits in them are nearly all unique, and indexing them costs more than all other columns together. The
 * index is on a column that leaves them out, so a query gives the same answer with and without the index. Signs and
 * scripts written without spaces are left out too: to the tokenizer, “timeout” in curly quotes is another word.
 */
const NOT_WORDS =
  '[A-Za-z0-9_]*[0-9][A-Za-z0-9_]*|[^\\\\x00-\\\\x7F\\\\p{L}\\\\p{M}]+|[\\\\p{Han}\\\\p{Hiragana}\\\\p{Katakana}\\\\p{Hangul}]+'

const DERIVED = [
  `words String ALIAS lower(replaceRegexpAll(message, '${NOT_WORDS}', ' '))`,
  "attribute_items Array(String) ALIAS arrayMap((k, v) -> concat(k, '=', v), mapKeys(attributes), mapValues(attributes))",
]

const INDEXES = [
  "INDEX by_word words TYPE text(tokenizer = 'splitByNonAlpha', posting_list_codec = 'bitpacking')",
  "INDEX by_attribute attribute_items TYPE text(tokenizer = 'array')",
  'INDEX by_trace trace_id TYPE bloom_filter(0.01) GRANULARITY 1',
  'INDEX by_fingerprint fingerprint TYPE bloom_filter(0.01) GRANULARITY 1',
  'INDEX by_segment segment TYPE set(64) GRANULARITY 1',
]

/** A projection and not a view: it lives inside the parts, so the two cannot disagree after a crash. */
const PER_MINUTE = `PROJECTION per_minute (
    SELECT project, toStartOfMinute(time) AS minute, environment, level, service, count()
    GROUP BY project, minute, environment, level, service
  )`

/** The days of segments that were loaded last: of these, one that is loaded again is recognised. */
const DEDUPLICATED_LOADS = 10_000
/** On a shard, by all nodes together. */
const DEDUPLICATED_LOADS_OF_A_SHARD = 100_000
/** An hour by itself, which is less than a shard may be away: what it had taken without an answer is then loaded again. */
const REPLICATED_DEDUPLICATION = {
  replicated_deduplication_window: DEDUPLICATED_LOADS_OF_A_SHARD,
  replicated_deduplication_window_seconds: 7 * 24 * 3_600,
}

function settings({ cluster }: TableLayout): Record<string, string | number> {
  return {
    // Syncs parts to disk before an insert or a merge is done: without these, power loss takes acknowledged records.
    fsync_after_insert: 1,
    fsync_part_directory: 1,
    min_rows_to_fsync_after_merge: 1,
    min_compressed_bytes_to_fsync_after_merge: 1,
    old_parts_lifetime: OLD_PARTS_SECONDS,
    // A broken part is an alarm (detached parts are counted), never a reason not to start.
    max_suspicious_broken_parts: 1_000_000,
    lightweight_mutation_projection_mode: "'rebuild'",
    deduplicate_merge_projection_mode: "'rebuild'",
    ...(cluster === null ? { non_replicated_deduplication_window: DEDUPLICATED_LOADS } : REPLICATED_DEDUPLICATION),
  }
}

export function onCluster({ cluster }: TableLayout): string {
  return cluster === null ? '' : ` ON CLUSTER '${cluster}'`
}
