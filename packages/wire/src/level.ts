/** Levels from quiet to loud. The log store keeps their numbers and everyone compares by their order: never change it. */
export const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

/** What a level is called where a field may mean something else: `status` is also the state of an order. */
export const PLAIN_LEVEL = /^(?:trace|debug|info|notice|warn|warning|error|critical|alert|emergency|fatal)$/i

export type Level = (typeof LEVELS)[number]
