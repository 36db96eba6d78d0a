/** V8 (Node, Chrome, Edge) writes `at fn (file:1:2)`; Firefox and Safari write `fn@file:1:2`. */

import { isRuntimeFile, isThirdPartyPath } from '@tidemark/wire/analyses/third-party'
import { newException, readHeader, readPosition } from './lines.ts'
import { cleanPath } from './stack-file.ts'
import type { StackException, StackFrame } from './types.ts'

export function parseJavaScript(lines: string[]): StackException[] {
  const exceptions: StackException[] = []
  let header: string[] = []
  let current: StackException | null = null
  for (const line of lines) {
    const frame = readJavaScriptFrame(line.trim())
    if (frame === null) {
      // A cause begins a new exception; any other text between frames belongs to somebody else.
      const cause = line.startsWith('Caused by: ') ? 0 : line.indexOf('[cause]: ')
      if (cause !== -1) {
        current = null
        header = [line.slice(cause)]
      } else if (current === null) header.push(line)
      continue
    }
    if (current === null) {
      current = newException(readHeader(header))
      exceptions.push(current)
    }
    current.frames.push(frame)
  }
  return exceptions
}

export function readJavaScriptFrame(line: string): StackFrame | null {
  // Node opens the error's own properties after the last frame.
  if (line.startsWith('at ')) return readV8Frame(line.endsWith(' {') ? line.slice(3, -2) : line.slice(3))
  return readGeckoFrame(line)
}

function readV8Frame(text: string): StackFrame | null {
  const open = text.endsWith(')') ? text.indexOf(' (') : -1
  if (open === -1) {
    if (text.endsWith(')')) return null
    const place = readPosition(text.startsWith('async ') ? text.slice(6) : text)
    return place.column === null && place.file !== '<anonymous>' ? null : frameOf('', place)
  }
  const name = text.slice(0, open)
  const inner = text.slice(open + 2, -1)
  if (inner.startsWith('eval at ')) return frameOf('eval', readPosition(innermostPlace(inner)))
  const place = readPosition(inner)
  const isPlaceless =
    inner === '<anonymous>' || inner === 'native' || inner.startsWith('index ') || inner.startsWith('native ')
  return place.column === null && !isPlaceless ? null : frameOf(cleanFunction(name), place)
}

/** `eval at f (https://x/a.js:1:2), <anonymous>:1:1`: the file that was evaluated from says more than `<anonymous>`. */
function innermostPlace(text: string): string {
  const open = text.lastIndexOf('(')
  const close = text.indexOf(')', open)
  return open === -1 || close === -1 ? '<anonymous>' : text.slice(open + 1, close)
}

function readGeckoFrame(line: string): StackFrame | null {
  const at = line.lastIndexOf('@')
  if (at === -1 || /\s/.test(line.slice(0, at))) return null
  const rest = line.slice(at + 1)
  if (rest === '[native code]')
    return frameOf(cleanFunction(line.slice(0, at)), { file: rest, line: null, column: null })
  const place = readPosition(rest)
  if (place.line === null || !/^(?:[a-z-]+:\/\/|\/|[\w./-]+\.[cm]?[jt]sx?\b)/.test(place.file)) return null
  return frameOf(cleanFunction(line.slice(0, at)), place)
}

const ANONYMOUS = new Set(['<anonymous>', 'anonymous', 'Anonymous function', '?', '<unknown>'])
const MARKERS = ['async ', 'new ', 'get ', 'set ', 'static ']

/** The last name of a dotted path, because the object before it is the engine's guess and differs between engines. */
function cleanFunction(name: string): string {
  const text = MARKED.test(name) ? withoutMarks(name) : name
  const last = text.slice(text.lastIndexOf('.') + 1)
  return ANONYMOUS.has(last) ? '' : last
}

const MARKED = /[ */]/

/** `async f`, `new F`, `f [as g]`, and the `async*f` and `f/g/<` of Firefox. */
function withoutMarks(name: string): string {
  let text = name.startsWith('async*') ? name.slice(6) : name
  const alias = text.indexOf(' [as ')
  if (alias !== -1) text = text.slice(0, alias)
  for (const marker of MARKERS) if (text.startsWith(marker)) text = text.slice(marker.length)
  while (text.endsWith('/<') || text.endsWith('/')) text = text.slice(0, text.lastIndexOf('/'))
  return text.slice(text.lastIndexOf('/') + 1)
}

function frameOf(name: string, place: { file: string; line: number | null; column: number | null }): StackFrame {
  const file = cleanPath(place.file)
  return { function: name, file, line: place.line, column: place.column, inApp: isOwn(file) }
}

function isOwn(file: string): boolean {
  if (file === '' || file.includes('-extension://')) return false
  return !isRuntimeFile(file) && !isThirdPartyPath(file)
}
