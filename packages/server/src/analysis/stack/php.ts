/** PHP prints the first cause first and says "Next" before what followed from it; the order is reversed here. */

import { isThirdPartyPath } from '@tidemark/wire/analyses/third-party'
import { newException } from './lines.ts'
import type { StackException, StackFrame } from './types.ts'

const FRAME = /^#\d{1,4} (?:(\[internal function\])|(\S.{0,400}?)\((\d{1,9})\)): (.*)$/
const THROWN =
  /(?:^|[\s\]])(?:Uncaught |Next )?([A-Za-z_\\][\w\\]{0,200})(?:: (.*))? in (\S+?)(?::| on line )(\d{1,9})$/

export function isPhpFrame(line: string): boolean {
  return FRAME.test(line)
}

export function parsePhp(lines: string[]): StackException[] {
  const exceptions: StackException[] = []
  let current: StackException | null = null
  let hasFrames = false
  for (const line of lines) {
    const text = line.trim()
    const frame = readPhpFrame(text)
    if (frame !== null) {
      if (current === null) {
        current = newException({ type: '', message: '' })
        exceptions.push(current)
      }
      current.frames.push(frame)
      hasFrames = true
      continue
    }
    if (text.startsWith('thrown in ')) continue
    const thrown: StackException | null =
      current === null || hasFrames || exceptions.length === 0 ? readThrown(text) : null
    if (thrown === null) continue
    current = thrown
    hasFrames = false
    exceptions.push(thrown)
  }
  return exceptions.reverse()
}

/** The header says where it was thrown, which no frame repeats. */
function readThrown(text: string): StackException | null {
  if (!text.includes(' in ')) return null
  const uncaught = text.indexOf('Uncaught ')
  const match = THROWN.exec(uncaught === -1 ? text.replace(/^Next /, '') : text.slice(uncaught + 9))
  if (match === null) return null
  return { type: match[1]!, message: match[2] ?? '', frames: [frameOf('', match[3]!, Number(match[4]))] }
}

function readPhpFrame(text: string): StackFrame | null {
  if (!text.startsWith('#')) return null
  const match = FRAME.exec(text)
  if (match === null) return null
  return frameOf(cleanFunction(match[4]!), match[2] ?? '', match[3] === undefined ? null : Number(match[3]))
}

/** Without arguments; an anonymous class carries a path and a number, a closure only its namespace. */
function cleanFunction(call: string): string {
  const open = call.indexOf('(')
  const name = (open === -1 ? call : call.slice(0, open)).replace(/class@anonymous.*?(?=->|::|$)/, 'class@anonymous')
  return call.startsWith('{closure') || name.endsWith('{closure}') || call.includes('{closure') ? '{closure}' : name
}

function frameOf(name: string, file: string, line: number | null): StackFrame {
  return { function: name, file, line, column: null, inApp: file !== '' && !isThirdPartyPath(file) }
}
