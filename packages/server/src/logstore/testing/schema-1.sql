CREATE TABLE IF NOT EXISTS logs (
  project LowCardinality(String),
  time DateTime64(6, 'UTC') CODEC(Delta(8), ZSTD(1)),
  seq UInt64 CODEC(Delta(8), ZSTD(1)),
  level Enum8('trace' = 1, 'debug' = 2, 'info' = 3, 'warn' = 4, 'error' = 5, 'fatal' = 6),
  environment LowCardinality(String),
  environment_defaulted Bool,
  service LowCardinality(String),
  host LowCardinality(String),
  logger LowCardinality(String),
  release LowCardinality(String),
  trace_id String CODEC(ZSTD(1)),
  span_id String CODEC(ZSTD(1)),
  message String CODEC(ZSTD(1)),
  truncated Bool,
  error_type LowCardinality(String),
  error_message String CODEC(ZSTD(1)),
  error_stack String CODEC(ZSTD(1)),
  attributes Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  pattern UInt64 CODEC(ZSTD(1)),
  fingerprint UInt64 CODEC(ZSTD(1)),
  received DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  expires Date CODEC(ZSTD(1)),
  segment LowCardinality(String),
  words String ALIAS lower(replaceRegexpAll(message, '[A-Za-z0-9_]*[0-9][A-Za-z0-9_]*|[^\\x00-\\x7F\\p{L}\\p{M}]+|[\\p{Han}\\p{Hiragana}\\p{Katakana}\\p{Hangul}]+', ' ')),
  attribute_items Array(String) ALIAS arrayMap((k, v) -> concat(k, '=', v), mapKeys(attributes), mapValues(attributes)),
  INDEX by_word words TYPE text(tokenizer = 'splitByNonAlpha', posting_list_codec = 'bitpacking'),
  INDEX by_attribute attribute_items TYPE text(tokenizer = 'array'),
  INDEX by_trace trace_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_fingerprint fingerprint TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_segment segment TYPE set(64) GRANULARITY 1,
  PROJECTION per_minute (
    SELECT project, toStartOfMinute(time) AS minute, environment, level, service, count()
    GROUP BY project, minute, environment, level, service
  )
) ENGINE = MergeTree
PARTITION BY toDate(time)
ORDER BY (project, time, seq)
TTL expires
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 480, max_suspicious_broken_parts = 1000000, lightweight_mutation_projection_mode = 'rebuild', deduplicate_merge_projection_mode = 'rebuild', non_replicated_deduplication_window = 10000 COMMENT 'tidemark schema 1'
