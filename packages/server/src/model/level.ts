import type { Level } from '@tidemark/wire/level'

/** How the log store keeps a level. */
export const LEVEL_NUMBER: Record<Level, number> = { trace: 1, debug: 2, info: 3, warn: 4, error: 5, fatal: 6 }
