/**
 * Which file of the repository a frame is of. Frames name files as they were where the program ran: inside a container, a
 * build folder, an installed package, or only as a package and a class. What both names end with decides; where two files
 * fit equally well, none is better than a wrong one.
 */

import { cleanPath } from '../stack/stack-file.ts'
import type { Language, StackFrame } from '../stack/types.ts'

type FramePath = {
  path: string
  /** Lines of the frame are lines of this file: it is not compiled to another one. */
  hasOwnLines: boolean
}

export type FindPath = (frame: StackFrame, language: Language) => FramePath | null

/** Folders that builds add or take away. */
const BUILD_FOLDERS = new Set(
  'src dist build out lib target classes bin obj release debug main java kotlin scala esm cjs .next server chunks app'.split(
    ' ',
  ),
)
/** Too many repositories have several of them to go by the name alone. */
const COMMON_NAMES = new Set(
  'index main app server utils util helpers helper common types config routes route handler handlers page layout mod lib __init__ __main__ setup models views base client constants errors'.split(
    ' ',
  ),
)
const COMPILED_TO_JAVASCRIPT = new Set(['ts', 'tsx', 'mts', 'cts', 'jsx', 'vue', 'svelte', 'coffee'])
const JAVASCRIPT = new Set(['js', 'mjs', 'cjs'])
const TESTS = /(?:^|[/._-])(?:tests?|specs?|__tests__|testing|fixtures|mocks?|examples?)(?:[/._-]|$)/i

type Known = { path: string; names: string[]; extension: string }

/** `service` breaks ties: a repository of many services has many files of one name. */
export function findPathsIn(paths: readonly string[], service: string): FindPath {
  const byName = new Map<string, Known[]>()
  for (const path of paths) {
    const known = { path, ...partsOf(path) }
    const name = known.names.at(-1) ?? ''
    byName.set(name, [...(byName.get(name) ?? []), known])
  }
  return (frame, language) => {
    for (const wanted of namesOf(frame, language)) {
      const { names, extension } = partsOf(wanted)
      const fitting = (byName.get(names.at(-1) ?? '') ?? []).filter((one) => fits(one.extension, extension))
      const found = best(fitting, names, service)
      if (found !== null) return { path: found.path, hasOwnLines: found.extension === extension }
    }
    return null
  }
}

/** The names a frame's file may have in the repository, the most telling first. */
function namesOf(frame: StackFrame, language: Language): string[] {
  const file = cleanPath(frame.file)
    .replaceAll('\\', '/')
    .replace(/^[A-Za-z]:/, '')
  if (language === 'java') return javaNames(frame.function, file)
  if (file === '') return language === 'dotnet' ? dotnetNames(frame.function) : []
  const installed = /.*\/(?:site-packages|dist-packages)\/(.+)$/.exec(file)?.[1]
  if (installed !== undefined) return [installed]
  const inPackage = /.*\/node_modules\/(?:@[^/]+\/)?(.+)$/.exec(file)?.[1]
  if (inPackage !== undefined) return [inPackage]
  return [file.replace(/@v\d[^/]*/, '')]
}

/** `com.acme.shop.CartService.total` in `CartService.java`. */
function javaNames(called: string, file: string): string[] {
  if (file === '') return []
  const names = called.split('.')
  const type = names.findIndex((name) => /^[A-Z]/.test(name))
  return [[...names.slice(0, type === -1 ? -2 : type), file].join('/')]
}

/** `Shop.Checkout.Cart.Total` without a file: a class has a file of its name, as a rule. */
function dotnetNames(called: string): string[] {
  const names = called.split('.').map((name) => name.replace(/[+`<[].*$/, ''))
  return names.length < 2 ? [] : [`${names.slice(0, -1).join('/')}.cs`]
}

function partsOf(path: string): { names: string[]; extension: string } {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  const base = segments.pop() ?? ''
  const dot = base.lastIndexOf('.')
  const stem = dot > 0 ? base.slice(0, dot) : base
  const folders = segments.filter((segment) => !BUILD_FOLDERS.has(segment.toLowerCase()))
  return {
    names: [...folders, stem].map((name) => name.toLowerCase()),
    extension: dot > 0 ? base.slice(dot + 1).toLowerCase() : '',
  }
}

function fits(known: string, asked: string): boolean {
  return known === asked || (JAVASCRIPT.has(asked) && (COMPILED_TO_JAVASCRIPT.has(known) || JAVASCRIPT.has(known)))
}

function best(candidates: readonly Known[], names: readonly string[], service: string): Known | null {
  const scored = candidates.map((known) => ({ known, common: commonEnd(known.names, names) }))
  const most = Math.max(0, ...scored.map(({ common }) => common))
  const longest = scored.filter(({ common }) => common === most).map(({ known }) => known)
  const own = longest.filter(({ names }) => names.slice(0, -1).some((folder) => isOfService(folder, service)))
  const [found, ...others] = programs(own.length > 0 ? own : longest)
  if (found === undefined || others.length > 0) return null
  const isRare = candidates.length === 1 && !COMMON_NAMES.has(found.names.at(-1) ?? '')
  return most >= 2 || isRare || own.length > 0 || most === found.names.length ? found : null
}

/** Without tests, unless there is nothing else. */
function programs(known: readonly Known[]): readonly Known[] {
  const found = known.filter(({ path }) => !isTestPath(path))
  return found.length > 0 ? found : known
}

/** A file in a folder of the service. */
export function isPathOfService(path: string, service: string): boolean {
  const folders = path.split('/').slice(0, -1)
  return folders.some((folder) => isOfService(folder, service))
}

/** A folder and a service of one name, but for words like `-service` at either. */
function isOfService(folder: string, service: string): boolean {
  const bare = (name: string) => name.toLowerCase().replace(/[-_.]?(?:service|svc|api|app|server|worker)$/, '')
  if (service === '') return false
  return folder.toLowerCase() === service.toLowerCase() || (bare(folder) !== '' && bare(folder) === bare(service))
}

export function isTestPath(path: string): boolean {
  return TESTS.test(path)
}

function commonEnd(one: readonly string[], other: readonly string[]): number {
  let length = 0
  while (length < one.length && length < other.length && one.at(-1 - length) === other.at(-1 - length)) length += 1
  return length
}
