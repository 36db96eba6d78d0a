/** A change to the shop's code that can be made to any state of it: on a branch, and again when the branch is merged. */
import type { AuthorKey } from '../../../../packages/demo/src/shop/repository/commit-plan.ts'
import { type LineName, markerOf } from '../code/function-lines.ts'
import { pathIn, type ShopFunction } from '../code/functions.ts'

export type Files = Map<string, string>

export type Change = { author: AuthorKey; message: string; apply(files: Files): void }

/** The file that a line of a function, or of its caller, stands in. */
function pathOfLine(files: ReadonlyMap<string, string>, of: ShopFunction, line: LineName): string {
  return line === 'call' ? of.callerPath : pathIn(files, of)
}

/** Replaces one line by others, at the depth at which it stands. Throws when the line is not there once. */
export function editLine(
  files: Files,
  of: ShopFunction,
  line: LineName,
  edit: (text: string) => readonly string[],
): void {
  const path = pathOfLine(files, of, line)
  const marker = markerOf(of, line)
  const lines = (files.get(path) ?? '').split('\n')
  const found = lines.flatMap((text, at) => (text.includes(marker) ? [at] : []))
  const at = found[0]
  if (at === undefined || found.length > 1) throw new Error(`${path} does not hold this once: ${marker}`)
  const text = lines[at] ?? ''
  const depth = text.slice(0, text.length - text.trimStart().length)
  lines.splice(at, 1, ...edit(text.trim()).map((one) => depth + one))
  files.set(path, lines.join('\n'))
}

export function lineText(files: ReadonlyMap<string, string>, of: ShopFunction, line: LineName): string {
  const marker = markerOf(of, line)
  const lines = files.get(pathOfLine(files, of, line))?.split('\n') ?? []
  return lines.find((text) => text.includes(marker))?.trim() ?? ''
}

/** What stands left of the value: `const appliedLimit =`. */
export function assigned(text: string, value: string): string {
  return text.replace(/(:?=) .*$/, (_, sign) => `${sign} ${value}`)
}

export function replaceText(files: Files, path: string, find: string, replacement: string): void {
  const content = files.get(path) ?? ''
  if (content.split(find).length !== 2) throw new Error(`${path} does not hold this once: ${find}`)
  files.set(
    path,
    content.replace(find, () => replacement),
  )
}
