/** Python prints the oldest call and the first cause first; both orders are reversed here. */

import { isThirdPartyPath } from '@tidemark/wire/analyses/third-party'
import { indentOf, newException } from './lines.ts'
import type { StackException, StackFrame } from './types.ts'

export function parsePython(lines: string[]): StackException[] {
  const exceptions: StackException[] = []
  let frames: StackFrame[] = []
  let frameIndent = 0
  for (const raw of lines) {
    // Exception groups draw a margin of bars.
    const line = raw.replace(/^(\s*)[|+][ -]?/, '$1 ')
    const text = line.trim()
    const frame = readPythonFrame(text)
    if (frame !== null) {
      frames.push(frame)
      frameIndent = indentOf(line)
    } else if (frames.length > 0 && text !== '' && indentOf(line) < frameIndent) {
      const name = /^([A-Za-z_][\w.]{0,200})(?:: ?(.*))?$/.exec(text)
      if (name === null) continue
      exceptions.push({ ...newException({ type: name[1]!, message: name[2] ?? '' }), frames: frames.reverse() })
      frames = []
    }
  }
  if (frames.length > 0) exceptions.push({ type: '', message: '', frames: frames.reverse() })
  return exceptions.reverse()
}

function readPythonFrame(text: string): StackFrame | null {
  if (!text.startsWith('File "')) return null
  const quote = text.indexOf('"', 6)
  const place = /^, line (\d{1,9})(?:, in (.*))?$/.exec(text.slice(quote + 1))
  if (quote === -1 || place === null) return null
  const file = text.slice(6, quote)
  const name = place[2] ?? ''
  return { function: cleanFunction(name), file, line: Number(place[1]), column: null, inApp: isOwn(file) }
}

/** `<lambda>`, `<listcomp>` and the like say how code was written, not which code. */
function cleanFunction(name: string): string {
  const last = name.slice(name.lastIndexOf('.') + 1)
  return last.startsWith('<') && last !== '<module>' ? '' : last
}

function isOwn(file: string): boolean {
  return !file.startsWith('<') && !isThirdPartyPath(file)
}
