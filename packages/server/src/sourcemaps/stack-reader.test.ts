import { deflateSync } from 'node:zlib'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { AppError } from '../errors.ts'
import { MAX_MAPPED_FRAMES } from './limits.ts'
import { MapCache } from './map-cache.ts'
import { readMap } from './read-map.ts'
import type { RoundLimits } from './round-budget.ts'
import { createSourceStacks } from './stack-reader.ts'
import { mapBytes, mappingsOf, type Segment } from './testing/written-map.ts'

const log = pino({ level: 'silent' })
const NOW = Date.UTC(2026, 10, 15)
/** What each is said to take. */
const MAP_BYTES = 10_000

/** Maps by `project release file`, in place of the control store; counts what is asked of it. */
function stored(maps: Record<string, Buffer>) {
  const entries = Object.entries(maps).map(([name, compressed]) => {
    const [projectId = '', release = '', file = ''] = name.split(' ')
    return { projectId, release, file, digest: `digest of ${name}`, compressed }
  })
  const asked: string[] = []
  let isAway = false
  return {
    asked,
    goAway: () => {
      isAway = true
    },
    releases: async (ids: readonly string[]) => entries.filter(({ projectId }) => ids.includes(projectId)),
    filesAt: async (projectId: string, release: string, paths: readonly string[]) => {
      asked.push(`files of ${projectId} ${release}`)
      return entries
        .filter((one) => one.projectId === projectId && one.release === release && paths.includes(one.file))
        .map(({ file, digest }) => ({ file, digest, loadedBytes: MAP_BYTES }))
    },
    paths: async () => [],
    content: async (projectId: string, digest: string) => {
      if (isAway) throw new AppError('unavailable', 'away')
      asked.push(digest)
      return entries.find((one) => one.projectId === projectId && one.digest === digest)?.compressed ?? null
    },
    used: async (projectId: string, release: string, nowMs: number) => {
      asked.push(`used ${projectId} ${release} ${nowMs}`)
    },
  }
}

/** One line: column 10 is line 1 of the source, column 20 line 2, and so on. */
function mapTo(source: string): Buffer {
  const segments = [...Array(9).keys()].map((at): Segment => [(at + 1) * 10, 0, at, 0])
  const mappings = mappingsOf([segments])
  return deflateSync(readMap(mapBytes({ sources: [source], mappings })).packed)
}

const error = (stack: string) => ({ type: 'Error', message: 'boom', stack })
const record = (release: string, ...frames: string[]) => ({
  release,
  message: 'boom',
  error: error(`Error: boom\n${frames.map((frame) => `    at ${frame}`).join('\n')}`),
})

type More = { cache?: MapCache; limits?: Partial<RoundLimits>; clock?: () => number }

/** Time stands still unless a test lets it go on. */
function open(maps: ReturnType<typeof stored>, more: More = {}) {
  const parts = { cache: new MapCache(), log, now: () => NOW, clock: () => 0, ...more }
  return createSourceStacks({ sourceMaps: maps, ...parts })
}

const loads = (maps: ReturnType<typeof stored>) => maps.asked.filter((one) => one.startsWith('digest'))
const frameOf = (file: string, column = 11) => `e (https://x.example/${file}:1:${column})`

describe('stacks read by source maps', () => {
  it('are those of releases that have maps, in projects that have them', async () => {
    const maps = stored({ 'a 1.0 main.js': mapTo('src/cart.ts') })
    expect(await open(maps).among(['b', 'c'])).toBeNull()
    expect(await open(maps).among([])).toBeNull()
    const reader = (await open(maps).among(['a', 'b']))!
    expect([reader.covers('a', '1.0'), reader.covers('a', '1.1'), reader.covers('a', '')]).toEqual([true, false, false])
    expect([reader.coversProject('a'), reader.coversProject('b')]).toEqual([true, false])
    expect(await reader.sourceStack('a', record('1.0', 'e (https://x.example/main.js:1:21)'))).toBe(
      'Error: boom\n    at src/cart.ts:2:1',
    )
    expect(maps.asked).toEqual([`used a 1.0 ${NOW}`, 'files of a 1.0', 'digest of a 1.0 main.js'])
  })

  it('never use a map of another project, although release and file are called the same', async () => {
    const maps = stored({ 'a 1.0 main.js': mapTo('src/a.ts'), 'b 1.0 other.js': mapTo('src/b.ts') })
    const reader = (await open(maps).among(['a', 'b']))!
    const frame = 'e (https://x.example/main.js:1:21)'
    expect(await reader.sourceStack('b', record('1.0', frame))).toBeNull()
    expect(await reader.sourceStack('c', record('1.0', frame))).toBeNull()
    expect(await reader.sourceStack('a', record('1.0', frame))).toContain('src/a.ts')
  })

  it('in a message are read like those in an error', async () => {
    const reader = (await open(stored({ 'a 1.0 main.js': mapTo('src/cart.ts') })).among(['a']))!
    const message = 'it failed\n    at e (https://x.example/main.js:1:11)'
    expect(await reader.sourceStack('a', { release: '1.0', message, error: null })).toBe(
      'it failed\n    at src/cart.ts:1:1',
    )
  })

  it('are told apart by their message where the error has no stack of its own', async () => {
    const reader = (await open(stored({ 'a 1.0 main.js': mapTo('src/cart.ts') })).among(['a']))!
    const said = (column: number) => ({
      release: '1.0',
      message: `it failed\n    at e (https://x.example/main.js:1:${column})`,
      error: error('not a stack\nat all'),
    })
    expect(await reader.sourceStack('a', said(11))).toContain('src/cart.ts:1:1')
    expect(await reader.sourceStack('a', said(21))).toContain('src/cart.ts:2:1')
  })

  it('ask once for what many of them need', async () => {
    const maps = stored({ 'a 1.0 main.js': mapTo('src/cart.ts') })
    const cache = new MapCache()
    const reader = (await open(maps, { cache }).among(['a']))!
    const frames = Array.from({ length: 500 }, () => 'e (https://x.example/main.js:1:21)')
    for (let at = 0; at < 50; at++) {
      const text = (await reader.sourceStack('a', record('1.0', ...frames))) ?? ''
      expect(text.split('src/cart.ts')).toHaveLength(MAX_MAPPED_FRAMES + 1)
    }
    await (await open(maps, { cache }).among(['a']))!.sourceStack('a', record('1.0', frames[0]!))
    expect(maps.asked.filter((one) => one.startsWith('digest'))).toHaveLength(1)
    expect(maps.asked.filter((one) => one.startsWith('files'))).toHaveLength(2)
  })

  it('load a bounded number of maps; the frames of the others stay as they were', async () => {
    const files = ['a.js', 'b.js', 'c.js', 'd.js']
    const maps = stored(Object.fromEntries(files.map((file) => [`a 1.0 ${file}`, mapTo(`src/${file}`)])))
    const reader = (await open(maps, { limits: { maps: 2 } }).among(['a']))!
    const text = await reader.sourceStack(
      'a',
      record('1.0', ...files.map((file) => `e (https://x.example/${file}:1:11)`)),
    )
    expect(text).toBe(
      'Error: boom\n    at src/a.js:1:1\n    at src/b.js:1:1\n    at e (https://x.example/c.js:1:11)\n    at e (https://x.example/d.js:1:11)',
    )
  })

  it('keep no map of their own: what the cache let go is loaded again, as often as it may be', async () => {
    const maps = stored({ 'a 1.0 a.js': mapTo('src/a.ts'), 'a 1.0 b.js': mapTo('src/b.ts') })
    const cache = new MapCache({ bytesOfProject: MAP_BYTES })
    const reader = (await open(maps, { cache, limits: { maps: 3 } }).among(['a']))!
    const found: boolean[] = []
    for (const [at, file] of ['a.js', 'b.js', 'a.js', 'b.js', 'a.js'].entries())
      found.push((await reader.sourceStack('a', record('1.0', frameOf(file, 11 + at)))) !== null)
    expect(loads(maps)).toEqual(['a', 'b', 'a'].map((name) => `digest of a 1.0 ${name}.js`))
    // The one that is in the cache costs nothing.
    expect(found).toEqual([true, true, true, false, true])
    expect(cache.bytes).toBe(MAP_BYTES)
  })

  it.each<[string, Partial<RoundLimits>]>([
    ['maps', { maps: 2 }],
    ['memory', { bytes: 2 * MAP_BYTES + 1 }],
    ['stacks', { stacks: 2 }],
    ['releases', { releases: 2 }],
    ['files', { files: 2 }],
    ['time', { workMs: 2 }],
  ])('of one project take no more %s than it may have, and nothing of what another may', async (_what, limits) => {
    const releases = ['1', '2', '3', '4']
    const names = ['a', 'b'].flatMap((project) => releases.map((release) => `${project} ${release} ${release}.js`))
    const maps = stored(Object.fromEntries(names.map((name) => [name, mapTo('src/a.ts')])))
    let nowMs = 0
    const content = (projectId: string, digest: string) => {
      nowMs++
      return maps.content(projectId, digest)
    }
    const reader = (await open({ ...maps, content }, { limits, clock: () => nowMs }).among(['a', 'b']))!
    const read = async (project: string) => {
      const found = []
      for (const release of releases)
        found.push(await reader.sourceStack(project, record(release, frameOf(`${release}.js`))))
      return found.map((stack) => stack !== null)
    }
    expect(await read('a')).toEqual([true, true, false, false])
    expect(await read('b')).toEqual([true, true, false, false])
    expect(loads(maps)).toHaveLength(4)
  })

  it('let others have their turn, also when all answers are known', async () => {
    const maps = stored({ 'a 1.0 main.js': mapTo('src/cart.ts') })
    let nowMs = 0
    const reader = (await open(maps, { clock: () => nowMs }).among(['a']))!
    const known = record('1.0', frameOf('main.js'))
    await reader.sourceStack('a', known)
    for (const one of [known, record('none', frameOf('main.js'))]) {
      let hadTurn = false
      setImmediate(() => {
        hadTurn = true
      })
      await reader.sourceStack('a', one)
      expect(hadTurn).toBe(false)
      nowMs += 6
      await reader.sourceStack('a', one)
      expect(hadTurn).toBe(true)
    }
  })

  it('pass over a map that is damaged, and keep no memory for it', async () => {
    const good = mapTo('src/a.ts')
    const cache = new MapCache()
    const broken = [Buffer.from('no zlib'), good.subarray(0, good.length - 9), deflateSync(Buffer.alloc(20_000, 1))]
    const maps = stored(Object.fromEntries(broken.map((bytes, at) => [`a 1.0 ${at}.js`, bytes])))
    const reader = (await open(maps, { cache }).among(['a']))!
    for (const at of broken.keys())
      expect(await reader.sourceStack('a', record('1.0', `e (https://x.example/${at}.js:1:11)`))).toBeNull()
    expect(cache.bytes).toBe(0)
  })

  it('wait for a store that is away: nothing is counted for what was not loaded', async () => {
    const maps = stored({ 'a 1.0 main.js': mapTo('src/cart.ts') })
    const cache = new MapCache()
    const reader = (await open(maps, { cache }).among(['a']))!
    maps.goAway()
    await expect(reader.sourceStack('a', record('1.0', 'e (main.js:1:11)'))).rejects.toMatchObject({
      code: 'unavailable',
    })
    expect(cache.bytes).toBe(0)
  })
})
