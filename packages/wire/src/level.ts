/** Levels from quiet to loud. The log store keeps their numbers and everyone compares by their order: never change it. */
export const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

export type Level = (typeof LEVELS)[number]

/** What counts as an error everywhere, from quiet to loud. */
export const ERROR_LEVELS: readonly Level[] = LEVELS.slice(LEVELS.indexOf('error'))
/** The same, as the field `level` of a query takes it. */
export const AT_LEAST_ERROR = '>=error'

export function isErrorLevel(level: string): boolean {
  return ERROR_LEVELS.some((one) => one === level)
}

/** What senders call each level, and what a query may call it too. */
const WORDS = {
  trace: ['trace', 'trc', 't', 'verbose', 'silly', 'finest', 'finer', 'vrb'],
  debug: ['debug', 'dbg', 'd', 'fine', 'config', 'debug1', 'debug2', 'debug3', 'debug4', 'debug5'],
  info: ['info', 'inf', 'i', 'information', 'informational', 'notice', 'note', 'log', 'http', 'default', 'success'],
  warn: ['warn', 'warning', 'wrn', 'w', 'warnings'],
  error: ['error', 'err', 'e', 'severe'],
  fatal: ['fatal', 'ftl', 'f', 'critical', 'crit', 'c', 'alert', 'emergency', 'emerg', 'panic', 'dpanic'],
} as const satisfies Record<Level, readonly string[]>

export type LevelWord = (typeof WORDS)[Level][number]

/** By words in lower case. */
export const LEVEL_WORDS: ReadonlyMap<string, Level> = new Map<string, Level>(
  LEVELS.flatMap((level) => WORDS[level].map((word): [string, Level] => [word, level])),
)

const PLAIN: readonly LevelWord[] = [...LEVELS, 'notice', 'warning', 'critical', 'alert', 'emergency']
/** What a level is called where a field may mean something else: `status` is also the state of an order. */
export const PLAIN_LEVEL = new RegExp(`^(?:${PLAIN.join('|')})$`, 'i')
