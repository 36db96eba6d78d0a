/** A Rust panic with its backtrace; without one the place of the panic is the only frame. */

import { isThirdPartyPath } from '@tidemark/wire/analyses/third-party'
import { newException, readPosition } from './lines.ts'
import type { StackException, StackFrame } from './types.ts'

export function parseRust(lines: string[]): StackException[] {
  const exception = newException({ type: 'panic', message: '' })
  let thrownAt: StackFrame | null = null
  for (let at = 0; at < lines.length; at++) {
    const text = lines[at]!.trim()
    const panicked = thrownAt === null ? text.indexOf(' panicked at ') : -1
    if (panicked !== -1) {
      const place = text.slice(panicked + 13)
      exception.message = messageOf(place, lines[at + 1] ?? '')
      thrownAt = frameOf(
        '',
        readPosition(place.slice(place.startsWith("'") ? place.lastIndexOf(' ') + 1 : 0).replace(/:$/, '')),
      )
      continue
    }
    const frame = /^\d{1,4}: +(?:0x[0-9a-f]+ - )?(\S.*)$/.exec(text)
    if (frame === null) continue
    const place = /^at (\S.*)$/.exec((lines[at + 1] ?? '').trim())
    exception.frames.push(frameOf(cleanFunction(frame[1]!), readPosition(place?.[1] ?? '')))
  }
  if (exception.frames.length === 0 && thrownAt !== null) exception.frames.push(thrownAt)
  return [exception]
}

/** Until 2023 the message was in quotes before the place, since then it has its own line. */
function messageOf(place: string, nextLine: string): string {
  return place.startsWith("'") ? place.slice(1, place.lastIndexOf("', ")) : nextLine.trim()
}

function cleanFunction(name: string): string {
  return name.replace(/::h[0-9a-f]{16}$/, '').replace(/(?:::\{\{closure\}\}|::\{closure#\d+\})+/g, '')
}

const LIBRARIES =
  /^<?(?:std|core|alloc|backtrace|rust_begin_unwind|rust_panic|__rust|_start|__libc|main$|tokio|futures|hyper|tower|axum|actix|rayon|test|rust_eh_personality|start_thread|clone)/

function frameOf(name: string, place: { file: string; line: number | null; column: number | null }): StackFrame {
  return { function: name, ...place, inApp: !isThirdPartyPath(place.file) && !(name !== '' && LIBRARIES.test(name)) }
}
