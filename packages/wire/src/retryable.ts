/** Answers after which the same request may succeed later; 502 comes from a proxy in front of the service. */
export const RETRYABLE_STATUSES: readonly number[] = [408, 429, 502, 503, 504]

/** What `Retry-After` asks for: seconds or a date. Null when it says nothing that can be understood. The SDK has a copy. */
export function retryAfterMs(header: string | null | undefined, nowMs: number = Date.now()): number | null {
  const text = header?.trim()
  if (!text) return null
  const seconds = Number(text)
  const waitMs = Number.isNaN(seconds) ? Date.parse(text) - nowMs : seconds * 1_000
  return Number.isNaN(waitMs) ? null : Math.max(waitMs, 0)
}
