/** What a stack says about files of the repository, and about packages of others, the most telling first. */
import type { Stack, StackFrame } from '../stack/types.ts'
import { type FindPath, isTestPath } from './frame-path.ts'
import type { Place } from './suspects.ts'

const MAX_PLACES = 30
const MAX_PACKAGES = 60

/** The root cause comes first: what wraps it only passes it on. */
export function placesOf(stack: Stack, findPath: FindPath): Place[] {
  const places = new Map<string, Place>()
  for (const { frames } of stack.exceptions.toReversed()) {
    for (const frame of frames.filter(({ inApp }) => inApp)) {
      const found = findPath(frame, stack.language)
      if (found === null || isTestPath(found.path)) continue
      const line = found.hasOwnLines ? frame.line : null
      const key = `${found.path}:${line}:${frame.function}`
      if (!places.has(key)) places.set(key, { path: found.path, line, function: frame.function })
    }
  }
  return [...places.values()].slice(0, MAX_PLACES)
}

/** Names as a manifest may write them; several for one frame where the frame does not tell. */
export function packagesOf(stack: Stack): { packages: string[]; throwing: string[] } {
  const [root] = stack.exceptions.slice(-1)
  const thrownBy = root?.frames[0]
  const throwing = [
    ...(thrownBy === undefined || thrownBy.inApp ? [] : packageNames(thrownBy, stack.language)),
    ...(stack.language === 'java' ? outerNames((root?.type ?? '').split('.')) : []),
  ]
  const called = stack.exceptions
    .toReversed()
    .flatMap(({ frames }) => frames)
    .filter(({ inApp }) => !inApp)
    .flatMap((frame) => packageNames(frame, stack.language))
  return { packages: [...new Set([...throwing, ...called])].slice(0, MAX_PACKAGES), throwing }
}

const IN_PATH: readonly RegExp[] = [
  /.*[\\/]node_modules[\\/](?:\.pnpm[\\/][^\\/]+[\\/]node_modules[\\/])?((?:@[^\\/]+[\\/])?[^\\/]+)/,
  /.*[\\/](?:site-packages|dist-packages)[\\/]([^\\/]+?)(?:\.py)?(?:[\\/]|$)/,
  /.*[\\/]gems[\\/](?!gems[\\/])([\w.-]+?)-\d[\w.]*[\\/]/,
  /.*[\\/]vendor[\\/]([\w.-]+[\\/][\w.-]+)[\\/]/,
  /(?:.*[\\/]mod[\\/])?([\w-]+\.[a-z]+(?:[\\/][\w.-]+){1,2})@v\d/,
  /.*[\\/]registry[\\/]src[\\/][^\\/]+[\\/]([\w-]+?)-\d[\w.]*[\\/]/,
]

function packageNames(frame: StackFrame, language: Stack['language']): string[] {
  for (const pattern of IN_PATH) {
    const name = pattern.exec(frame.file)?.[1]
    if (name !== undefined) return [name.replaceAll('\\', '/')]
  }
  if (language !== 'java' && language !== 'dotnet') return []
  return outerNames(frame.function.split('.'))
}

/** `com.acme`, `com.acme.shop`, … up to the class. */
function outerNames(names: readonly string[]): string[] {
  const type = names.findIndex((name) => /^[A-Z]/.test(name))
  const outer = names.slice(0, Math.min(type === -1 ? names.length - 2 : type, 5))
  return outer.map((_, at) => outer.slice(0, at + 1).join('.')).slice(1)
}
