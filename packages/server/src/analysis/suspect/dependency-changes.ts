/** Versions of dependencies that a patch of a manifest or a lock file changes. Reads lines, not formats: patches are cut. */

export type DependencyChange = { name: string; from: string | null; to: string | null; file: string }

const MANIFEST =
  /(?:^|\/)(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|requirements[\w.-]*\.txt|constraints[\w.-]*\.txt|poetry\.lock|uv\.lock|pyproject\.toml|Pipfile(?:\.lock)?|go\.mod|Cargo\.(?:toml|lock)|Gemfile(?:\.lock)?|composer\.(?:json|lock)|pom\.xml|build\.gradle(?:\.kts)?|libs\.versions\.toml|[\w.-]+\.(?:cs|fs|vb)proj|Directory\.Packages\.props|packages\.(?:config|lock\.json)|mix\.(?:exs|lock))$/

const MAX_CHANGES = 200
const VERSION = String.raw`[\^~=<>!v]{0,3}\s?(\d[\w.+-]{0,60})`

/** One line names the dependency and its version. */
const WHOLE: readonly RegExp[] = [
  new RegExp(String.raw`^"(?<name>(?!version"|lockfileVersion"|resolved")[@\w][\w./@-]*)":\s*"${VERSION}"`),
  /^(?<name>[A-Za-z][\w.-]*)(?:\[[\w,]*\])?\s*(?:==|>=|~=|<=)\s*(\d[\w.+-]*)/,
  /^(?:require\s+)?(?<name>[\w-]+(?:\.[\w-]+)+\/[\w./-]+)\s+v(\d[\w.+-]*)/,
  new RegExp(
    String.raw`^(?!version\b|name\b|edition\b|rust-version\b|python\b)(?<name>[A-Za-z][\w-]*)\s*=\s*(?:\{.*?version\s*=\s*)?"${VERSION}"`,
  ),
  new RegExp(String.raw`^gem\s+["'](?<name>[\w-]+)["'],\s*["']${VERSION}["']`),
  /^(?<name>[a-z][\w-]*)\s+\((\d[\w.]*)\)$/,
  /^(?:\w+\s*\(?\s*)["'](?<name>[\w.-]+:[\w.-]+):(\d[\w.-]*)["']/,
  new RegExp(String.raw`<Package(?:Reference|Version)\s+Include="(?<name>[\w.-]+)"\s+Version="${VERSION}"`),
]
/** A line that names the dependency whose version follows. */
const NAMES: readonly RegExp[] = [
  /^"node_modules\/(?:.*\/node_modules\/)?(?<name>(?:@[\w.-]+\/)?[\w.-]+)":\s*\{/,
  /^"name":\s*"(?<name>[\w./@-]+)"/,
  /^name\s*=\s*"(?<name>[\w.-]+)"/,
  /^'?\/?(?<name>(?:@[\w.-]+\/)?[\w.-]+)@(?<version>\d[\w.+-]*)[^:]*'?:$/,
  /^"?(?<name>(?:@[\w.-]+\/)?[\w.-]+)@[^:"]+"?(?:,.*)?:$/,
  /^<artifactId>(?<name>[\w.-]+)<\/artifactId>/,
]
const VERSIONS: readonly RegExp[] = [/^"?version"?\s*[:=]?\s*"(\d[\w.+-]*)"/, /^<version>(\d[\w.+-]*)<\/version>/]

export function isManifest(path: string): boolean {
  return MANIFEST.test(path)
}

/** `patch` is of one file, with a few lines of context, so that it is clear whose version it is. */
export function dependencyChanges(file: string, patch: string): DependencyChange[] {
  const changes = new Map<string, DependencyChange>()
  let named = ''
  for (const line of patch.split('\n')) {
    if (line.startsWith('@@')) named = ''
    const sign = line[0]
    if (sign !== ' ' && sign !== '-' && sign !== '+') continue
    const text = line.slice(1).trim().replace(/,$/, '')
    const found = readLine(text, named)
    if (found.named !== undefined) named = found.named
    if (sign === ' ' || found.version === undefined || found.name === '') continue
    const change = changes.get(found.name) ?? { name: found.name, from: null, to: null, file }
    if (sign === '-') change.from ??= found.version
    else change.to ??= found.version
    changes.set(found.name, change)
  }
  return [...changes.values()].filter(({ from, to }) => from !== to).slice(0, MAX_CHANGES)
}

function readLine(text: string, named: string): { name: string; version?: string; named?: string } {
  for (const pattern of VERSIONS) {
    const version = pattern.exec(text)?.[1]
    if (version !== undefined) return { name: named, version }
  }
  for (const pattern of NAMES) {
    const { name, version } = pattern.exec(text)?.groups ?? {}
    if (name !== undefined) return version === undefined ? { name: '', named: name } : { name, named: name, version }
  }
  for (const pattern of WHOLE) {
    const match = pattern.exec(text)
    if (match?.groups?.name !== undefined && match[2] !== undefined)
      return { name: match.groups.name, version: match[2] }
  }
  return { name: '' }
}
