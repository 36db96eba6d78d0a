export const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

export type Level = (typeof LEVELS)[number]

export function isLevel(value: unknown): value is Level {
  return LEVELS.includes(value as Level)
}

export function rankOf(level: Level): number {
  return LEVELS.indexOf(level)
}
