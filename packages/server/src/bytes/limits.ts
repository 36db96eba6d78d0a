/** What any body may become, a batch of records or a source map. What happens at each limit is stated beside it. */

/** A body after inflation. Above it no more is inflated, and the request is refused with 413. */
export const MAX_INFLATED_BYTES = 20 * 1024 ** 2

/** A body that grew by more than this factor, and past `RATIO_CHECK_ABOVE_BYTES`, is refused with 413. */
export const MAX_INFLATION_RATIO = 100
export const RATIO_CHECK_ABOVE_BYTES = 1_000_000

/** Deeper or wider JSON is refused with 400 before it is parsed. */
export const MAX_JSON_DEPTH = 32
export const MAX_JSON_VALUES = 2_000_000
