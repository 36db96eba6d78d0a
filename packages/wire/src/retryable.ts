/** Answers after which the same request may succeed later; 502 comes from a proxy in front of the service. */
export const RETRYABLE_STATUSES: readonly number[] = [408, 429, 502, 503, 504]
