/** What one query may be. Past a limit it is refused, with the limit in the message; nothing is cut. */
export const MAX_QUERY_CHARACTERS = 4_096
/** Nesting of brackets and negations. */
export const MAX_QUERY_DEPTH = 16
/** Every value in a group counts as one, but for those of a hash, which are looked up together. */
export const MAX_QUERY_TERMS = 50
/** The values of one `field:( … )`. */
export const MAX_GROUP_VALUES = 20
/** The same of a hash: about as many as the characters of a query have room for. */
export const MAX_HASH_VALUES = 200
export const MAX_REGEX_CHARACTERS = 256
/** Of one value. Stars beside each other are one. */
export const MAX_WILDCARD_STARS = 16
