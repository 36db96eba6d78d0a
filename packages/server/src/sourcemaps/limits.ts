/** What a source map may hold, and what looking one up may cost. What happens at each limit is stated beside it. */

const MIB = 1024 * 1024

/** A map with more of any of these is refused with 413. A bundle of 16 MiB has a fraction of them. */
export const MAX_MAPPINGS = 2_000_000
export const MAX_GENERATED_LINES = 500_000
export const MAX_SOURCES = 20_000
export const MAX_NAMES = 300_000
export const MAX_SECTIONS = 1_000
/** What is looked up of one map, in memory. A map that would take more is refused with 413. */
export const MAX_LOADED_BYTES = 56 * MIB

/** A longer path or name says nothing that a person reads, and is left out. */
export const MAX_SOURCE_CHARACTERS = 400
export const MAX_NAME_CHARACTERS = 120

/** Maps in memory, of all projects and of one. At the limit those that were used least recently go. */
export const CACHE_BYTES = 128 * MIB
export const CACHE_BYTES_OF_A_PROJECT = 64 * MIB

/** Frames of one stack that are looked up: what follows stays as it was sent. */
export const MAX_MAPPED_FRAMES = 64
/** Maps that are loaded, and stacks that are read, for one segment or one round of analyses. The rest stays as it was sent. */
export const MAX_LOADED_MAPS = 32
export const MAX_READ_STACKS = 50_000

/** Uploads at once, each with a body in memory: of one key, beyond which one more is refused with 429, and of all, with 503. */
export const UPLOADS_OF_A_KEY = 2
export const UPLOADS_AT_ONCE = 6
/** What a thread may take to read one: hostile JSON grows to many times its size. One that takes more is refused with 413. */
export const READING_HEAP_MB = 384
export const READING_MS = 20_000
