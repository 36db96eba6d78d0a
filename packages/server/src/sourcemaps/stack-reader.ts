/** Reads stacks by the maps of their release. What a release has is asked once for each round; maps stay in the cache. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { type FramedText, framedText, mapFrames } from '../analysis/stack/map-frames.ts'
import type { MappedFile, SourceMaps } from '../control/source-maps.ts'
import type { Log } from '../log.ts'
import type { SourceStacks, StackReader } from '../model/source-stacks.ts'
import { type CompactMap, unpackMap } from './compact-map.ts'
import { MAX_LOADED_MAPS, MAX_MAPPED_FRAMES, MAX_READ_STACKS } from './limits.ts'
import type { MapCache } from './map-cache.ts'
import { type FileFinder, fileFinder } from './mapped-file.ts'

type Parts = {
  sourceMaps: Pick<SourceMaps, 'releases' | 'files' | 'content' | 'used'>
  cache: MapCache
  log: Log
  now?: () => number
  maxMaps?: number
}

/** Others get their turn after so long. */
const TURN_MS = 10
/** Stacks that are remembered within a round: floods are of few. */
const REMEMBERED_STACKS = 500

export function createSourceStacks(parts: Parts): SourceStacks {
  return {
    async among(projectIds) {
      if (projectIds.length === 0) return null
      const found = await parts.sourceMaps.releases([...new Set(projectIds)])
      return found.length === 0 ? null : createReader(parts, found)
    },
  }
}

function createReader(
  { sourceMaps, cache, log, now = Date.now, maxMaps = MAX_LOADED_MAPS }: Parts,
  found: readonly { projectId: string; release: string }[],
): StackReader {
  const covered = new Set(found.map(({ projectId, release }) => nameOf(projectId, release)))
  const finders = new Map<string, Promise<FileFinder<MappedFile>>>()
  const maps = new Map<string, CompactMap | null>()
  const remembered = new Map<string, string | null>()
  let stacks = 0
  let turnMs = performance.now()

  const covers = (projectId: string, release: string) => release !== '' && covered.has(nameOf(projectId, release))

  function finderOf(projectId: string, release: string): Promise<FileFinder<MappedFile>> {
    const name = nameOf(projectId, release)
    const known = finders.get(name)
    if (known) return known
    const asked = sourceMaps.files(projectId, release).then(async (files) => {
      await sourceMaps.used(projectId, release, now())
      return fileFinder(files)
    })
    finders.set(name, asked)
    return asked
  }

  async function mapOf(projectId: string, file: MappedFile): Promise<CompactMap | null> {
    const name = nameOf(projectId, file.digest)
    const known = maps.get(name)
    if (known !== undefined || maps.size >= maxMaps) return known ?? null
    const wanted = { projectId, digest: file.digest, bytes: file.loadedBytes }
    const map = await cache.find(wanted, async () => {
      const content = await sourceMaps.content(projectId, file.digest)
      return content && readContent(content, file, log)
    })
    maps.set(name, map)
    return map
  }

  async function read(projectId: string, release: string, framed: FramedText): Promise<string | null> {
    const find = await finderOf(projectId, release)
    const mapsOfStack = new Map<string, CompactMap | null>()
    for (const frame of framed.frames) {
      if (frame === null || mapsOfStack.has(frame.file)) continue
      const file = find(frame.file)
      mapsOfStack.set(frame.file, file ? await mapOf(projectId, file) : null)
    }
    return mapFrames(framed, ({ file, line, column }) => mapsOfStack.get(file)?.find(line, column) ?? null)
  }

  return {
    covers,
    coversProject: (projectId) => found.some((one) => one.projectId === projectId),
    async sourceStack(projectId, record) {
      const { release, message, error } = record
      if (!covers(projectId, release)) return null
      const text = error?.stack || message
      const name = JSON.stringify([projectId, release, text])
      const known = remembered.get(name)
      if (known !== undefined) return known
      if (performance.now() - turnMs > TURN_MS) {
        await nextTurn()
        turnMs = performance.now()
      }
      // Stacks are looked for in both, as they are otherwise.
      const own = framedText(text, MAX_MAPPED_FRAMES)
      const framed = own ?? framedText(message, MAX_MAPPED_FRAMES)
      if (framed === null || ++stacks > MAX_READ_STACKS) return null
      const stack = await read(projectId, release, framed)
      if (own !== null && remembered.size < REMEMBERED_STACKS) remembered.set(name, stack)
      return stack
    },
  }
}

const inflated = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflate)

/** Damaged content counts as none: errors are counted without it. */
async function readContent(content: Buffer, file: MappedFile, log: Log): Promise<CompactMap | null> {
  try {
    const bytes = await inflated(content, { maxOutputLength: file.loadedBytes })
    // Memory of its own, of exactly that size, and aligned for numbers.
    const memory = new ArrayBuffer(bytes.length)
    new Uint8Array(memory).set(bytes)
    return unpackMap(memory)
  } catch (error) {
    log.warn({ err: error, file: file.file }, 'a stored source map is damaged and is passed over; upload it again')
    return null
  }
}

function nameOf(projectId: string, name: string): string {
  return `${projectId} ${name}`
}
