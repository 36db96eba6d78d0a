/** Levels from quiet to loud. The number is what the log store keeps, so the order must never change. */
export const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

export type Level = (typeof LEVELS)[number]

export const LEVEL_NUMBER: Record<Level, number> = { trace: 1, debug: 2, info: 3, warn: 4, error: 5, fatal: 6 }
