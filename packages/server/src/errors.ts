import type { ErrorAnswer } from '@tidemark/wire/error'

/**
 * The one error that crosses a door. `message` is for the reader at the other end and ends with what to do;
 * `cause` is the truth for our own log. They never mix: no driver's text reaches a client or an agent.
 */
export const ERROR_CODES = {
  invalid_request: { status: 400, retryable: false },
  unauthorized: { status: 401, retryable: false },
  forbidden: { status: 403, retryable: false },
  not_found: { status: 404, retryable: false },
  method_not_allowed: { status: 405, retryable: false },
  request_timeout: { status: 408, retryable: true },
  conflict: { status: 409, retryable: false },
  batch_changed: { status: 409, retryable: false },
  body_too_large: { status: 413, retryable: false },
  unsupported_media_type: { status: 415, retryable: false },
  misdirected_host: { status: 421, retryable: false },
  query_too_large: { status: 422, retryable: false },
  rate_limited: { status: 429, retryable: true },
  quota_exceeded: { status: 429, retryable: true },
  headers_too_large: { status: 431, retryable: false },
  internal: { status: 500, retryable: false },
  unavailable: { status: 503, retryable: true },
  storage_full: { status: 503, retryable: true },
  spool_full: { status: 503, retryable: true },
  engine_restarting: { status: 503, retryable: true },
  query_queue_full: { status: 503, retryable: true },
  part_corrupted: { status: 503, retryable: true },
  query_timeout: { status: 504, retryable: true },
} as const satisfies Record<string, { status: number; retryable: boolean }>

export type ErrorCode = keyof typeof ERROR_CODES

/** `from` and `to`: where in its text, where that is known. */
export type FieldError = { path: string; message: string; from?: number; to?: number }

type AppErrorOptions = { cause?: unknown; fields?: FieldError[]; retryAfterSeconds?: number }

export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: FieldError[]
  /** Set on retryable errors: how long the sender should wait (Invariant 9). */
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.fields = options.fields ?? []
    this.retryAfterSeconds = options.retryAfterSeconds ?? (ERROR_CODES[code].retryable ? 1 : undefined)
  }

  get status(): number {
    return ERROR_CODES[this.code].status
  }

  /** The header of the same name: whole seconds, never none. */
  get retryAfter(): string | undefined {
    return this.retryAfterSeconds === undefined ? undefined : String(Math.max(1, Math.ceil(this.retryAfterSeconds)))
  }
}

/** Trouble that may pass: the same request may succeed later. */
export function isRetryable(error: unknown): error is AppError {
  return error instanceof AppError && ERROR_CODES[error.code].retryable
}

export function fieldError(path: string, message: string): AppError {
  return new AppError('invalid_request', message, { fields: [{ path, message }] })
}

/** `what`: what was refused, with the sign that goes before the first field. */
export function invalidFields(what: string, fields: FieldError[]): AppError {
  const said = fields.map(({ path, message }) => `${path} ${message}`).join('; ')
  return new AppError('invalid_request', `${what} ${said}.`, { fields })
}

/** Our own bug, which reveals no internals. */
export function internalError(
  cause: unknown,
  advice = 'Try again; if it keeps happening, tell the operator of this service.',
): AppError {
  return new AppError('internal', `Something went wrong on our side. ${advice}`, { cause })
}

/** As HTTP requires for every 401, whichever door sends it. */
export const CHALLENGE = 'Bearer realm="tidemark", error="invalid_token"'

/** The one shape in which every path tells an error. */
export function errorBody({ code, message, fields }: AppError, requestId: string): ErrorAnswer {
  return { error: { code, message, ...(fields.length > 0 && { fields }), requestId } }
}
