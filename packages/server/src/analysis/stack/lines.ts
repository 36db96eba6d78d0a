/** What the stack parsers share: bounded lines, the position at the end of a frame, and the line that names the error. */
import { MAX_STACK_LINES } from '@tidemark/wire/limits'
import { cutToUnits } from '@tidemark/wire/text/cut-text'
import type { StackException } from './types.ts'

/** How much of a text is read. A trace that begins or continues after it is not seen. */
const MAX_STACK_CHARS = 64 * 1024
/** A longer line is read to here: no frame has as much to say, and parsers may look at a line more than once. */
const MAX_LINE_CHARS = 1000
/** Lines above the first frame that may belong to the message. */
const MAX_HEADER_LINES = 20

export function splitLines(text: string): string[] {
  const bounded = cutToUnits(text, MAX_STACK_CHARS)
  const lines: string[] = []
  for (let from = 0; from <= bounded.length && lines.length < MAX_STACK_LINES; ) {
    const newline = bounded.indexOf('\n', from)
    const end = newline === -1 ? bounded.length : newline
    const trimmed = bounded.charCodeAt(end - 1) === 13 ? end - 1 : end
    lines.push(cutToUnits(bounded.slice(from, trimmed), MAX_LINE_CHARS))
    from = end + 1
  }
  return lines
}

export function indentOf(line: string): number {
  let i = 0
  while (i < line.length && (line.charCodeAt(i) === 32 || line.charCodeAt(i) === 9)) i++
  return i
}

type Position = { file: string; line: number | null; column: number | null }

/** Reads `file`, `file:12` and `file:12:34`. */
export function readPosition(text: string): Position {
  const last = colonBeforeNumber(text, text.length)
  if (last === -1) return { file: text, line: null, column: null }
  const before = colonBeforeNumber(text, last)
  if (before === -1) return { file: text.slice(0, last), line: numberAt(text, last + 1, text.length), column: null }
  const line = numberAt(text, before + 1, last)
  return { file: text.slice(0, before), line, column: numberAt(text, last + 1, text.length) }
}

/** The position of the `:` in a `:12` that ends at `end`; -1 when there is none. */
function colonBeforeNumber(text: string, end: number): number {
  let i = end - 1
  while (i > 0 && isDigit(text.charCodeAt(i))) i--
  return i > 0 && i < end - 1 && text.charCodeAt(i) === 58 ? i : -1
}

function numberAt(text: string, start: number, end: number): number {
  let value = 0
  for (let i = start; i < end; i++) value = value * 10 + text.charCodeAt(i) - 48
  return value
}

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57

const NAMED = /^([A-Za-z_$][\w$.\\]{0,200})(?: \[[\w-]{1,60}\])?(?::(?: (.*))?)?$/
const ERROR_NAME = /(?:Error|Exception|Fault|Failure|Warning|Throwable|Interrupt|Exit)$/
const PREFIX =
  /^(?:Uncaught (?:\(in promise\) )?|Unhandled [Rr]ejection:? |Unhandled exception\. |Exception in thread "[^"]{0,200}" |\[cause\]: |Caused by: )/

/**
 * The name and message from the lines above the first frame. The message may have several lines and may itself look
 * like a name, so the last line that is named like an error wins, then the first that has any name.
 */
export function readHeader(above: string[]): { type: string; message: string } {
  const lines = above.slice(-MAX_HEADER_LINES)
  for (let at = lines.length - 1; at >= 0; at--) {
    const found = matchName(lines[at]!)
    if (found !== null && ERROR_NAME.test(found.type)) return withRest(found, lines, at)
  }
  for (let at = 0; at < lines.length; at++) {
    const found = matchName(lines[at]!)
    if (found !== null) return withRest(found, lines, at)
  }
  return { type: '', message: lines.join('\n').trim() }
}

export function matchName(line: string): { type: string; message: string } | null {
  let text = line.trim()
  for (let rest = text.replace(PREFIX, ''); rest !== text; rest = text.replace(PREFIX, '')) text = rest
  const match = NAMED.exec(text) ?? NAMED.exec(afterLogPrefix(text))
  return match === null ? null : { type: match[1]!, message: match[2] ?? '' }
}

/** `2026-01-02 ERROR worker - TypeError: x`: the name comes after what a logger put before it. */
function afterLogPrefix(text: string): string {
  const match = /\b([A-Z][\w$.]{0,100}(?:Error|Exception): )/.exec(text)
  return match === null ? '' : text.slice(match.index)
}

function withRest(
  found: { type: string; message: string },
  lines: string[],
  at: number,
): { type: string; message: string } {
  const rest = lines
    .slice(at + 1)
    .join('\n')
    .trimEnd()
  return rest === '' ? found : { type: found.type, message: `${found.message}\n${rest}` }
}

export function newException(header: { type: string; message: string }): StackException {
  return { type: header.type, message: header.message, frames: [] }
}
