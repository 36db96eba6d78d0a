/** What one request and one record may hold. What happens at each limit stands beside it. */

/** After inflation. Above it the request is refused with 413. */
export const MAX_BODY_BYTES = 20 * 1024 * 1024

/** A body that grew by more than this factor, and past `RATIO_CHECK_ABOVE_BYTES`, is refused with 413. */
export const MAX_INFLATION_RATIO = 100
export const RATIO_CHECK_ABOVE_BYTES = 1_000_000

/** More records in one request are refused with 413. */
export const MAX_RECORDS = 50_000

/** Deeper or wider JSON is refused with 400 before it is parsed. */
export const MAX_JSON_DEPTH = 32
export const MAX_JSON_VALUES = 2_000_000

/** More distinct UTC days among the accepted records refuse the request with 400: each day is a partition of its own. */
export const MAX_DAYS = 8

/** A longer message is cut and marked. */
export const MAX_MESSAGE_BYTES = 64 * 1024

/** The texts and keys of one record as they were sent. A larger record is rejected. */
export const MAX_RECORD_BYTES = 256 * 1024

/** A record that passes one of these is rejected. */
export const MAX_ATTRIBUTES = 256
export const MAX_KEY_BYTES = 128
export const MAX_ATTRIBUTE_DEPTH = 8
export const MAX_ENVIRONMENT_CHARACTERS = 255

/** Longer names (service, host, logger, release, trace and span ids) are cut. */
export const MAX_NAME_CHARACTERS = 255

/** A record dated further ahead of its arrival is rejected. */
export const MAX_AHEAD_US = 24 * 3_600 * 1_000_000
