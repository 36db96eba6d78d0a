import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const serverSrc = dirname(fileURLToPath(import.meta.url))
const packagesDir = resolve(serverSrc, '../..')
const MAX_LINES = 400

/** What each room may import besides itself, `errors` and `log`. `root` is the composition root. */
const ROOMS: Record<string, string[]> = {
  model: [],
  analysis: ['model'],
  logstore: ['model'],
  control: ['model', 'analysis'],
  repository: ['model'],
  outbound: ['model'],
  ingest: ['model', 'analysis', 'logstore', 'control'],
  verbs: ['model', 'analysis', 'logstore', 'control', 'repository', 'outbound'],
  jobs: ['model', 'analysis', 'logstore', 'control', 'repository', 'outbound'],
  http: ['model', 'ingest', 'verbs'],
  mcp: ['model', 'verbs'],
}
const FOR_EVERYONE_BUT_MODEL = ['errors.ts', 'log.ts']

const sources = filesBelow(packagesDir).filter((path) => /\.tsx?$/.test(path) && !path.includes(`${sep}dist${sep}`))
const serverSources = sources.filter(
  (path) => path.startsWith(serverSrc) && !path.endsWith('.test.ts') && !path.includes(`${sep}testing${sep}`),
)

describe('the rooms of the server', () => {
  it('only import the rooms below them', () => {
    const violations = serverSources.flatMap((path) => {
      const room = roomOf(path)
      if (room === undefined) return []
      return importsOf(path)
        .filter((target) => target.startsWith(serverSrc))
        .filter((target) => !isAllowed(room, target))
        .map((target) => `${relative(serverSrc, path)} imports ${relative(serverSrc, target)}`)
    })
    expect(violations).toEqual([])
  })

  it('are all in the table', () => {
    const folders = readdirSync(serverSrc, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && entry.name !== 'testing',
    )
    expect(folders.map((entry) => entry.name).filter((name) => !(name in ROOMS))).toEqual([])
  })
})

describe('every package', () => {
  it('reads process.env in config.ts only, in the server', () => {
    const readers = serverSources.filter((path) => /process\.env\b/.test(withoutComments(path)))
    expect(readers.map((path) => relative(serverSrc, path)).filter((path) => path !== 'config.ts')).toEqual([])
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

  it('depends on no sibling but wire; only the CLI may start the server', () => {
    const violations = sources.flatMap((path) => {
      const own = relative(packagesDir, path).split(sep)[0]
      return [...readFileSync(path, 'utf8').matchAll(/from '@tidemark\/([a-z]+)/g)]
        .map((match) => match[1])
        .filter((target) => target !== 'wire' && !(own === 'cli' && target === 'server'))
        .map((target) => `${relative(packagesDir, path)} imports ${target}`)
    })
    expect(violations).toEqual([])
  })
})

function isAllowed(room: string, target: string): boolean {
  const path = relative(serverSrc, target)
  if (FOR_EVERYONE_BUT_MODEL.includes(path)) return room !== 'model'
  const targetRoom = roomOf(target)
  return targetRoom !== undefined && (targetRoom === room || (ROOMS[room] ?? []).includes(targetRoom))
}

function roomOf(path: string): string | undefined {
  const parts = relative(serverSrc, path).split(sep)
  return parts.length > 1 ? parts[0] : undefined
}

function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) =>
    resolve(dirname(path), match[1] ?? ''),
  )
}

function withoutComments(path: string): string {
  return readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist') return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}
