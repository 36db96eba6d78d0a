/** The source maps below a build folder, each with the file that it is of, as stacks will name it. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_SOURCE_MAPS_OF_A_RELEASE } from '@tidemark/wire/limits'
import { withCommas } from '@tidemark/wire/text/counted'

export type FoundMap = { path: string; file: string }

/** Of scripts: those of style sheets are in no stack. */
const MAP_NAME = /\.[cm]?js\.map$/i
const MAX_DEPTH = 30

/**
 * By name. The folder may be a link, as `dist` often is; links below it are not followed, so that nothing outside of it is
 * sent. Problems are added to the list.
 */
export function findMaps(folder: string, problems: string[]): FoundMap[] {
  const found: FoundMap[] = []
  let isTooDeep = false
  const look = (path: string, name: string, depth: number) => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const below = { path: join(path, entry.name), name: name === '' ? entry.name : `${name}/${entry.name}` }
      if (entry.isDirectory() && entry.name !== 'node_modules') {
        if (depth < MAX_DEPTH) look(below.path, below.name, depth + 1)
        else isTooDeep = true
      } else if (entry.isFile() && MAP_NAME.test(entry.name)) {
        found.push({ path: below.path, file: below.name.slice(0, -'.map'.length) })
      }
    }
  }
  try {
    if (!statSync(folder).isDirectory()) throw new Error('not a folder')
    look(folder, '', 0)
  } catch {
    problems.push(`${folder} cannot be read: give the folder that the bundler wrote.`)
    return []
  }
  if (isTooDeep) {
    problems.push(`${folder} has folders more than ${MAX_DEPTH} deep: give the one that the bundler wrote.`)
  } else if (found.length === 0) {
    problems.push(`${folder} has no source maps (.js.map): let the bundler write them, in Vite with build.sourcemap.`)
  }
  if (found.length > MAX_SOURCE_MAPS_OF_A_RELEASE) {
    problems.push(
      `${folder} has ${withCommas(found.length)} source maps; a release may have ${withCommas(MAX_SOURCE_MAPS_OF_A_RELEASE)}. Give the folder of what browsers load.`,
    )
  }
  return found.sort((a, b) => (a.file < b.file ? -1 : 1))
}
