import type { SourceMapTables } from './source-map-tables.ts'

/**
 * The tables as both databases hold them. Only two column types exist, text and 64-bit integer, because only they
 * behave alike in SQLite and PostgreSQL. Times are epoch milliseconds, except `deployed_at_us`; JSON is text.
 */
export type ControlSchema = SourceMapTables & {
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
  redaction_counts: { project_id: string; rule: string; redactions: number }
  /** Which segments have been counted, and in which of the two counters. */
  counted_segments: { segment_id: string; counter: string; counted_at: number }
  settings: { name: string; value: string; updated_at: number }
  people: {
    id: string
    email: string
    /** The e-mail as it must be unique, folded like a project's name. */
    email_key: string
    name: string
    role: string
    password_hash: string | null
    created_at: number
  }
  sessions: { token_sha256: string; person_id: string; origin: string; created_at: number; seen_at: number }
  memberships: { project_id: string; person_id: string; role: string; created_at: number }
  invitations: {
    id: string
    project_id: string
    email: string
    email_key: string
    role: string
    token_sha256: string
    created_at: number
    created_by: string
    expires_at: number
  }
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
    connected_at: number
    connected_by: string
  }
  /** OAuth clients that registered themselves. `redirect_uris` is a JSON array. */
  oauth_clients: { id: string; name: string; redirect_uris: string; created_at: number; used_at: number | null }
  /** Kept for some time after their use, so that a second one is noticed. `key_id` is what the first one gave. */
  oauth_codes: {
    code_sha256: string
    client_id: string
    client_name: string
    client_host: string
    redirect_uri: string
    resource: string
    challenge: string
    project_id: string
    person_id: string
    key_name: string
    key_lifetime_ms: number
    expires_at: number
    used_at: number | null
    key_id: string | null
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
  /** Refused sign-ins per account and per address, until one succeeds or time passes. */
  sign_in_failures: { subject: string; failures: number; since: number; last_at: number }
  analyses: {
    id: string
    project_id: string
    environment: string
    fingerprint: string
    split_value: string
    title: string
    type: string
    place: string
    service: string
    level: string
    grouping: string
    status: string
    first_seen_us: number
    last_seen_us: number
    errors: number
    /** Of the current episode: everything that determines the state is in columns. */
    anchor_us: number
    episode_count: number
    episodes: string
    resolved_at_us: number | null
    state_changed_at: number | null
    state_changed_by: string | null
    /** The analysis that a rule merged it into. Such a row only leads there. */
    merged_into: string | null
    created_at: number
  }
  /** Separate from the counts, which are written often: SQLite rewrites a whole row with all its text. */
  analysis_samples: {
    analysis_id: string
    log_id: string
    message: string
    error: string | null
    environment_defaulted: number
    /** The stack by its source positions; null where no source map applied. */
    source_stack: string | null
    /** Title, type, place, messages and stack, folded and bounded: what a search for words covers. */
    search_text: string
  }
  /** Who looks after an analysis, and its ticket. Apart from the counts, so that counting never meets what people write. */
  analysis_notes: {
    analysis_id: string
    project_id: string
    assignee: string | null
    assigned_at: number | null
    assigned_by: string | null
    ticket: string | null
    ticket_at: number | null
    ticket_by: string | null
  }
  analysis_comments: {
    id: string
    analysis_id: string
    project_id: string
    author: string
    body: string
    created_at: number
    edited_at: number | null
  }
  grouping_rules: {
    id: string
    project_id: string
    kind: string
    effect: string
    description: string
    created_at: number
    created_by: string
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
  /** Loaded segments whose errors are not counted into analyses yet. `errors` is null when nobody counted them. */
  analysis_queue: {
    segment_id: string
    days: string
    errors: number | null
    queued_at: number
    claimed_by: string | null
    /** Until then nobody else takes it: a claim, or a pause after a failure. */
    claimed_until: number
    attempts: number
  }
  alert_channels: {
    id: string
    project_id: string
    name: string
    name_key: string
    kind: string
    address: string
    /** Encrypted with the instance's secret key. */
    sealed: string | null
    quiet_from: number | null
    quiet_to: number | null
    time_zone: string | null
    messages_an_hour: number
    created_at: number
    created_by: string
  }
  /** `reasons` and `channels` are JSON arrays. */
  alert_rules: {
    id: string
    project_id: string
    name: string
    name_key: string
    is_on: number
    reasons: string
    environment: string | null
    service: string | null
    query: string | null
    threshold: number | null
    window_minutes: number | null
    channels: string
    created_at: number
    created_by: string
  }
  /** What began with the errors of a segment, written with them; gone once it is an item of every channel it concerns. */
  alert_events: {
    project_id: string
    episode: string
    reason: string
    subject: string
    environment: string
    service: string
    title: string
    at_us: number
    created_at: number
  }
  /** What a rule has told and what goes on: nothing of it is told again until it ends. */
  alert_episodes: { rule_id: string; subject: string; began_at: number; seen_at: number }
  /** What a channel is to be told. `message_id` is null until it is part of a message. */
  alert_items: {
    id: string
    project_id: string
    channel_id: string
    episode: string
    reason: string
    subject: string
    environment: string
    service: string
    title: string
    detail: string
    at_us: number
    /** 1: quiet hours have kept it back. 2: the limit of the hour. */
    was_held: number
    created_at: number
    message_id: string | null
  }
  /** The queue, and afterwards the log of deliveries. */
  alert_messages: {
    id: string
    project_id: string
    channel_id: string
    state: string
    together: string | null
    told: number
    title: string
    content: string | null
    attempts: number
    first_try_at: number | null
    next_try_at: number
    /** Grows with every claim: what is written about an older one is dropped. */
    claim: number
    claimed_until: number
    last_answer: string | null
    created_at: number
    sent_at: number | null
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
