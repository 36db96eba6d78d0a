/**
 * What runs the engine child: this Node, where the engine's library exists for this platform. For Linux on ARM there
 * may be none; then an x64 Node under an emulator, set up beforehand by scripts/emulate-engine.mjs.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtFile } from '../../built-file.ts'
import { AppError } from '../../errors.ts'

export type EngineRuntime = {
  command: string
  args: string[]
  env: Record<string, string>
  requireFrom: string
  /** Deadlines grow by this factor: 1 for a native engine. */
  slowdown: number
}

const LIBRARIES: Record<string, string> = {
  'darwin-arm64': '@chdb/lib-darwin-arm64',
  'darwin-x64': '@chdb/lib-darwin-x64',
  'linux-arm64': '@chdb/lib-linux-arm64-gnu',
  'linux-x64': '@chdb/lib-linux-x64-gnu',
}
const SET_UP = join('.cache', 'engine-x64', 'engine-runtime.json')
const WAY_OUT = 'Set TIDEMARK_CLICKHOUSE_URL to keep logs in a ClickHouse server instead.'

/** Or a sentence that says why there is none and what to do. */
export function findEngineRuntime(here: string = import.meta.url): EngineRuntime | string {
  const platform = `${process.platform}-${process.arch}`
  if (hasLibrary(here, LIBRARIES[platform])) {
    return { command: process.execPath, args: [], env: {}, requireFrom: fileURLToPath(here), slowdown: 1 }
  }
  const folder = folderWith(SET_UP, dirname(fileURLToPath(here)))
  if (folder === undefined) return `The embedded log engine has no library for ${platform}. ${WAY_OUT}`
  const file = join(folder, SET_UP)
  const { command, args, env, requireFrom, slowdown } = JSON.parse(readFileSync(file, 'utf8')) as EngineRuntime
  if (!existsSync(command) || !existsSync(requireFrom) || !(slowdown >= 1)) {
    return `${file} names an emulator that is gone, or is of an earlier version; remove the file and run "npm start" again. ${WAY_OUT}`
  }
  return { command, args, env, requireFrom, slowdown }
}

export function engineChildPath(here: string = import.meta.url): string {
  const path = fileURLToPath(builtFile('./child.js', here))
  if (!existsSync(path)) throw new AppError('internal', `${path} is missing. Run "npm run build".`)
  return path
}

function hasLibrary(here: string, library: string | undefined): boolean {
  if (library === undefined) return false
  try {
    const chdb = createRequire(here).resolve('chdb/package.json')
    createRequire(chdb).resolve(library)
    return true
  } catch {
    return false
  }
}

function folderWith(path: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, path))) return folder
    if (folder === resolve(folder, '..')) return undefined
  }
}
