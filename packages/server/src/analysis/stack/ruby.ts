/** Ruby: `file.rb:12:in 'method': message (Type)` and the lines below it, or a header and a plain backtrace. */

import { isThirdPartyPath } from '@tidemark/wire/analyses/third-party'
import { newException, readHeader } from './lines.ts'
import type { StackException, StackFrame } from './types.ts'

const FRAME =
  /^(?:from )?(?:\d+: from )?([^\s:][^:]{0,400}|[A-Za-z]:[^:]{1,400}):(\d{1,9}):in [`']([^']{0,300})'(?:: (.*))?$/

export function isRubyFrame(line: string): boolean {
  return FRAME.test(line)
}

export function parseRuby(lines: string[]): StackException[] {
  const exceptions: StackException[] = []
  const header: string[] = []
  let current: StackException | null = null
  for (const line of lines) {
    const match = FRAME.exec(line.trim())
    if (match === null) {
      if (current === null) header.push(line)
      continue
    }
    if (match[4] !== undefined) {
      const named = /^(.*) \(([\w:]{1,200})\)$/.exec(match[4])
      current = newException({ type: named?.[2] ?? '', message: named?.[1] ?? match[4] })
      exceptions.push(current)
    } else if (current === null) {
      current = newException(readRubyHeader(header))
      exceptions.push(current)
    }
    current.frames.push(frameOf(match[1]!, Number(match[2]), match[3]!))
  }
  return exceptions
}

/** Rails writes `Type (message):` above a backtrace, others `Type: message`. */
function readRubyHeader(lines: string[]): { type: string; message: string } {
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at]!.trim()
    const match =
      /^([A-Z]\w{0,100}(?:::\w{1,100}){0,6}) \((.*)\):?$/.exec(line) ??
      /^([A-Z]\w{0,100}(?:::\w{1,100}){0,6}): (.*)$/.exec(line)
    if (match !== null) return { type: match[1]!, message: match[2]! }
  }
  return readHeader(lines)
}

/** `block (2 levels) in Order#save` is `save`: older versions do not print the class. */
function cleanFunction(name: string): string {
  const inner = name
    .replace(/^(?:(?:block|rescue|ensure)(?: \(\d+ levels\))? in )+/, '')
    .replace(/__+\d+(?:_\d+)*$/, '')
  return inner.slice(Math.max(inner.lastIndexOf('#'), inner.lastIndexOf('.')) + 1)
}

function frameOf(file: string, line: number, name: string): StackFrame {
  return {
    function: cleanFunction(name),
    file,
    line,
    column: null,
    inApp: !file.startsWith('<') && !file.startsWith('(') && !isThirdPartyPath(file),
  }
}
