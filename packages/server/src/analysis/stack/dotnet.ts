/**
 * .NET names all exceptions first, outermost to innermost, with ` ---> ` between them, then prints the innermost stack;
 * each "End of inner exception stack trace" leads one exception outwards.
 */
import { isDotnetLibrary } from '@tidemark/wire/analyses/third-party'
import { matchName, newException, readHeader } from './lines.ts'
import type { StackException, StackFrame } from './types.ts'

export function parseDotnet(lines: string[]): StackException[] {
  const header: string[] = []
  let exceptions: StackException[] = []
  let at = -1
  for (const line of lines) {
    const text = line.trim()
    if (text.startsWith('--- End of inner exception')) {
      if (at > 0) at--
      continue
    }
    const frame = readDotnetFrame(text)
    if (frame === null) {
      if (at === -1) header.push(line)
      continue
    }
    if (at === -1) {
      exceptions = readChain(header)
      at = exceptions.length - 1
    }
    exceptions[at]!.frames.push(frame)
  }
  return exceptions
}

function readChain(header: string[]): StackException[] {
  const [outermost, ...inner] = header.join('\n').split('---> ')
  const chain = [newException(readHeader((outermost ?? '').trimEnd().split('\n')))]
  for (const text of inner.slice(0, 20)) {
    const first = text.replace(/^\(Inner Exception #\d+\) /, '').trim()
    chain.push(newException(matchName(first.split('\n', 1)[0]!) ?? { type: '', message: first }))
  }
  return chain
}

const METHOD = /^[\w.<>`$[\],|+@-]{1,500}$/

export function readDotnetFrame(text: string): StackFrame | null {
  if (!text.startsWith('at ')) return null
  const open = text.indexOf('(')
  const close = text.indexOf(')', open)
  if (open < 4 || close === -1) return null
  const method = text.slice(3, open)
  if (!method.includes('.') || !METHOD.test(method)) return null
  const name = cleanFunction(method)
  const place = / in (.{1,500}):line (\d{1,9})$/.exec(text.slice(close + 1))
  const file = place?.[1] ?? ''
  return {
    function: name,
    file,
    line: place === null ? null : Number(place[2]),
    column: null,
    inApp: !isDotnetLibrary(name),
  }
}

/** The compiler turns async methods and lambdas into classes with numbers: `<Load>d__5.MoveNext` is `Load`. */
function cleanFunction(name: string): string {
  return name
    .replace(/<>c(?:__DisplayClass[\d_]+)?(?:`\d+)?\./g, '')
    .replace(/<([\w.]+)>d__\d+(?:`\d+)?(?:\[[^\]]*\])?\.MoveNext$/, '$1')
    .replace(/<<([\w.]+)>b__[\d_]+>d\.MoveNext$/, '$1')
    .replace(/<([\w.$<>]+)>[bg]__[\w|]+$/, '$1')
    .replace(/`\d+/g, '')
    .replace(/\[[^\]]*\]$/, '')
}
