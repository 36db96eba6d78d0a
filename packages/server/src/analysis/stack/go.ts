/** A Go panic, or the goroutine that a runtime printed first. The other goroutines did not fail and are left out. */

import { isThirdPartyPath } from '@tidemark/wire/analyses/third-party'
import { newException, readPosition } from './lines.ts'
import type { StackException, StackFrame } from './types.ts'

export function parseGo(lines: string[]): StackException[] {
  const exception = newException(readPanic(lines))
  let goroutines = 0
  for (let at = 0; at < lines.length; at++) {
    const text = lines[at]!.trim()
    if (text.startsWith('goroutine ') && text.includes(' [')) {
      goroutines++
      if (goroutines > 1 && exception.frames.length > 0) break
      continue
    }
    if (goroutines === 0) continue
    const place = /^(\S.*\.(?:go|s):\d{1,9})(?: \+0x[0-9a-f]+)?$/.exec((lines[at + 1] ?? '').trim())
    const name = place === null ? '' : functionOf(text)
    if (place === null || name === '') continue
    at++
    // Frames of the panic itself are the same for every panic.
    if (name === 'panic' || name === 'runtime.gopanic' || name === 'runtime/debug.Stack') continue
    const { file, line } = readPosition(place[1]!)
    exception.frames.push(frameOf(name, file, line))
  }
  return [exception]
}

function readPanic(lines: string[]): { type: string; message: string } {
  for (const line of lines) {
    const match = /(?:^|\s)(panic|fatal error): (.*)$/.exec(line)
    if (match === null) continue
    const message = match[2]!.replace(/ \[recovered\]$/, '')
    return message.startsWith('runtime error: ')
      ? { type: 'runtime error', message: message.slice(15) }
      : { type: match[1]!, message }
  }
  return { type: '', message: '' }
}

/** `main.(*Server).Serve(0xc0000, {0x1})` and `created by main.run in goroutine 1` without arguments and numbers. */
function functionOf(text: string): string {
  if (text.startsWith('created by ')) return cleanFunction(text.slice(11).replace(/ in goroutine \d+$/, ''))
  const open = text.lastIndexOf('(')
  return open > 0 && text.endsWith(')') ? cleanFunction(text.slice(0, open)) : ''
}

function cleanFunction(name: string): string {
  return name
    .replace(/(?:\.func\d+)+(?:\.\d+)*$/, '.func')
    .replace(/\[\.\.\.\]/g, '')
    .replace(/-fm$/, '')
}

const STANDARD =
  /^(?:runtime|reflect|sync|syscall|net|os|io|bufio|bytes|strings|strconv|fmt|log|context|errors|sort|time|testing|encoding|database|crypto|html|text|math|regexp|path|unicode|internal|container|compress|archive|go)(?:\/[\w/]+)?\./

function frameOf(name: string, file: string, line: number | null): StackFrame {
  return { function: name, file, line, column: null, inApp: !STANDARD.test(name) && !isThirdPartyPath(file) }
}
