/**
 * Paths and names in a source map are whatever its sender wrote. A path becomes one as a repository has it, so that it can
 * be matched with one; nothing of either can end a line or a bracket of the stack that it is written into.
 */
import { replaceTerminalSequences, replaceUnseen } from '@tidemark/wire/text/stranger-text'
import { MAX_FUNCTION_CHARACTERS, MAX_SOURCE_CHARACTERS } from './limits.ts'

/** `webpack://shop/./src/a.ts?x`, `../../src/a.ts` and `file:///src/a.ts`. Empty for what names no file. */
export function sourcePath(source: string, root = ''): string {
  const isWhole = /^[a-z][\w+.-]*:\/\//i.test(source) || source.startsWith('/')
  const joined = root === '' || isWhole ? source : `${root}${root.endsWith('/') ? '' : '/'}${source}`
  // Twice as much as is kept: what comes before a path is cut off below.
  if (joined.length > 2 * MAX_SOURCE_CHARACTERS) return ''
  const seen = replaceUnseen(replaceTerminalSequences(joined), () => '')
  const kept = segmentsOf(withoutScheme(seen.replaceAll('\\', '/'))).join('/')
  return kept.length > MAX_SOURCE_CHARACTERS ? '' : kept
}

/** An identifier as JavaScript has them; empty for anything else. */
export function sourceName(name: string): string {
  if (name.length > MAX_FUNCTION_CHARACTERS || !IDENTIFIER.test(name)) return ''
  return replaceUnseen(name, () => '')
}

const IDENTIFIER = /^[\p{ID_Start}$_#][\p{ID_Continue}$.]*$/u

/** Also without the host of an address, and the package that webpack names in its place. */
function withoutScheme(path: string): string {
  const scheme = /^([a-z][\w+.-]*):\/\/([^/]*)/i.exec(path)
  const rest = scheme === null ? path : path.slice(scheme[0].length)
  const end = rest.search(/[?#]/)
  const plain = end === -1 ? rest : rest.slice(0, end)
  // `webpack-internal:///(rsc)/./app/page.tsx`
  return plain.replace(/^\/?\([\w-]{1,40}\)\//, '')
}

function segmentsOf(path: string): string[] {
  const kept: string[] = []
  for (const segment of path.split('/')) {
    const name = segment.replace(/[\s()<>"'`:]+/g, ' ').trim()
    if (name === '..') kept.pop()
    else if (name !== '' && name !== '.') kept.push(name)
  }
  return kept
}
