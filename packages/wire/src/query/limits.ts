/** What one query may be. Past a limit it is refused, with the limit in the message; nothing is cut. */
export const MAX_QUERY_CHARACTERS = 4_096
/** Brackets and negations inside each other. */
export const MAX_QUERY_DEPTH = 16
/** Every alternative in a group of values counts as one. */
export const MAX_QUERY_TERMS = 50
export const MAX_REGEX_CHARACTERS = 256
