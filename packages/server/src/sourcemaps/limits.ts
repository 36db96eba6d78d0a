/** What a source map may hold, and what looking one up may cost. What happens at each limit is stated beside it. */

const MIB = 1024 * 1024

/** A map with more of any of these is refused with 413. A bundle of 16 MiB has a fraction of them. */
export const MAX_MAPPINGS = 2_000_000
export const MAX_GENERATED_LINES = 500_000
export const MAX_SOURCES = 20_000
export const MAX_NAMES = 300_000
export const MAX_SECTIONS = 1_000
/** All values of its JSON, roughly: objects, lists and what they hold. Parsing takes memory and time by these. */
export const MAX_VALUES = 500_000
/** What is looked up of one map, in memory. A map that would take more is refused with 413. */
export const MAX_LOADED_BYTES = 56 * MIB

/** A longer path or name says nothing that a person reads, and is left out. */
export const MAX_SOURCE_CHARACTERS = 400
export const MAX_FUNCTION_CHARACTERS = 120

/** Maps in memory, of all projects and of one. At the limit those that were used least recently go. */
export const CACHE_BYTES = 128 * MIB
export const CACHE_BYTES_OF_A_PROJECT = 64 * MIB

/** Frames of one stack that are looked up: what follows stays as it was sent. */
export const MAX_MAPPED_FRAMES = 64
/**
 * What a project may cost for one segment, or one round of analyses: maps that are loaded, what they take in memory, stacks
 * that are read, releases and files that are looked up, and the time of all this, which only a machine in trouble reaches
 * before the others. The rest stays as it was sent. No project uses up what another may cost.
 */
export const ROUND_LIMITS = {
  maps: 64,
  bytes: 64 * MIB,
  stacks: 20_000,
  releases: 20,
  files: 500,
  workMs: 3_000,
}
/** Answers that are remembered within a round, for each project: floods are of few stacks. Further ones are read again. */
export const REMEMBERED_CHARACTERS = 4_000_000

/** Uploads at once, each with a body in memory: of one key, beyond which one more is refused with 429, and of all, with 503. */
export const UPLOADS_OF_A_KEY = 2
export const UPLOADS_AT_ONCE = 6
/** What a thread may take to read one: hostile JSON grows to many times its size. One that takes more is refused with 413. */
export const READING_HEAP_MB = 384
export const READING_MS = 10_000
