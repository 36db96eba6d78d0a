/** Lengths of time in microseconds, as records and deploys are timed. */
export const MINUTE_US = 60_000_000
export const HOUR_US = 60 * MINUTE_US
export const DAY_US = 24 * HOUR_US
