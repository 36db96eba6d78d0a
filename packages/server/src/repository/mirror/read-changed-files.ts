/**
 * Changed files with their lines from `git diff-tree -r -M -z --raw --patch -U0`. Names are taken from the raw part, where
 * they appear unquoted between NULs; the patch part only gives lines, its sections in the same order. Names in it are
 * never read, so no name can pretend to be a line of a patch.
 */
import type { ChangedFile, Hunk } from '../../model/repository.ts'
import { FULL_HASH, MAX_CHANGED_FILES } from '../repository-mirror.ts'
import { redactedLine, untrustedLine } from './untrusted-line.ts'

const CHANGES: Record<string, ChangedFile['change']> = {
  A: 'added',
  C: 'copied',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  T: 'type_changed',
}
const MAX_PATH_CHARACTERS = 1_024
export const MAX_HUNKS = 500
const MAX_SECTION_CHARACTERS = 200

export function readChangedFiles(output: Buffer): ChangedFile[] {
  const fields = output.toString('utf8').split('\0')
  const { files, at } = readFiles(fields, 0)
  // Everything after the empty field is the patch; a NUL inside it belongs to a file's content.
  const isWhole = fields[at] === ''
  if (isWhole) addHunks(files, fields.slice(at + 1).join('\0'))
  return files
}

/** Of many commits, without hunks, from `git diff-tree --stdin -r -M -z --raw`. A merge has no files. */
export function readFilesOfCommits(output: Buffer): Map<string, ChangedFile[]> {
  const fields = output.toString('utf8').split('\0')
  const byCommit = new Map<string, ChangedFile[]>()
  for (let at = 0; FULL_HASH.test(fields[at] ?? ''); ) {
    const read = readFiles(fields, at + 1)
    byCommit.set(fields[at] ?? '', read.files.slice(0, MAX_CHANGED_FILES))
    at = read.at
  }
  return byCommit
}

function readFiles(fields: readonly string[], from: number): { files: ChangedFile[]; at: number } {
  const files: ChangedFile[] = []
  let at = from
  for (; fields[at]?.startsWith(':'); at += 1) {
    const letter = /([A-Z])\d*$/.exec(fields[at] ?? '')?.[1] ?? ''
    const isMoved = letter === 'R' || letter === 'C'
    const previous = isMoved ? fields[++at] : undefined
    files.push({
      path: untrustedLine(fields[++at] ?? '', MAX_PATH_CHARACTERS),
      previousPath: previous === undefined ? null : untrustedLine(previous, MAX_PATH_CHARACTERS),
      change: CHANGES[letter] ?? 'modified',
      hunks: [],
    })
  }
  return { files, at }
}

function addHunks(files: ChangedFile[], patch: string): void {
  // A change of type comes in two sections: the file goes, and another comes.
  const sections = files.flatMap((file) => (file.change === 'type_changed' ? [file, file] : [file]))
  let section = -1
  for (const line of patch.split('\n')) {
    if (line.startsWith('diff --git ')) section += 1
    const hunk = line.startsWith('@@ ') ? hunkOf(line) : null
    const hunks = sections[section]?.hunks
    if (hunk && hunks && hunks.length < MAX_HUNKS) hunks.push(hunk)
  }
  // More sections than files: something was not as expected, and no hunks are better than wrong ones.
  if (section >= sections.length) for (const file of files) file.hunks = []
}

function hunkOf(line: string): Hunk | null {
  const [, oldFrom, oldLines = '1', newFrom, newLines = '1', section = ''] =
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(?: (.*))?$/.exec(line) ?? []
  if (oldFrom === undefined) return null
  return {
    oldFrom: Number(oldFrom),
    oldLines: Number(oldLines),
    newFrom: Number(newFrom),
    newLines: Number(newLines),
    section: redactedLine(section, MAX_SECTION_CHARACTERS),
  }
}
