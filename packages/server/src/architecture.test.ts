import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const serverSrc = dirname(fileURLToPath(import.meta.url))
const packagesDir = resolve(serverSrc, '../..')
const webSrc = join(packagesDir, 'web/src')
const MAX_LINES = 400
const MAX_FILES_OF_A_ROOM = 25

/** What each package may import of its siblings. Benchmarks, end-to-end tests and scripts may use all of them. */
const PACKAGES: Record<string, string[]> = {
  wire: [],
  server: ['wire'],
  web: ['wire'],
  sdk: [],
  demo: ['wire', 'server'],
  cli: ['wire', 'server', 'demo'],
}

/** What each room of the server may import besides itself and the files for everyone. */
const ROOMS: Record<string, string[]> = {
  model: [],
  folder: [],
  analysis: ['model'],
  bytes: ['model'],
  redaction: ['model'],
  logstore: ['model', 'folder'],
  control: ['model', 'folder', 'analysis'],
  repository: ['model', 'folder', 'redaction'],
  outbound: ['model'],
  alerts: ['model', 'outbound'],
  ingest: ['model', 'folder', 'bytes', 'analysis', 'redaction', 'logstore', 'control'],
  sourcemaps: ['model', 'bytes', 'analysis', 'control'],
  backup: ['model', 'logstore', 'control', 'ingest'],
  verbs: ['model', 'analysis', 'redaction', 'logstore', 'control', 'repository', 'outbound', 'alerts', 'sourcemaps'],
  jobs: ['model', 'analysis', 'logstore', 'control', 'repository', 'alerts', 'verbs'],
  http: ['model', 'bytes', 'ingest', 'verbs'],
  syslog: ['ingest'],
  mcp: ['model', 'verbs'],
  config: ['model', 'backup', 'verbs'],
  operator: [
    'model',
    'folder',
    'redaction',
    'logstore',
    'control',
    'repository',
    'outbound',
    'ingest',
    'backup',
    'verbs',
    'config',
  ],
}

/**
 * What each inner room may import of its siblings, by the room around them, which may be an inner one itself. All of them
 * may use the files that stand in the room around them.
 */
const INNER_ROOMS: Record<string, Record<string, string[]>> = {
  analysis: {
    stack: [],
    pattern: [],
    chance: [],
    silence: ['chance'],
    compare: ['chance'],
    episode: [],
    rank: [],
    group: ['pattern', 'stack'],
    suspect: ['stack'],
    cause: ['chance', 'silence', 'suspect'],
    verdict: ['cause', 'chance', 'silence'],
    change: ['cause', 'chance', 'compare', 'silence', 'verdict'],
  },
  logstore: {
    schema: [],
    query: ['schema'],
    read: ['query', 'schema'],
    archive: ['query', 'schema'],
    engine: ['archive', 'schema'],
  },
  control: {
    database: [],
    projects: ['database'],
    accounts: ['projects', 'database'],
    keys: ['projects', 'database'],
    calls: ['database'],
    oauth: ['accounts', 'keys', 'database'],
    sourcemaps: ['database'],
    alerts: ['database'],
    analyses: ['alerts', 'database'],
  },
  'control/database': { migrations: [] },
  repository: { git: [], mirror: ['git'] },
  backup: { s3: [] },
  ingest: {
    record: [],
    fast: ['record'],
    parse: ['record'],
    senders: ['record', 'parse'],
    encode: ['fast', 'parse', 'record', 'senders'],
    spool: [],
    door: ['parse', 'encode', 'senders', 'spool'],
  },
  'ingest/senders': { loki: [], elasticsearch: [], datadog: [], syslog: [], journald: [] },
  verbs: {
    reading: [],
    causes: ['reading'],
    deploys: ['reading', 'causes'],
    analyses: ['reading', 'causes', 'deploys'],
    overview: ['reading', 'analyses', 'deploys'],
    changes: ['reading', 'causes', 'deploys'],
    links: ['reading', 'causes'],
    projects: [],
    people: ['projects'],
    oauth: ['projects'],
    alerts: ['reading'],
  },
  'verbs/deploys': { announced: [] },
  'verbs/reading': { logs: [], patterns: [], counts: ['logs', 'patterns'] },
  http: {
    request: [],
    documents: [],
    senders: ['request'],
    oauth: ['request'],
    reading: ['request'],
    people: ['request', 'reading'],
  },
  mcp: { text: [], tools: ['text'] },
}

/** Files at the top of the server's source: what every room may use, and what is put together from the rooms. */
const FOR_EVERYONE_BUT_MODEL = [
  'errors.ts',
  'log.ts',
  'built-file.ts',
  'bounded-regex.ts',
  'at-most.ts',
  'client-gone.ts',
  'pause.ts',
  'seal.ts',
  'token-buckets.ts',
  'connection-places.ts',
]
const COMPOSITION = [
  'app.ts',
  'documents.ts',
  'main.ts',
  'register-metrics.ts',
  'start-alerts.ts',
  'start-oauth.ts',
  'stop-on-signals.ts',
]

/** What the folders of the dashboard may import. `frame` is around every page; the pages never import each other. */
const WEB_FOLDERS: Record<string, string[]> = {
  text: [],
  ui: ['text'],
  api: ['text'],
  time: ['text', 'ui'],
  marks: ['text', 'ui', 'api', 'time'],
  connect: ['ui', 'api'],
  record: ['text', 'ui', 'api', 'time', 'marks'],
  frame: ['text', 'ui', 'api', 'time', 'marks'],
}
const WEB_PAGES = ['account', 'analyses', 'deploys', 'logs', 'overview', 'settings', 'start']
/** What the inner rooms of a page may import of their siblings. */
const WEB_INNER_ROOMS: Record<string, Record<string, string[]>> = {
  analyses: {
    people: [],
    list: ['actions', 'people'],
    actions: [],
    cause: [],
    occurrences: [],
    records: [],
    detail: ['actions', 'cause', 'occurrences', 'people', 'records'],
  },
  deploys: { list: [], detail: [] },
  settings: {
    alerts: [],
    audit: [],
    calls: [],
    grouping: [],
    ingest: [],
    keys: [],
    members: [],
    project: [],
    redaction: [],
    repository: [],
    sourcemaps: [],
  },
  logs: {
    query: [],
    views: [],
    histogram: [],
    patterns: ['query'],
    groups: ['query', 'histogram'],
    trace: ['query'],
    stream: ['query'],
  },
}

const sources = filesBelow(packagesDir).filter((path) => /\.tsx?$/.test(path))
const shipped = sources.filter((path) => !/\.test\.tsx?$/.test(path) && !path.includes(`${sep}testing${sep}`))
const serverSources = shipped.filter((path) => path.startsWith(serverSrc + sep))

describe('the rooms of the server', () => {
  it('only import the rooms below them', () => {
    const violations = serverSources.flatMap((path) =>
      importsOf(path)
        .filter((target) => target.startsWith(serverSrc + sep) && !isAllowed(path, target))
        .map((target) => `${relative(serverSrc, path)} imports ${relative(serverSrc, target)}`),
    )
    expect(violations).toEqual([])
  })

  it('use every room that the tables let them: what nobody needs is not allowed', () => {
    const used = new Set(
      serverSources.flatMap((path) =>
        importsOf(path).map((target) => {
          const { around, own, other } = partingOf(path, target)
          return `${around}/${own} uses ${other}`
        }),
      ),
    )
    const allowed = Object.entries({ '': ROOMS, ...INNER_ROOMS }).flatMap(([around, rooms]) =>
      Object.entries(rooms).flatMap(([own, others]) => others.map((other) => `${around}/${own} uses ${other}`)),
    )
    expect(allowed.filter((one) => !used.has(one))).toEqual([])
  })

  it('are all in the table, and so are the inner rooms and the files above them', () => {
    const rooms = foldersBelow(serverSrc).map((folder) => relative(serverSrc, folder).split(sep))
    const tableOf = (around: string[]) => (around.length === 0 ? ROOMS : INNER_ROOMS[around.join('/')])
    expect(rooms.filter((room) => !(room.at(-1)! in (tableOf(room.slice(0, -1)) ?? {})))).toEqual([])
    const named = Object.entries(INNER_ROOMS).flatMap(([room, inner]) =>
      Object.keys(inner).map((name) => join(room, name)),
    )
    const known = new Set(rooms.map((room) => join(...room)))
    expect([...Object.keys(ROOMS), ...named].filter((room) => !known.has(room))).toEqual([])
    const above = serverSources.filter((path) => dirname(path) === serverSrc).map((path) => basename(path))
    expect(above.sort()).toEqual([...COMPOSITION, ...FOR_EVERYONE_BUT_MODEL].sort())
  })

  it('are told on the page about them, each with its inner rooms', () => {
    const told = new Map(roomRows().map(({ room, purpose }) => [room, namesIn(purpose)]))
    expect([...told.keys()].sort()).toEqual(Object.keys(ROOMS).sort())
    const untold = Object.entries(INNER_ROOMS).flatMap(([room, inner]) =>
      Object.keys(inner).filter((name) => !told.get(room.split('/')[0]!)?.includes(name)),
    )
    expect(untold).toEqual([])
  })

  it('may import what the page about them says, and nothing else', () => {
    const told = roomRows().map(({ room, mayImport }) => [room, namesIn(mayImport)])
    expect(Object.fromEntries(told)).toEqual(ROOMS)
  })

  it(`have at most ${MAX_FILES_OF_A_ROOM} files each: past that a room gets inner rooms`, () => {
    const files = new Map<string, number>()
    for (const path of shipped) files.set(dirname(path), (files.get(dirname(path)) ?? 0) + 1)
    const halls = [...files].filter(([, count]) => count > MAX_FILES_OF_A_ROOM)
    expect(halls.map(([folder, count]) => `${relative(packagesDir, folder)}: ${count}`)).toEqual([])
  })
})

describe('the folders of the dashboard', () => {
  it('only import what is below them, and no page another page', () => {
    const violations = shipped
      .filter((path) => path.startsWith(webSrc + sep) && dirname(path) !== webSrc)
      .flatMap((path) => {
        const folder = folderOf(webSrc, path)
        const allowed = WEB_PAGES.includes(folder) ? Object.keys(WEB_FOLDERS) : WEB_FOLDERS[folder]
        return importsOf(path)
          .map((target) => ({ target, to: folderOf(webSrc, target) }))
          .filter(({ to }) => to !== folder && to !== '' && !allowed?.includes(to))
          .map(({ target }) => `${relative(webSrc, path)} imports ${relative(webSrc, target)}`)
      })
    expect(violations).toEqual([])
  })

  it('have inner rooms that only import the ones below them', () => {
    const violations = Object.entries(WEB_INNER_ROOMS).flatMap(([page, rooms]) => {
      const pageSrc = join(webSrc, page)
      expect(foldersIn(pageSrc).sort()).toEqual(Object.keys(rooms).sort())
      return shipped
        .filter((path) => folderOf(pageSrc, path) in rooms)
        .flatMap((path) => importsOf(path).map((target) => ({ path, target, room: folderOf(pageSrc, path) })))
        .filter(({ target, room }) => folderOf(pageSrc, target) in rooms && folderOf(pageSrc, target) !== room)
        .filter(({ target, room }) => !rooms[room]?.includes(folderOf(pageSrc, target)))
        .map(({ path, target }) => `${relative(webSrc, path)} imports ${relative(webSrc, target)}`)
    })
    expect(violations).toEqual([])
  })
})

describe('what the browser loads', () => {
  it('has no schema library in it: that probes for eval, which the page forbids, and weighs much', () => {
    const wireSrc = join(packagesDir, 'wire/src')
    const needsZod = (path: string): boolean =>
      /from 'zod'/.test(readFileSync(path, 'utf8')) ||
      valuesOf(path).some((one) => one.startsWith('.') && needsZod(resolve(dirname(path), one)))
    const heavy = shipped
      .filter((path) => path.startsWith(webSrc + sep))
      .flatMap((path) =>
        valuesOf(path)
          .filter((one) => one.startsWith('@tidemark/wire/'))
          .filter((one) => needsZod(join(wireSrc, `${one.slice('@tidemark/wire/'.length)}.ts`)))
          .map((one) => `${relative(webSrc, path)} imports ${one}`),
      )
    expect(heavy).toEqual([])
  })
})

describe('every package', () => {
  it('has no circle of imports', () => {
    expect(circlesIn(shipped)).toEqual([])
  })

  it('reads process.env in config/config.ts only, in the server', () => {
    const readers = serverSources.filter((path) => /process\.env\b/.test(withoutComments(path)))
    expect(
      readers.map((path) => relative(serverSrc, path)).filter((path) => path !== join('config', 'config.ts')),
    ).toEqual([])
  })

  it(`has no source file of more than ${MAX_LINES} lines`, () => {
    const long = sources.filter(
      (path) => !path.endsWith('.test.ts') && readFileSync(path, 'utf8').split('\n').length - 1 > MAX_LINES,
    )
    expect(long.map((path) => relative(packagesDir, path))).toEqual([])
  })

  it('has exports, so that nothing inside is reached by accident', () => {
    for (const name of readdirSync(packagesDir)) {
      const manifest = JSON.parse(readFileSync(join(packagesDir, name, 'package.json'), 'utf8'))
      expect(manifest.exports, name).toBeTypeOf('object')
    }
  })

  it('depends only on the siblings that the table gives it', () => {
    const violations = sources.flatMap((path) => {
      const own = packageOf(path)
      const named = siblingImports(path).map((specifier) => specifier.split('/')[1] ?? '')
      return [...named, ...importsOf(path).map(packageOf)]
        .filter((target) => target !== own && !PACKAGES[own]?.includes(target))
        .map((target) => `${relative(packagesDir, path)} imports ${target}`)
    })
    expect(violations).toEqual([])
    expect(Object.keys(PACKAGES).sort()).toEqual(readdirSync(packagesDir).sort())
  })

  it('imports of a sibling only what has a source file, whatever an old build still holds', () => {
    const sourceOf = (specifier: string): string | null => {
      const [name = '', ...rest] = specifier.slice('@tidemark/'.length).split('/')
      const exported = exportsOf(name)
      const asked = rest.length === 0 ? '.' : `./${rest.join('/')}`
      const source = (exported[asked] ?? exported['./*'])?.['tidemark-source']
      return source === undefined ? null : join(packagesDir, name, source.replace('*', asked.slice(2)))
    }
    const known = new Set(sources)
    const missing = sources.flatMap((path) =>
      siblingImports(path)
        .filter((specifier) => !known.has(sourceOf(specifier) ?? ''))
        .map((specifier) => `${relative(packagesDir, path)} imports ${specifier}`),
    )
    expect(missing).toEqual([])
  })

  it('reaches a sibling by its name, not by the path of its files', () => {
    const violations = shipped.flatMap((path) =>
      importsOf(path)
        .filter((target) => packageOf(target) !== packageOf(path))
        .map((target) => `${relative(packagesDir, path)} imports ${relative(packagesDir, target)}`),
    )
    expect(violations).toEqual([])
  })
})

/** The table of rooms in ARCHITECTURE.md. */
function roomRows(): { room: string; purpose: string; mayImport: string }[] {
  const page = readFileSync(resolve(packagesDir, '../ARCHITECTURE.md'), 'utf8')
  const rows = page.matchAll(/^\| `(\w+)` \| (.*) \| (.*) \|$/gm)
  return [...rows].map(([, room = '', purpose = '', mayImport = '']) => ({ room, purpose, mayImport }))
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name)
}

/** Decided where the ways to the two files part. */
function isAllowed(path: string, target: string): boolean {
  const [from, to] = [roomsOf(path), roomsOf(target)]
  if (from.length === 0) return true
  if (to.length === 0) return from[0] !== 'model' && FOR_EVERYONE_BUT_MODEL.includes(basename(target))
  const { around, own, other } = partingOf(path, target)
  if (own === undefined || other === undefined) return true
  const table = around === '' ? ROOMS : INNER_ROOMS[around]
  return table?.[own]?.includes(other) ?? false
}

/** The room that both files are in, and the inner room of it that each of them is in, if any. */
function partingOf(
  path: string,
  target: string,
): { around: string; own: string | undefined; other: string | undefined } {
  const [from, to] = [roomsOf(path), roomsOf(target)]
  const at = from.findIndex((name, depth) => name !== to[depth])
  return { around: from.slice(0, Math.max(0, at)).join('/'), own: from[at], other: to[at] }
}

/** The room a file stands in, and the inner rooms of it, outermost first. */
function roomsOf(path: string): string[] {
  return relative(serverSrc, path).split(sep).slice(0, -1)
}

function packageOf(path: string): string {
  return relative(packagesDir, path).split(sep)[0] ?? ''
}

function folderOf(root: string, path: string): string {
  const parts = relative(root, path).split(sep)
  return parts.length > 1 ? (parts[0] ?? '') : ''
}

/** Each circle once, as the files along it. */
function circlesIn(paths: string[]): string[][] {
  const known = new Set(paths)
  const circles: string[][] = []
  const done = new Set<string>()
  const walk = (path: string, way: string[]): void => {
    const at = way.indexOf(path)
    if (at >= 0) circles.push(way.slice(at).map((file) => relative(packagesDir, file)))
    if (at >= 0 || done.has(path)) return
    for (const target of importsOf(path)) if (known.has(target)) walk(target, [...way, path])
    done.add(path)
  }
  for (const path of paths) walk(path, [])
  return circles
}

function importsOf(path: string): string[] {
  const known = imports.get(path)
  if (known) return known
  const text = readFileSync(path, 'utf8')
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/g)].map((match) =>
    resolve(dirname(path), match[1] ?? ''),
  )
  imports.set(path, found)
  return found
}
const imports = new Map<string, string[]>()

/** What a file imports of the packages by their names, as it is written. */
function siblingImports(path: string): string[] {
  const found = readFileSync(path, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(@tidemark\/[^'$]+)'/g)
  return [...found].map((match) => match[1] ?? '')
}

function exportsOf(name: string): Record<string, { 'tidemark-source'?: string }> {
  return JSON.parse(readFileSync(join(packagesDir, name, 'package.json'), 'utf8')).exports
}

/** What a file imports more than types of. */
function valuesOf(path: string): string[] {
  const imports = readFileSync(path, 'utf8').matchAll(/^import (?!type )(?:[^']*? from )?'([^']+)'/gm)
  return [...imports].map((match) => match[1] ?? '')
}

function withoutComments(path: string): string {
  return readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
}

function foldersIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'testing')
    .map((entry) => entry.name)
}

function foldersBelow(folder: string): string[] {
  return foldersIn(folder).flatMap((name) => [join(folder, name), ...foldersBelow(join(folder, name))])
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist') return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}
