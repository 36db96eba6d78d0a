/**
 * The layouts in which loggers begin a line of text, and the time and level that each states. Doors take the level for
 * records without one, an import also the time. Only the beginning counts: a word inside a sentence is no level.
 */
import { LEVEL_WORDS, type Level, type LevelWord } from '../level.ts'

export type LineLayout = {
  /** In a form that the service reads. */
  time?: string
  /** In lower case. */
  level?: string
  /** Start of the text after time and level; 0 for a line that stays in one piece. */
  textAt: number
}

/** Returns the level that a text states at its beginning, or null. */
export function levelOfText(text: string): Level | null {
  return LEVEL_WORDS.get(readLayout(text)?.level ?? '') ?? null
}

/** Null when the line begins in no known layout. */
export function readLayout(line: string): LineLayout | null {
  const first = line.charCodeAt(0)
  if (isLetter(first)) return readWordFirst(line)
  if (isDigit(first)) return readTimed(line, 0) ?? readRedis(line) ?? readAccess(line)
  if (!isOpening(first)) return null
  return readTimed(line, 1) ?? readLevel(LEVEL_NEXT, line, 0) ?? readLevel(LEVEL_AFTER_BRACKETS, line, 0)
}

/**
 * Returns false only for texts in which `readLayout` finds nothing. Looks at the first word of the bytes, so that most texts
 * need not be decoded.
 */
export function mayHaveLayout(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start]!
  if (!isLetter(first)) return isDigit(first) || isOpening(first)
  const limit = Math.min(end, start + MAX_WORD)
  let at = start + 1
  while (at < limit && isWordPart(bytes[at]!)) at++
  const next = at === end ? SPACE : bytes[at]!
  if (next === COLON || next === EQUALS || next === COMMA) return true
  const isCapitals = bytes[start + 1]! < LOWER_A
  return (isCapitals || at - start === WEEKDAY_LENGTH) && isBreak(next)
}

const WORDS: readonly LevelWord[] = [
  ...(['trace', 'debug', 'info', 'notice', 'note', 'log', 'warn', 'warning', 'error', 'err', 'severe'] as const),
  ...(['fatal', 'critical', 'crit', 'alert', 'emerg', 'emergency', 'panic'] as const),
  ...(['debug1', 'debug2', 'debug3', 'debug4', 'debug5'] as const),
]
/** Without a time or a bracket before them, these begin sentences and titles more often than they are levels. */
const WORDS_OF_TEXT: readonly LevelWord[] = ['note', 'log', 'alert', 'emerg', 'emergency']
const FIRST_WORDS = new Set<string>(WORDS.filter((word) => !WORDS_OF_TEXT.includes(word)))

/** In brackets or before a colon in any case; bare only in capitals, because "error" also begins sentences. */
const CAPITALS = WORDS.map((word) => word.toUpperCase()).join('|')
const ANY_CASE = WORDS.flatMap((word) => [word, word.toUpperCase(), word[0]!.toUpperCase() + word.slice(1)]).join('|')

/** `[WARN ] `, `[core:error] `, `warning: `, `ERROR | `. The text follows. */
const LEVEL_NEXT = new RegExp(
  `(?:[\\[(<](?:[\\w.-]{0,32}:)?(${ANY_CASE}) {0,4}[\\])>]:?|(${ANY_CASE}):(?!:)|(${CAPITALS})(?=[\\s|\\]]|$))\\s{0,8}[-|]?\\s{0,8}`,
  'y',
)
const BRACKETS = '(?:\\[[^\\]\\n]{1,64}\\] {0,4}){1,3}'
const LEVEL = `(?:[\\[(](${ANY_CASE}) {0,4}[\\])]|(${CAPITALS})(?=[\\s:]|$))`
/** `[main] ERROR `, and `[12] user@database ERROR: ` of PostgreSQL. */
const LEVEL_AFTER_BRACKETS = new RegExp(`(?=${BRACKETS}(?:[^\\s@[\\]]{1,64}@\\S{1,64} )?${LEVEL})`, 'y')
/** `12345 WARN `, `0 [Warning] `, `shop.cart - ERROR - `, and `production.ERROR: ` of Monolog. */
const LEVEL_AFTER_WORD = new RegExp(
  `(?=(?:\\d{1,7} {1,4}|[\\w.$/-]{1,100} - )${LEVEL}|[\\w-]{1,64}\\.(${CAPITALS}): )`,
  'y',
)

/** Reads a level at a place. The text begins after the match, which is empty for a level inside the text. */
function readLevel(expression: RegExp, line: string, at: number): LineLayout | null {
  expression.lastIndex = at
  const found = expression.exec(line)
  if (found === null) return null
  return { level: (found[1] ?? found[2] ?? found[3]!).toLowerCase(), textAt: expression.lastIndex }
}

const ZONE = '(?: ?(?:Z|UTC|GMT|CES?T|[ECMP][SD]T|[+-]\\d\\d:?\\d\\d))?'
const CLOCK = '\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?'
const DATED = [
  `\\d{4}[-/]\\d\\d[-/]\\d\\d[Tt ]${CLOCK}${ZONE}`,
  `(?:[A-Z][a-z]{2},? )?\\d{1,2}[ -][A-Z][a-z]{2}[ -]\\d{4} ${CLOCK}${ZONE}`,
  `[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d ${CLOCK} \\d{4}`,
  '1\\d{9}(?:\\.\\d{1,9}|\\d{3})?(?=[\\]\\s]|$)',
].join('|')
/** A clock without a date is no time, but a level may follow it. */
const TIME = new RegExp(`(?:(${DATED})|${CLOCK})(?=$|[\\s:|,\\])-])`, 'y')
const AFTER_TIME = /[\])]?\s{0,8}(?:[-|:,]\s{1,8})?/y

/** A time at the beginning or after a bracket, and perhaps a level after it. */
function readTimed(line: string, at: number): LineLayout | null {
  TIME.lastIndex = at
  const found = TIME.exec(line)
  if (found === null) return null
  AFTER_TIME.lastIndex = TIME.lastIndex
  AFTER_TIME.test(line)
  const textAt = AFTER_TIME.lastIndex
  const [, time] = found
  const level =
    readLevel(LEVEL_NEXT, line, textAt) ??
    readLevel(LEVEL_AFTER_BRACKETS, line, textAt) ??
    readLevel(LEVEL_AFTER_WORD, line, textAt)
  if (time === undefined) return level && { ...level, textAt: 0 }
  // A bracket that ends after more than the time would be cut in half.
  const isInPiece = at > 0 && !/[\])]/.test(line[TIME.lastIndex] ?? '')
  return { time: time.replace(/,(?=\d)/, '.'), textAt, ...level, ...(isInPiece && { textAt: 0 }) }
}

/** A level, a date or one of the layouts that begin with a letter, told apart by what follows the first word. */
function readWordFirst(line: string): LineLayout | null {
  let end = 1
  while (end < MAX_WORD && isWordPart(line.charCodeAt(end))) end++
  const next = line.charCodeAt(end)
  if (next === EQUALS) return readLogfmt(line)
  if (next === COMMA) return end === 1 ? readRuby(line) : readTimed(line, 0)
  const isColon = next === COLON
  if (!isColon && !(end === line.length || isBreak(next))) return null
  const word = line.slice(0, end)
  const level = word.toLowerCase()
  if (FIRST_WORDS.has(level)) return isColon || word !== level ? readLevel(LEVEL_NEXT, line, 0) : null
  if (isColon) return null
  return end === WEEKDAY_LENGTH ? readTimed(line, 0) : readKlog(line)
}

/** `level=error msg="…"` of logrus, slog, go-kit and others. */
function readLogfmt(line: string): LineLayout | null {
  const said: { time?: string; level?: string } = {}
  PAIR.lastIndex = 0
  for (let pairs = 0; pairs < MAX_PAIRS; pairs++) {
    const [, name = '', quoted, bare = ''] = PAIR.exec(line) ?? []
    if (name === '') break
    const value = quoted ?? bare
    if (LEVEL_KEYS.has(name) && LEVEL_WORDS.has(value.toLowerCase())) said.level ??= value.toLowerCase()
    else if (TIME_KEYS.has(name) && LOGFMT_TIME.test(value)) said.time ??= value
  }
  return said.level === undefined && said.time === undefined ? null : { ...said, textAt: 0 }
}

const PAIR = /([A-Za-z_][\w.@/-]{0,63})=(?:"((?:[^"\\]|\\.){0,1000})"|([^\s"]{0,1000}))(?:\s{1,8}|$)/y
const MAX_PAIRS = 16
const LEVEL_KEYS = new Set(['level', 'lvl', 'severity', 'loglevel'])
const TIME_KEYS = new Set(['time', 'ts', 'timestamp', 't'])
const LOGFMT_TIME = new RegExp(`^(?:\\d{4}-\\d\\d-\\d\\d[Tt ]${CLOCK}${ZONE}|1\\d{9}(?:\\.\\d{1,9}|\\d{3})?)$`)

/** `E, [2026-11-19T20:40:00.123456 #1] ERROR -- : …` */
function readRuby(line: string): LineLayout | null {
  const [, time, word] = RUBY.exec(line) ?? []
  if (time === undefined) return null
  return { time, ...(word !== 'ANY' && { level: word!.toLowerCase() }), textAt: 0 }
}

const RUBY =
  /^[A-Z], \[(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?) #\d{1,10}\] {1,4}(DEBUG|INFO|WARN|ERROR|FATAL|ANY) -- /

/** `E1119 20:40:00.123456       1 server.go:12] …`: the day without its year. */
function readKlog(line: string): LineLayout | null {
  const [, letter = '', month = '', day, clock] = KLOG.exec(line) ?? []
  const name = MONTHS[Number(month) - 1]
  return name === undefined ? null : { time: `${name} ${day} ${clock}`, level: KLOG_LEVELS[letter]!, textAt: 0 }
}

const KLOG = /^([IWEF])(\d\d)(\d\d) (\d\d:\d\d:\d\d\.\d{6}) +\d{1,10} [^\s:\]]{1,100}:\d{1,7}\] /
const KLOG_LEVELS: Record<string, LevelWord> = { I: 'info', W: 'warn', E: 'error', F: 'fatal' }
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `1:M 19 Nov 2026 20:40:00.123 # …` */
function readRedis(line: string): LineLayout | null {
  const [, time, mark = ''] = REDIS.exec(line) ?? []
  return time === undefined ? null : { time, level: REDIS_LEVELS[mark]!, textAt: 0 }
}

const REDIS = /^\d{1,7}:[XCSM] (\d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d\.\d{3}) ([.\-*#]) /
const REDIS_LEVELS: Record<string, LevelWord> = { '.': 'debug', '-': 'debug', '*': 'notice', '#': 'warn' }

/** Web servers put the time after the client's address. */
function readAccess(line: string): LineLayout | null {
  const time = ACCESS.exec(line)?.[1]
  return time === undefined ? null : { time, textAt: 0 }
}

const ACCESS = /^\S{1,64} \S{1,64} \S{1,64} \[(\d{1,2}\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4})\] "/

/** No level and no key of logfmt that counts is longer. */
const MAX_WORD = 32
const WEEKDAY_LENGTH = 'Thu'.length

const SPACE = 0x20
const COMMA = 0x2c
const COLON = 0x3a
const EQUALS = 0x3d
const LOWER_A = 0x61

function isLetter(code: number): boolean {
  return (code | 0x20) >= LOWER_A && (code | 0x20) <= 0x7a
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** `[`, `(` or `<`. */
function isOpening(code: number): boolean {
  return code === 0x5b || code === 0x28 || code === 0x3c
}

/** Letters, digits, `_`, `.`, `-`, `@` and `/`. */
function isWordPart(code: number): boolean {
  return isLetter(code) || (code >= 0x2d && code <= 0x39) || code === 0x5f || code === 0x40
}

/** White space, or the `|` between columns. */
function isBreak(code: number): boolean {
  return code === SPACE || code === 0x7c || (code >= 0x09 && code <= 0x0d)
}
