/**
 * Which lines of an excerpt a commit changed. The commit may be older than the revision that is shown, so its lines are
 * followed forward through what changed after it; a line that was rewritten since is not its line any more.
 */
import type { SourceLine } from '@tidemark/wire/analyses/source'
import type { Hunk } from '../../model/repository.ts'

/** What one commit did to the file, and what happened to the file from there to the revision that is shown. */
export type ChangeOfFile = { sha: string; patch: string; since: readonly Hunk[] }

type Removed = { sha: string; texts: string[] }

/** Of what was removed; more would hide what is there. */
const MAX_REMOVED_LINES = 8

/** `from` is the number of the first line. Where several commits changed a line, the first of `changes` has it. */
export function markChanges(texts: readonly string[], from: number, changes: readonly ChangeOfFile[]): SourceLine[] {
  const added = new Map<number, string>()
  const removed = new Map<number, Removed>()
  for (const { sha, patch, since } of changes) {
    const read = readPatch(patch)
    const addedAfter = lineFollower(since)
    for (const number of read.added) {
      const shown = addedAfter(number)
      if (shown !== null && !added.has(shown)) added.set(shown, sha)
    }
    const removedFrom = lineFollower(since)
    for (const [before, gone] of read.removed) {
      const shown = before === 0 ? 0 : removedFrom(before)
      if (shown !== null && !removed.has(shown)) removed.set(shown, { sha, texts: gone })
    }
  }
  let left = MAX_REMOVED_LINES
  const removedAfter = (number: number): SourceLine[] => {
    const gone = removed.get(number)
    if (gone === undefined) return []
    const shown = gone.texts.slice(0, left)
    left -= shown.length
    return shown.map((text) => ({ number: null, text, change: 'removed', sha: gone.sha }))
  }
  const first = from === 1 ? removedAfter(0) : []
  const rest = texts.flatMap((text, at): SourceLine[] => {
    const number = from + at
    const sha = added.get(number) ?? null
    // What came instead stands below what it replaced, as in every patch, so the removed lines follow the line before.
    return [{ number, text, change: sha === null ? 'none' : 'added', sha }, ...removedAfter(number)]
  })
  return [...first, ...rest]
}

/**
 * Where lines of the older file are in the newer one; null for one that is not there any more. Lines are asked for in
 * rising order, as hunks come in it: a patch of many lines and a file of many changes are walked through once.
 */
export function lineFollower(hunks: readonly Hunk[]): (line: number) => number | null {
  let moved = 0
  let at = 0
  return (line) => {
    for (; at < hunks.length; at++) {
      const { oldFrom, oldLines, newLines } = hunks[at]!
      const last = oldLines === 0 ? oldFrom : oldFrom + oldLines - 1
      if (line <= last) return oldLines > 0 && line >= oldFrom ? null : line + moved
      moved += newLines - oldLines
    }
    return line + moved
  }
}

type PatchLines = { added: number[]; removed: Map<number, string[]> }

/** Lines inside a hunk are counted, so that none of a file's own lines can pose as the head of another one. */
function readPatch(patch: string): PatchLines {
  const added: number[] = []
  const removed = new Map<number, string[]>()
  let [oldLeft, newLeft, next] = [0, 0, 1]
  for (const line of patch.split('\n')) {
    if (oldLeft <= 0 && newLeft <= 0) {
      const [, oldLines, newFrom, newLines] = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
      if (newFrom === undefined) continue
      ;[oldLeft, newLeft] = [Number(oldLines ?? 1), Number(newLines ?? 1)]
      next = newLeft === 0 ? Number(newFrom) + 1 : Number(newFrom)
      continue
    }
    if (line.startsWith('\\')) continue
    if (line.startsWith('+')) {
      added.push(next)
      next += 1
      newLeft -= 1
    } else if (line.startsWith('-')) {
      const before = next - 1
      removed.set(before, [...(removed.get(before) ?? []), line.slice(1)].slice(0, MAX_REMOVED_LINES))
      oldLeft -= 1
    } else {
      next += 1
      oldLeft -= 1
      newLeft -= 1
    }
  }
  return { added, removed }
}
