/** Lengths of time, mostly in microseconds, as records and deploys are timed. */
export const SECOND_US = 1_000_000
export const MINUTE_US = 60 * SECOND_US
export const HOUR_US = 60 * MINUTE_US
export const DAY_US = 24 * HOUR_US
export const SECOND_MS = SECOND_US / 1_000
export const MINUTE_MS = MINUTE_US / 1_000
export const HOUR_MS = HOUR_US / 1_000
export const DAY_MS = DAY_US / 1_000

/** Lengths that people know, for buckets and for marks under a chart. All divide a day, so that they meet at midnight UTC. */
export const KNOWN_SECONDS: readonly number[] = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
]
