/** One file of a revision, and a few of its lines. */
import { MAX_SOURCE_BYTES, MAX_SOURCE_LINE_CHARACTERS } from '../repository-mirror.ts'
import { redactedLine } from './untrusted-line.ts'

/** Git ends with an error for a path outside of the repository, which would look like a broken copy. */
export function isPathInside(path: string): boolean {
  return path !== '' && !path.startsWith('/') && !path.split('/').includes('..')
}

/** From `git ls-tree -l -z`: the hash of the file's content, when it is a plain file of this name and not too large. */
export function textFileIn(listed: Buffer, path: string): string | null {
  const [entry = ''] = listed.toString('utf8').split('\0')
  const [, hash, size, name] = /^100\d{3} blob ([0-9a-f]+) +(\d+)\t([\s\S]*)$/.exec(entry) ?? []
  if (hash === undefined || name !== path || Number(size) > MAX_SOURCE_BYTES) return null
  return hash
}

/** Nothing of a file that holds a NUL: it is not text. */
export function sourceLines(content: Buffer, from: number, count: number): string[] {
  if (content.includes(0)) return []
  const lines = content.toString('utf8').split('\n')
  // What follows the last line feed is not a line.
  if (lines.at(-1) === '') lines.pop()
  return withoutKeys(lines.slice(0, from - 1 + count))
    .slice(from - 1)
    .map(sourceLine)
}

/** Replaces the lines of private keys one by one: an excerpt may begin in the middle of a key, and keeps its numbers. */
function withoutKeys(lines: string[]): string[] {
  let isKey = false
  return lines.map((line) => {
    if (/-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY/.test(line)) isKey = true
    const shown = isKey ? '[REDACTED:private-key]' : line
    if (line.includes('-----END ')) isKey = false
    return shown
  })
}

/** One line as it can be shown: its secrets are redacted, what cannot be seen in it is made visible, and a very long one is cut. */
export function sourceLine(line: string): string {
  return redactedLine(line.replace(/\r$/, '').replaceAll('\t', '  '), MAX_SOURCE_LINE_CHARACTERS)
}
