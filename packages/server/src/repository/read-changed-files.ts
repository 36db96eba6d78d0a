/**
 * Changed files with their lines from `git diff-tree -r -M -z --raw --patch -U0`. Names are taken from the raw part, where
 * they appear unquoted between NULs; the patch part only gives lines, its sections in the same order. Names in it are
 * never read, so no name can pretend to be a line of a patch.
 */
import type { ChangedFile, LineRange } from '../model/repository.ts'
import { MAX_CHANGED_FILES } from './repository-mirror.ts'
import { untrustedLine } from './untrusted-line.ts'

const CHANGES: Record<string, ChangedFile['change']> = {
  A: 'added',
  C: 'copied',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  T: 'type_changed',
}
const MAX_PATH_CHARACTERS = 1_024
const MAX_RANGES = 200

export function readChangedFiles(output: Buffer): ChangedFile[] {
  const fields = output.toString('utf8').split('\0')
  const files: ChangedFile[] = []
  let at = 0
  for (; fields[at]?.startsWith(':') && files.length < MAX_CHANGED_FILES; at += 1) {
    const letter = /([A-Z])\d*$/.exec(fields[at] ?? '')?.[1] ?? ''
    const isMoved = letter === 'R' || letter === 'C'
    const previous = isMoved ? fields[++at] : undefined
    files.push({
      path: untrustedLine(fields[++at] ?? '', MAX_PATH_CHARACTERS),
      previousPath: previous === undefined ? null : untrustedLine(previous, MAX_PATH_CHARACTERS),
      change: CHANGES[letter] ?? 'modified',
      lines: [],
    })
  }
  // Everything after the empty field is the patch; a NUL inside it belongs to a file's content.
  const isWhole = fields[at] === ''
  if (isWhole) addLines(files, fields.slice(at + 1).join('\0'))
  return files
}

function addLines(files: ChangedFile[], patch: string): void {
  // A change of type has two sections: one file is removed, and another added.
  const sections = files.flatMap((file) => (file.change === 'type_changed' ? [file, file] : [file]))
  let section = -1
  for (const line of patch.split('\n')) {
    if (line.startsWith('diff --git ')) section += 1
    const range = line.startsWith('@@ ') ? rangeOf(line) : null
    const lines = sections[section]?.lines
    if (range && lines && lines.length < MAX_RANGES) lines.push(range)
  }
  // More sections than files: something was not as expected, and no lines are better than wrong ones.
  if (section >= sections.length) for (const file of files) file.lines = []
}

function rangeOf(hunk: string): LineRange | null {
  const [, first, count] = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/.exec(hunk) ?? []
  const lines = count === undefined ? 1 : Number(count)
  return first === undefined || lines === 0 ? null : { from: Number(first), to: Number(first) + lines - 1 }
}
