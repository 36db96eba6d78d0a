/**
 * Which file a map is of. It is uploaded by the path below a build folder and stands in stacks as an address, or as a path
 * on some machine: what both end with decides, and a name that only one file of the release has decides too.
 */
import { MAX_MAPPED_FILE_CHARACTERS } from '@tidemark/wire/limits'
import { isStorable } from '../model/storable-text.ts'

/** Deeper paths are matched by what they end with. */
export const MAX_FOLDERS = 20

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

/** The files that a frame can mean, by path, the likeliest first. */
export function pathsOf(frameFile: string): string[] {
  const path = mappedFile(frameFile)
  // No stored file is called so, and the store would refuse to look for it.
  if (path === '' || !isStorable(path)) return []
  const segments = path.split('/').slice(-MAX_FOLDERS - 1)
  const paths = segments.map((_, at) => segments.slice(at).join('/'))
  return paths.filter((one) => one.length <= MAX_MAPPED_FILE_CHARACTERS)
}

export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
