/**
 * Which file a map is of. It is uploaded by the path below a build folder and stands in stacks as an address, or as a path
 * on some machine: what both end with decides, and a name that only one file of the release has decides too.
 */
import { MAX_MAPPED_FILE_CHARACTERS } from '@tidemark/wire/limits'

/** Deeper paths are matched by what they end with. */
const MAX_FOLDERS = 20

/** `https://a.example/assets/main.js?v=3`, `~/assets/main.js` and `./assets/main.js` are `assets/main.js`. */
export function mappedFile(name: string): string {
  if (name.length > 4 * MAX_MAPPED_FILE_CHARACTERS) return ''
  const path = name
    .replaceAll('\\', '/')
    .replace(/^[a-z][\w+.-]*:\/\/[^/]*/i, '')
    .replace(/[?#].*$/s, '')
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.' && segment !== '~')
  return segments.includes('..') ? '' : segments.join('/')
}

export type FileFinder<Found> = (frameFile: string) => Found | undefined

export function fileFinder<Found extends { file: string }>(files: readonly Found[]): FileFinder<Found> {
  const byPath = new Map(files.map((one) => [one.file, one]))
  const byName = new Map<string, Found | null>()
  for (const one of files) byName.set(nameOf(one.file), byName.has(nameOf(one.file)) ? null : one)
  return (frameFile) => {
    const path = mappedFile(frameFile)
    if (path === '') return undefined
    let from = 0
    for (let folders = 0; folders <= MAX_FOLDERS; folders++) {
      const found = byPath.get(path.slice(from))
      if (found) return found
      const slash = path.indexOf('/', from)
      if (slash === -1) break
      from = slash + 1
    }
    return byName.get(nameOf(path)) ?? undefined
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
