/** In microseconds since 1970; `fromUs` is included, `toUs` is not. */
export type TimeRange = { fromUs: number; toUs: number }
