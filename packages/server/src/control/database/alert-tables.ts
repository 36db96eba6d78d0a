/** The tables of alerts. The rules for all tables are in schema.ts. */
export type AlertTables = {
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
  /** What a rule has sent and what still goes on: none of it is sent again until it ends. */
  alert_episodes: { rule_id: string; subject: string; began_at: number; seen_at: number }
  /** What is to be sent to a channel. `message_id` is null until it is part of a message. */
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
