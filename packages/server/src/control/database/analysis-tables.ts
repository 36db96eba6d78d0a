/** The tables of analyses. The rules for all tables are in schema.ts. */
export type AnalysisTables = {
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
    /** Of the record; null where it named none. */
    release: string | null
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
  /** By which rule, and the state before: a row is here as long as the rule is why it is ignored. */
  ignored_analyses: {
    analysis_id: string
    project_id: string
    rule_id: string
    status: string
    resolved_at_us: number | null
    state_changed_at: number | null
    state_changed_by: string | null
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
}
