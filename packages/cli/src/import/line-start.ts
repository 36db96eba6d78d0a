/** What the beginning of a text line says: a time, a level, and for syslog what stands beside its text. */
import { LEVELS, type LevelWord } from '@tidemark/wire/level'
import { fieldsBeside } from './beside.ts'
import { readSyslogLine, type SyslogLine } from './syslog-line.ts'

export type LineStart = {
  timestamp?: string
  level?: string
  message: string
  [attribute: string]: unknown
}

const ZONE = '(?: ?(?:Z|UTC|GMT|[+-]\\d\\d:?\\d\\d))?'
const CLOCK = '\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?'
/** In each, the first group is the time as the service reads it. */
const TIMES = [
  new RegExp(`^[\\[(]?(\\d{4}[-/]\\d\\d[-/]\\d\\d[T ]${CLOCK}${ZONE})[\\])]?(?=$|[\\s:|,\\]-])`, 'i'),
  new RegExp(`^[\\[(]?((?:[A-Z][a-z]{2},? )?\\d{1,2}[ -][A-Z][a-z]{2}[ -]\\d{4} ${CLOCK}${ZONE})[\\])]?(?=$|\\s)`),
  new RegExp(`^\\[([A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d ${CLOCK} \\d{4})\\](?=$|\\s)`),
  /^\[?(1\d{9}(?:\.\d{1,9}|\d{3})?)\]?(?=$|\s)/,
]
/** Web servers put the time after the client's address; the whole line is the message. */
const ACCESS = /^\S+ \S+ \S+ \[(\d{1,2}\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4})\] "/

const WORDS: readonly LevelWord[] = [
  ...LEVELS,
  ...(['notice', 'warning', 'err', 'severe', 'critical', 'crit', 'emerg', 'emergency', 'alert', 'panic'] as const),
]
const NAMES = WORDS.join('|')
/** In brackets or before a colon in any case; bare only in capitals, because "error" also begins sentences. */
const LEVEL = new RegExp(
  `^(?:[\\[(<](${NAMES})[\\])>]:?|(${NAMES}):|(${NAMES.toUpperCase()})(?=\\s|$|\\|)|level=(${NAMES})(?=\\s|$))\\s*[-|]?\\s*`,
  'i',
)
/** `[main] INFO`, `[pool-1-thread-3] ERROR`, `12345 WARN`. */
const LEVEL_AFTER = new RegExp(
  `^(?:\\[[^\\]\\n]{1,64}\\]|\\d{1,7})\\s+[\\[(]?(${NAMES.toUpperCase()})[\\])]?(?=\\s|:|$)`,
)

export function readLineStart(line: string): LineStart {
  const syslog = readSyslogLine(line)
  if (syslog) return startOfSyslogLine(syslog)
  const access = ACCESS.exec(line)
  if (access) return { timestamp: access[1] ?? '', message: line }
  for (const time of TIMES) {
    const found = time.exec(line)
    if (!found) continue
    const rest = line.slice(found[0].length).replace(/^\s*(?:[-|:,]\s+)?/, '')
    return { timestamp: (found[1] ?? '').replace(',', '.'), ...levelled(rest, line) }
  }
  return levelled(line, line)
}

export function startOfSyslogLine({ time, beside, text }: SyslogLine): LineStart {
  const hasLevel = beside.some(({ place }) => place !== 'none' && place?.slot === 'level')
  const own = hasLevel ? { message: text } : levelled(text, text)
  return { ...fieldsBeside(own, { time, beside }), ...own }
}

/** A line that holds nothing but its time and level keeps them as its message. */
function levelled(text: string, whole: string): { level?: string; message: string } {
  const found = LEVEL.exec(text)
  const name = found?.[1] ?? found?.[2] ?? found?.[4] ?? bare(found?.[3])
  if (found && name) return { level: name.toLowerCase(), message: text.slice(found[0].length) || whole }
  const level = LEVEL_AFTER.exec(text)?.[1]
  return { ...(level && { level: level.toLowerCase() }), message: text || whole }
}

/** The expression ignores case as a whole. */
function bare(word: string | undefined): string | undefined {
  return word === word?.toUpperCase() ? word : undefined
}
