/**
 * Plain text, one record per line, with lines that belong to the one before joined to it: stack traces, and in files
 * whose lines begin with a time everything that does not.
 */
import { MAX_MESSAGE_BYTES, MAX_STACK_LINES } from '@tidemark/wire/limits'
import { completeRecord } from './complete-record.ts'
import type { Defaults, Entry } from './entry.ts'
import { type LineStart, readLineStart } from './line-start.ts'
import { readLines } from './read-lines.ts'

type Open = { start: LineStart; lines: string[]; characters: number; line: number; endOffset: number }

/** The service cuts longer messages and marks them. A little more is sent, so that it sees there was more. */
const MAX_CHARACTERS = MAX_MESSAGE_BYTES + 64

/** Java, JavaScript, Python, Go, Ruby, C#, PHP and Rust, after indentation has been handled. */
const CONTINUATION =
  /^(?:\s|at\s|Caused by:|Suppressed:|Traceback \(most recent call last\)|During handling of the above|The above exception was|goroutine \d+|\.\.\. \d+ (?:more|common)|--- End of |#\d+ |stack backtrace:|[}\])]+\s*[,;]?$)/

export async function* readText(
  bytes: AsyncIterable<Buffer>,
  defaults: Defaults,
  { hasTimes }: { hasTimes: boolean },
): AsyncGenerator<Entry> {
  let open: Open | undefined
  let isInTraceback = false
  for await (const { text, number, endOffset } of readLines(bytes)) {
    const start = readLineStart(text)
    const isBlank = text.trim() === ''
    const isPythonEnd = isInTraceback && !isBlank && !/^\s/.test(text) && start.timestamp === undefined
    const belongs =
      open !== undefined &&
      start.timestamp === undefined &&
      open.lines.length < MAX_STACK_LINES &&
      (hasTimes || isBlank || isPythonEnd || CONTINUATION.test(text))
    if (/^\s*Traceback \(most recent call last\)/.test(text)) isInTraceback = true
    else if (isPythonEnd || start.timestamp !== undefined) isInTraceback = false
    if (open && belongs) extend(open, text, endOffset)
    else {
      if (open) yield entryOf(open, defaults)
      open = isBlank ? undefined : { start, lines: [start.message], characters: text.length, line: number, endOffset }
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

function entryOf({ start, lines, line, endOffset }: Open, defaults: Defaults): Entry {
  const { message: _, ...found } = start
  const fields = { ...found, message: lines.join('\n').trimEnd().slice(0, MAX_CHARACTERS) }
  return { line, endOffset, ...completeRecord(JSON.stringify(fields), fields, defaults) }
}
