/**
 * Plain text, one record per line, with lines that belong to the one before joined to it: stack traces, and in files
 * whose lines begin with a time everything that does not.
 */
import { MAX_MESSAGE_BYTES, MAX_STACK_LINES } from '@tidemark/wire/limits'
import { cutToUnits } from '@tidemark/wire/text/cut-text'
import { addBeside, type BesideLine, objectIn } from './beside.ts'
import { completeRecord } from './complete-record.ts'
import type { Defaults, Entry } from './entry.ts'
import { type LineStart, readLineStart, startOfSyslogLine } from './line-start.ts'
import { type Line, readLines } from './read-lines.ts'
import { readSyslogLine } from './syslog-line.ts'

/** What a format sees in a line: what it begins with, what of it is text, and whether it begins a record for sure. */
export type StartOfLine = (line: string) => {
  start: LineStart
  text: string
  isNew: boolean
  /** When the text is a record by itself, and what stands beside it. */
  object?: ({ fields: Fields } & BesideLine) | undefined
}

type Fields = Record<string, unknown>
type Open = Pick<ReturnType<StartOfLine>, 'start' | 'text' | 'object'> & {
  lines: string[]
  characters: number
  line: number
  endOffset: number
}

const startOfPlainLine: StartOfLine = (text) => {
  const syslog = readSyslogLine(text)
  const fields = syslog && objectIn(syslog.text)
  if (fields) return { start: { message: syslog.text }, text: syslog.text, isNew: true, object: { fields, ...syslog } }
  if (syslog) return { start: startOfSyslogLine(syslog), text, isNew: true }
  const start = readLineStart(text)
  return { start, text, isNew: start.timestamp !== undefined }
}

/** The service cuts longer messages and marks them. A little more is sent, so that it sees there was more. */
const MAX_CHARACTERS = MAX_MESSAGE_BYTES + 64

/** Java, JavaScript, Python, Go, Ruby, C#, PHP and Rust, after indentation has been handled. */
const CONTINUATION =
  /^(?:\s|at\s|Caused by:|Suppressed:|Traceback \(most recent call last\)|During handling of the above|The above exception was|goroutine \d+|\.\.\. \d+ (?:more|common)|--- End of |#\d+ |stack backtrace:|[}\])]+\s*[,;]?$)/

type TextForm = {
  hasTimes: boolean
  startOf?: StartOfLine
  /** Puts lines together that the format writes in pieces. */
  join?: (lines: AsyncIterable<Line>) => AsyncIterable<Line>
}

export async function* readText(
  bytes: AsyncIterable<Buffer>,
  defaults: Defaults,
  { hasTimes, startOf = startOfPlainLine, join = (lines) => lines }: TextForm,
): AsyncGenerator<Entry> {
  let open: Open | undefined
  let isInTraceback = false
  for await (const { text: line, number, endOffset } of join(readLines(bytes))) {
    const { start, text, isNew, object } = startOf(line)
    const isBlank = text.trim() === ''
    const isPythonEnd = isInTraceback && !isBlank && !/^\s/.test(text) && !isNew
    const belongs =
      open !== undefined &&
      open.object === undefined &&
      !isNew &&
      open.lines.length < MAX_STACK_LINES &&
      (hasTimes || isBlank || isPythonEnd || CONTINUATION.test(text))
    if (/^\s*Traceback \(most recent call last\)/.test(text)) isInTraceback = true
    else if (isPythonEnd || isNew) isInTraceback = false
    if (open && belongs) extend(open, text, endOffset)
    else {
      if (open) yield entryOf(open, defaults)
      const at = { line: number, endOffset }
      open = isBlank ? undefined : { start, text, object, lines: [start.message], characters: text.length, ...at }
    }
  }
  if (open) yield entryOf(open, defaults)
}

function extend(open: Open, text: string, endOffset: number): void {
  open.endOffset = endOffset
  if (open.characters > MAX_CHARACTERS) return
  open.lines.push(text)
  open.characters += text.length
}

function entryOf({ start, text, object, lines, line, endOffset }: Open, defaults: Defaults): Entry {
  if (object) {
    const { json, fields } = addBeside(text, object.fields, object)
    return { line, endOffset, ...completeRecord(json, fields, defaults) }
  }
  const { message: _, ...found } = start
  const fields = { ...found, message: cutToUnits(lines.join('\n').trimEnd(), MAX_CHARACTERS) }
  return { line, endOffset, ...completeRecord(JSON.stringify(fields), fields, defaults) }
}
