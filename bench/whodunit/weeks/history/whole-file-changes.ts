/** Commits that touch every line of a file and change nothing: what blames a whole file on the wrong person. */
import { pathIn, type ShopFunction } from '../code/functions.ts'
import type { Files } from './change.ts'

/** Twice as deep, or back. Where depth means something, an empty line before every return instead. */
export function reformat(files: Files, path: string): void {
  const lines = (files.get(path) ?? '').split('\n')
  files.set(path, (/\.(ts|java)$/.test(path) ? indented(lines) : spaced(lines)).join('\n'))
}

function indented(lines: readonly string[]): string[] {
  const isDeep = lines.some((line) => line.startsWith('    ')) && !lines.some((line) => /^ {2}\S/.test(line))
  return lines.map((line) => {
    const depth = line.length - line.trimStart().length
    return ' '.repeat(isDeep ? depth / 2 : depth * 2) + line.trimStart()
  })
}

function spaced(lines: readonly string[]): string[] {
  const isSpaced = lines.some((line, at) => /^\s+return/.test(line) && lines[at - 1] === '')
  if (isSpaced) return lines.filter((line, at) => !(line === '' && /^\s+return/.test(lines[at + 1] ?? '')))
  return lines.flatMap((line) => (/^\s+return/.test(line) ? ['', line] : [line]))
}

/** Once: a file that was moved stays there. The caller's import follows it. */
export function moveFile(files: Files, of: ShopFunction): void {
  const from = pathIn(files, of)
  if (of.movedPath === null || from === of.movedPath) {
    reformat(files, from)
    return
  }
  files.set(of.movedPath, (files.get(from) ?? '').replaceAll("from './", "from '../"))
  files.delete(from)
  const caller = files.get(of.callerPath) ?? ''
  files.set(
    of.callerPath,
    caller
      .replace(`'../${of.module}.ts'`, `'../domain/${of.module}.ts'`)
      .replace(`from catalog.${of.module} import`, `from catalog.rules.${of.module} import`),
  )
}
