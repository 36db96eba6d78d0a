/** Answers after which the same request may succeed later; 502 comes from a proxy in front of the service. */
export const RETRYABLE_STATUSES: readonly number[] = [408, 429, 502, 503, 504]

/** Nothing but another request will do. What is not known, such as a failure of the service, may pass. */
export function isFinalStatus(status: number): boolean {
  return status >= 300 && status < 500 && !RETRYABLE_STATUSES.includes(status)
}

/** The same of the code with which a tail ends: the codes under which the service answers with such a status. */
export function isFinalEnd(code: string): boolean {
  return FINAL_CODES.has(code)
}

const FINAL_CODES = new Set([
  ...['invalid_request', 'unauthorized', 'forbidden', 'not_found', 'method_not_allowed', 'conflict', 'batch_changed'],
  ...['body_too_large', 'unsupported_media_type', 'misdirected_host', 'query_too_large', 'headers_too_large'],
])

/** What `Retry-After` asks for: seconds or a date. Null when it says nothing that can be understood. The SDK has a copy. */
export function retryAfterMs(header: string | null | undefined, nowMs: number = Date.now()): number | null {
  const text = header?.trim()
  if (!text) return null
  const seconds = Number(text)
  const waitMs = Number.isNaN(seconds) ? Date.parse(text) - nowMs : seconds * 1_000
  return Number.isNaN(waitMs) ? null : Math.max(waitMs, 0)
}
