/**
 * The tables as both databases hold them. Only two column types exist, text and 64-bit integer, because only they
 * behave alike in SQLite and PostgreSQL. Times are epoch milliseconds, except `deployed_at_us`; JSON is text.
 */
export type ControlSchema = {
  tidemark_migrations: { version: number; name: string; applied_at: number }
  projects: {
    id: string
    name: string
    /** The name as it must be unique: folded in JavaScript, because the databases disagree about case. */
    name_key: string
    default_environment: string
    retention_days: number
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
  ingest_batches: { project_id: string; batch_id: string; segment_id: string; frame: number; claimed_at: number }
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
  /** Refused sign-ins per account and per address, until one succeeds or time passes. */
  sign_in_failures: { subject: string; failures: number; since: number; last_at: number }
}
