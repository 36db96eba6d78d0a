/**
 * The SDK's own trouble. It is passed to `onError` and never thrown. The same code comes again only after a batch was
 * accepted in between, with these exceptions: every `bad_option` is told; `records_rejected` is told at most once an hour;
 * `no_key`, `before_send_failed`, `closed` and `internal` are told once.
 */
export type TidemarkProblem = {
  code:
    | 'bad_option'
    | 'no_key'
    | 'key_refused'
    | 'batch_refused'
    | 'not_accepted'
    | 'records_rejected'
    | 'record_too_large'
    | 'unreachable'
    | 'busy'
    | 'buffer_full'
    | 'before_send_failed'
    | 'lost_at_exit'
    | 'closed'
    | 'internal'
  /** A sentence that says what to do. */
  message: string
  cause?: unknown
}

/** Why records were lost. */
export type DropReason =
  | 'buffer_full'
  | 'no_key'
  | 'refused'
  | 'rejected'
  | 'too_large'
  | 'expired'
  | 'closed'
  | 'exit'
  | 'failed'

export type Drop = { records: number; reason: DropReason }
