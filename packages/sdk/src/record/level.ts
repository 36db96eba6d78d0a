export const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

export type Level = (typeof LEVELS)[number]

export function isLevel(value: unknown): value is Level {
  return LEVELS.includes(value as Level)
}

export function rankOf(level: Level): number {
  return LEVELS.indexOf(level)
}

const ERROR_WORDS = /^(?:e|err|error|severe|f|ftl|fatal|c|crit|critical|alert|emerg|emergency|d?panic)$/i

/** Whether the service takes another logger's level for an error: a word, a number of syslog or one of pino. */
export function isErrorLevel(level: string | number): boolean {
  return typeof level === 'string' ? ERROR_WORDS.test(level) : level >= 50 || (level >= 0 && level < 4)
}
