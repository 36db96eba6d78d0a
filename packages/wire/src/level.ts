/** Levels from quiet to loud. The log store keeps their numbers and everyone compares by their order: never change it. */
export const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

export type Level = (typeof LEVELS)[number]
