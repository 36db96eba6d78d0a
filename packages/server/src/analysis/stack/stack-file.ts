/** Paths in frames: which part of one a build, a runtime or a host made up. */

/** Without the scheme a bundler or a runtime puts before a path, and without a query. */
export function cleanPath(file: string): string {
  let path = file
  if (path.startsWith('/')) return withoutQuery(path)
  if (path.startsWith('file://')) path = path.slice(7)
  else if (path.startsWith('webpack'))
    path = path.replace(/^webpack(?:-internal)?:\/\/\/?(?:[\w@-]{0,60}\/)?/, '').replace(/^\([\w-]{1,40}\)\//, '')
  else if (path.startsWith('app:///') || path.startsWith('rsc://')) path = path.slice(path.indexOf('://') + 3)
  if (path.startsWith('./')) path = path.slice(2)
  return withoutQuery(path)
}

function withoutQuery(path: string): string {
  const query = path.indexOf('?')
  return query > 0 ? path.slice(0, query) : path
}

/** The name of a file that stays the same on every host and in every build: `main.3f9a1c2b.js` is `main.js`. */
export function stableBaseName(file: string): string {
  const base = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)
  const dot = base.lastIndexOf('.')
  if (dot < 7) return base
  const stem = base.slice(0, dot)
  const parts = stem.split('.')
  const kept = parts.filter((part, at) => at === 0 || !isBuildHash(part))
  const first = kept[0]!
  const dash = first.lastIndexOf('-')
  if (dash > 0 && isBuildHash(first.slice(dash + 1))) kept[0] = first.slice(0, dash)
  return `${kept.join('.')}${base.slice(dot)}`
}

function isBuildHash(part: string): boolean {
  if (/^[0-9a-f]{6,64}$/.test(part)) return /[0-9]/.test(part)
  return (
    /^[\w]{8,12}$/.test(part) &&
    ((/[0-9]/.test(part) && /[A-Za-z]/.test(part)) || /[a-z][A-Z].*[a-z][A-Z]|[A-Z]{2}.*[a-z][A-Z]/.test(part))
  )
}
