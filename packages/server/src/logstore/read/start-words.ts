/**
 * Which messages tell of a start or of settings, as a condition on the log table. A fixed list, too narrow rather
 * than too wide: comparing settings takes the few records that name them, and services begin work all day long.
 */
import { LEVEL_NUMBER } from '../../model/level.ts'

/** The word index answers this first; each pattern below needs one of them as a whole word. */
const WORDS = [
  ...['started', 'starting', 'restarted', 'restarting', 'startup', 'start', 'booted', 'booting', 'listening', 'ready'],
  ...['initialized', 'initialised', 'initializing', 'initialising'],
  ...['config', 'configuration', 'settings', 'flag', 'flags', 'variable', 'variables', 'using'],
]

export const BEGINS = '\\b((re)?start(ed|ing)|start[ -]?up|boot(ed|ing)|initiali[sz](ed|ing))\\b'
/** What begins and ends while a service runs. One of a kind: services are called `payments` and `orders`. */
export const OF_WORK =
  '\\b(requests?|quer(y|ies)|transactions?|jobs?|tasks?|batch(es)?|spans?|sessions?|payment|order|upload|download|import|export|retry|retries|GET|POST|PUT|PATCH|DELETE)\\b'
const SERVES = '\\blistening\\b|\\bready to (accept|serve|receive|handle)\\b'
const SETTINGS = [
  '\\b(re)?load(ed|ing)\\b.{0,60}\\b(config|configuration|settings)\\b',
  '\\b(config|configuration|settings)\\b.{0,60}\\b((re)?loaded|changed|applied|updated)\\b',
  '\\bsettings ?[:=]',
  '\\b(current|effective|active|runtime|using) (config|configuration|settings)\\b',
  '\\bfeature[ -]flags?\\b',
  '\\bflags?\\b.{0,60}\\b(enabled|disabled|changed|set|turned (on|off))\\b',
  '\\benvironment variables?\\b',
  '\\busing\\b.{0,60}[\\w.-]=',
]

export const SAYS: string = [SERVES, ...SETTINGS].join('|')

/** Literals: a regular expression of ours is not a value. */
const literal = (pattern: string) => `'(?i)${pattern.replaceAll('\\', '\\\\')}'`
const says = (pattern: string) => `match(message, ${literal(pattern)})`

/** A record that tells of a start or of settings and is not an error. */
export const TELLS_OF_START: string = [
  `toInt8(level) < ${LEVEL_NUMBER.error}`,
  `hasAnyTokens(words, [${WORDS.map((word) => `'${word}'`).join(', ')}])`,
  `(${says(SAYS)} OR (${says(BEGINS)} AND NOT ${says(OF_WORK)}))`,
].join(' AND ')
