/** The tables of people and of the OAuth clients that act for them. The rules for all tables are in schema.ts. */
export type AccountTables = {
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
}
