/** Java, Kotlin, Scala and other languages of the JVM. */
import { isJvmLibrary } from '@tidemark/wire/analyses/third-party'
import { indentOf, matchName, newException, readHeader } from './lines.ts'
import type { StackException, StackFrame } from './types.ts'

export function parseJava(lines: string[]): StackException[] {
  const exceptions: StackException[] = []
  let header: string[] = []
  let current: StackException | null = null
  // A suppressed exception is not a cause. Everything that is indented as far as its first line belongs to it.
  let suppressedAt = -1
  for (const line of lines) {
    const text = line.trim()
    if (suppressedAt !== -1 && text !== '' && indentOf(line) < suppressedAt) suppressedAt = -1
    if (suppressedAt !== -1) continue
    if (text.startsWith('Suppressed: ')) {
      suppressedAt = Math.max(indentOf(line), 1)
      continue
    }
    if (text.startsWith('Caused by: ')) {
      const found = matchName(text)
      current = newException(found ?? { type: '', message: text.slice(11) })
      exceptions.push(current)
      continue
    }
    const frame = readJavaFrame(text)
    if (frame === null) {
      if (current === null) header.push(line)
      continue
    }
    if (current === null) {
      current = newException(readHeader(header))
      exceptions.push(current)
      header = []
    }
    current.frames.push(frame)
  }
  return exceptions
}

/** `at module/pkg.Class.method(File.java:12) ~[app.jar:1.0]` */
export function readJavaFrame(line: string): StackFrame | null {
  if (!line.startsWith('at ')) return null
  const close = line.indexOf(')')
  const open = line.lastIndexOf('(', close)
  if (open === -1 || (close !== line.length - 1 && line[close + 1] !== ' ')) return null
  const place =
    /^(Native Method|Unknown Source|<generated>|[\w$-]+\.(?:java|kt|kts|scala|groovy|clj|xtend)(?::(\d{1,9}))?|SourceFile(?::\d{1,9})?)$/.exec(
      line.slice(open + 1, close),
    )
  if (place === null) return null
  const called = line.slice(3, open)
  const name = cleanFunction(called.slice(called.lastIndexOf('/') + 1))
  const file = place[1]!.includes('.') ? place[1]!.replace(/:\d+$/, '') : ''
  return {
    function: name,
    file,
    line: place[2] === undefined ? null : Number(place[2]),
    column: null,
    inApp: !isJvmLibrary(name),
  }
}

/** Names that the compiler or a proxy library numbered are the same function in the next build. */
function cleanFunction(name: string): string {
  if (!name.includes('$') && !name.includes('Accessor')) return name
  return name
    .replace(/\$\$Lambda(?:\$\d+)?(?:\/(?:0x)?[0-9a-fA-F]+)?/g, '$$$$Lambda')
    .replace(/lambda\$([\w$]*?)\$\d+$/, 'lambda$$$1')
    .replace(/\$\$(?:EnhancerBy|FastClassBy|SpringCGLIB|HibernateProxy)[\w$]*/g, '$$$$Proxy')
    .replace(/\$Proxy\d+/g, '$$Proxy')
    .replace(/GeneratedMethodAccessor\d+/g, 'GeneratedMethodAccessor')
    .replace(/access\$\d+/g, 'access$$')
    .replace(/\$\d+(?=[.$]|$)/g, '')
}
