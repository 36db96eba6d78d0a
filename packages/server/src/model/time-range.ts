/** In microseconds since 1970: from the first, to before the last. */
export type TimeRange = { fromUs: number; toUs: number }
