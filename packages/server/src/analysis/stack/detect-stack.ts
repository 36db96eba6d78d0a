/**
 * A cheap test for stacks: does this text hold one, and what does it say went wrong? It runs on every message, so a
 * text of one line is dismissed at once. Frames are read elsewhere.
 */
export function holdsStack(text: string): boolean {
  if (text.indexOf('\n') === -1) return text.startsWith("thread '") && text.includes(" panicked at '")
  return (
    STACK_MARKS.test(text) || (text.startsWith("thread '") && text.includes(' panicked at ')) || AT_FRAME.test(text)
  )
}

// JavaScript, Java, Kotlin and C# frames. The line must look like a call or a place, not like prose after "at".
const AT_FRAME = /\n[ \t]{1,12}at [^\s(:]{1,300}(?: [^\n(:]{0,200})?[(:]/

const STACK_MARKS =
  /Traceback \(most recent call last\)|\n[ \t]*Caused by: |\ngoroutine \d+ \[|\.rb:\d+:in [`']|\n#\d{1,3} [^\n(]{1,300}\(\d+\)|\n[ \t]+File "[^"\n]{1,300}", line \d+/

/** Type and message from the stack's own words; empty where it does not say. */
export function describeStack(stack: string): { type: string; message: string } {
  const python = readPython(stack)
  if (python !== null) return python
  const head = stack.slice(0, HEAD_CHARACTERS)
  for (const read of READERS) {
    const said = read(head)
    if (said !== null) return said
  }
  return { type: '', message: firstLine(head) }
}

/** All but Python name the error at the top, and the readers below must not walk a hostile text again and again. */
const HEAD_CHARACTERS = 8_000

type Said = { type: string; message: string }

const READERS: readonly ((stack: string) => Said | null)[] = [readGoPanic, readRustPanic, readRuby, readPhp, readNamed]

/** The last line that is not indented names the exception; a chained traceback ends with the outermost. */
function readPython(stack: string): Said | null {
  const start = stack.lastIndexOf('Traceback (most recent call last)')
  if (start === -1) return null
  const lines = stack.slice(start).split('\n').slice(1)
  const last = lines.findIndex((line) => line !== '' && !/^[ \t]/.test(line))
  const match = /^([A-Za-z_][\w.]{0,200})(?:: ?([\s\S]*))?$/.exec(last === -1 ? '' : lines[last]!.trim())
  return match === null ? null : { type: match[1]!, message: match[2] ?? '' }
}

function readGoPanic(stack: string): Said | null {
  const match = /(?:^|\n)(?:panic|fatal error): ([^\n]{0,4000})/.exec(stack)
  return match !== null && /\ngoroutine \d+ \[/.test(stack) ? { type: 'panic', message: match[1]! } : null
}

/** Newer toolchains write the message on the next line, older ones in quotes after "at". */
function readRustPanic(stack: string): Said | null {
  const match =
    /thread '[^'\n]{0,200}' (?:\(\d+\) )?panicked at (?:'([^\n]{0,4000}?)', |[^\n]{1,400}:\n([^\n]{0,4000}))/.exec(
      stack,
    )
  return match === null ? null : { type: 'panic', message: match[1] ?? match[2] ?? '' }
}

function readRuby(stack: string): Said | null {
  const match = /\.rb:\d+:in [`'][^'\n]{0,200}': ([^\n]{0,4000}?) \(([A-Z][\w:]{0,200})\)/.exec(stack)
  return match === null ? null : { type: match[2]!, message: match[1]! }
}

/** "Uncaught RuntimeException: no such user in /srv/app.php:12". */
function readPhp(stack: string): Said | null {
  const match = /Uncaught ([A-Za-z_\\][\w\\]{0,200}): ([^\n]{0,4000})/.exec(stack)
  if (match === null || !stack.includes('\n#0 ')) return null
  const place = match[2]!.lastIndexOf(' in /')
  return { type: match[1]!, message: place === -1 ? match[2]! : match[2]!.slice(0, place) }
}

/** `TypeError: x is not a function`, anywhere before the first frame. */
function readNamed(stack: string): Said | null {
  const frame = /\n[ \t]{1,12}at |\n#0 /.exec(stack)
  const head = stack.slice(0, frame?.index)
  const named = NAMED.exec(head) ?? /^(?:Uncaught )?([A-Z][\w$.]{0,200}): ([\s\S]*)$/.exec(head)
  return named === null ? null : { type: named[1]!, message: (named[2] ?? '').trimEnd() }
}

const NAMED =
  /(?<![\w$.])([A-Za-z_$][\w$.]{0,200}(?:Error|Exception|Throwable|Failure|Fault))(?:\s?\[[\w-]{1,60}\])?(?:: ([\s\S]*))?(?=$|\n)/

function firstLine(text: string): string {
  const end = text.indexOf('\n')
  return end === -1 ? text : text.slice(0, end)
}
