import type { AccountTables } from './account-tables.ts'
import type { AlertTables } from './alert-tables.ts'
import type { AnalysisTables } from './analysis-tables.ts'
import type { SourceMapTables } from './source-map-tables.ts'

/**
 * The tables as both databases hold them. Only two column types exist, text and 64-bit integer, because only they
 * behave alike in SQLite and PostgreSQL. Times are epoch milliseconds, except `deployed_at_us`; JSON is text.
 */
export type ControlSchema = SmallNouns & AccountTables & AnalysisTables & AlertTables & SourceMapTables

/** What has a table or two. */
type SmallNouns = {
  tidemark_migrations: { version: number; name: string; applied_at: number }
  projects: {
    id: string
    name: string
    /** The name as it must be unique: folded in JavaScript, because the databases disagree about case. */
    name_key: string
    default_environment: string
    retention_days: number
    /** JSON, or empty without any. */
    retention_rules: string
    monthly_quota_records: number | null
    max_bytes_per_second: number | null
    max_requests_per_second: number | null
    redaction: string
    created_at: number
    deleted_at: number | null
    purged_at: number | null
  }
  api_keys: {
    id: string
    project_id: string
    kind: string
    name: string
    secret_sha256: string
    last_four: string
    created_at: number
    created_by: string
    expires_at: number | null
    revoked_at: number | null
    last_used_at: number | null
    /** Of the OAuth client that a person gave it to; null for a key that was made by hand. */
    client_id: string | null
    client_name: string | null
    client_host: string | null
  }
  audit_log: {
    seq: number
    id: string
    at: number
    actor: string
    project_id: string | null
    action: string
    details: string
    previous_hash: string
    hash: string
  }
  deploys: {
    id: string
    project_id: string
    sha: string
    environment: string
    deployed_at_us: number
    status: string
    ref: string | null
    message: string | null
    author: string | null
    external_id: string | null
    url: string | null
    metadata: string | null
    created_at: number
    updated_at: number
  }
  ingest_batches: {
    project_id: string
    batch_id: string
    segment_id: string
    frame: number
    claimed_at: number
    /** Of the bytes that were sent; empty when an earlier version claimed the batch. */
    digest: string
    /** By which clock and retention its records were judged. */
    received_at: number
    retention_days: number
    retention_rules: string
  }
  usage_months: { project_id: string; month: string; records: number; bytes: number }
  usage_days: { project_id: string; day: string; records: number; bytes: number }
  /** `hour`: since the epoch. */
  ingest_counts: {
    project_id: string
    key_id: string
    hour: number
    outcome: string
    amount: number
    last_at: number
  }
  redaction_counts: { project_id: string; rule: string; redactions: number }
  /** Which segments have been counted, and in which of the two counters. */
  counted_segments: { segment_id: string; counter: string; counted_at: number }
  settings: { name: string; value: string; updated_at: number }
  repositories: {
    project_id: string
    id: string
    url: string
    kind: string
    credential_kind: string
    /** Encrypted with the instance's secret key. */
    credential: string | null
    branch: string | null
    default_branch: string
    head_sha: string
    refs_digest: string
    generation: number
    mirrored_generation: number | null
    checked_at: number
    next_check_at: number
    failures: number
    last_synced_at: number | null
    last_error: string | null
    /** When that error happened. */
    failed_at: number | null
    connected_at: number
    connected_by: string
  }
  /** Calls over MCP, by an id that begins with their time. `arguments` is a JSON array of names. */
  mcp_calls: {
    id: string
    project_id: string
    key_id: string
    at: number
    method: string
    name: string | null
    arguments: string
    duration_ms: number
    row_count: number | null
    bytes: number
    tokens: number
    error: string | null
  }
  /** What people saved of the logs page. `search` is a JSON object of texts. */
  saved_views: {
    id: string
    project_id: string
    owner: string
    name: string
    name_key: string
    is_shared: number
    search: string
    created_at: number
    updated_at: number
  }
}

/**
 * Every table that holds data, those that others refer to before those that do. A copy of the whole store is read and
 * written in this order.
 */
export const TABLES = [
  'projects',
  'people',
  'api_keys',
  'audit_log',
  'deploys',
  'ingest_batches',
  'usage_months',
  'usage_days',
  'ingest_counts',
  'redaction_counts',
  'counted_segments',
  'settings',
  'sessions',
  'memberships',
  'invitations',
  'repositories',
  'oauth_clients',
  'oauth_codes',
  'mcp_calls',
  'sign_in_failures',
  'analyses',
  'analysis_samples',
  'analysis_notes',
  'analysis_comments',
  'grouping_rules',
  'ignored_analyses',
  'saved_views',
  'source_map_releases',
  'source_maps',
  'source_map_contents',
  'source_map_parts',
  'analysis_queue',
  'alert_channels',
  'alert_rules',
  'alert_events',
  'alert_episodes',
  'alert_messages',
  'alert_items',
] as const satisfies readonly (keyof ControlSchema)[]

export type TableName = (typeof TABLES)[number]
