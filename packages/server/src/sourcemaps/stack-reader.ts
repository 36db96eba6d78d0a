/**
 * Reads stacks by the maps of their release. What a release has is asked once for each round. Maps stay in the cache and
 * nowhere else: here only their names are kept, so that what is in memory is what the cache counts.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type FramedText, framedText, mapFrames, type SourcePlace } from '../analysis/stack/map-frames.ts'
import type { MappedFile, SourceMaps } from '../control/sourcemaps/source-maps.ts'
import type { Log } from '../log.ts'
import type { SourceStacks, StackReader } from '../model/source-stacks.ts'
import type { CompactMap } from './compact-map.ts'
import { FileFinder } from './file-finder.ts'
import { MAX_MAPPED_FRAMES, REMEMBERED_CHARACTERS } from './limits.ts'
import { loadMap } from './load-map.ts'
import type { MapCache } from './map-cache.ts'
import { RoundBudget, type RoundLimits } from './round-budget.ts'

type Parts = {
  sourceMaps: Pick<SourceMaps, 'releases' | 'filesAt' | 'paths' | 'content' | 'used'>
  cache: MapCache
  log: Log
  now?: () => number
  /** In milliseconds, from any beginning. */
  clock?: () => number
  limits?: Partial<RoundLimits>
}

/** Others get their turn after this long. */
const TURN_MS = 5

export function createSourceStacks(parts: Parts): SourceStacks {
  return {
    async among(projectIds) {
      if (projectIds.length === 0) return null
      const found = await parts.sourceMaps.releases([...new Set(projectIds)])
      return found.length === 0 ? null : createReader(parts, found)
    },
  }
}

function createReader(parts: Parts, found: readonly { projectId: string; release: string }[]): StackReader {
  const { clock = () => performance.now() } = parts
  const releases = new Map<string, Set<string>>()
  for (const { projectId, release } of found)
    releases.set(projectId, (releases.get(projectId) ?? new Set()).add(release))
  const projects = new Map<string, ProjectRound>()
  let turnMs = clock()

  const covers = (projectId: string, release: string) =>
    release !== '' && releases.get(projectId)?.has(release) === true

  return {
    coversProject: (projectId) => releases.has(projectId),
    covers,
    async sourceStack(projectId, record) {
      // Before all else: thousands of answers that cost nothing take long together too.
      if (clock() - turnMs > TURN_MS) {
        await nextTurn()
        turnMs = clock()
      }
      if (!covers(projectId, record.release)) return null
      const round = projects.get(projectId) ?? new ProjectRound({ ...parts, clock }, projectId)
      projects.set(projectId, round)
      const { release, message, error } = record
      return round.sourceStack(release, error?.stack || message, message)
    },
  }
}

class ProjectRound {
  readonly #parts: Parts
  readonly #projectId: string
  readonly #budget: RoundBudget
  readonly #finders = new Map<string, FileFinder>()
  /** By digest: gone, or damaged. */
  readonly #missing = new Set<string>()
  readonly #remembered = new Map<string, string | null>()
  #rememberedCharacters = 0

  constructor(parts: Parts & { clock: () => number }, projectId: string) {
    this.#parts = parts
    this.#projectId = projectId
    this.#budget = new RoundBudget(parts.clock, parts.limits)
  }

  async sourceStack(release: string, text: string, message: string): Promise<string | null> {
    const name = `${release.length} ${release}${text}`
    const known = this.#remembered.get(name)
    if (known !== undefined) return known
    this.#budget.begin()
    if (!this.#budget.hasTime()) return null
    try {
      // Stacks are looked for in both, as they are otherwise.
      const own = framedText(text, MAX_MAPPED_FRAMES)
      const framed = own ?? framedText(message, MAX_MAPPED_FRAMES)
      if (framed === null || !this.#budget.takeStack() || !this.#budget.takeRelease(release)) return null
      const stack = await this.#read(release, framed)
      if (own !== null) this.#remember(name, stack)
      return stack
    } finally {
      this.#budget.hasTime()
    }
  }

  #remember(name: string, stack: string | null): void {
    const characters = name.length + (stack?.length ?? 0)
    if (this.#rememberedCharacters + characters > REMEMBERED_CHARACTERS) return
    this.#rememberedCharacters += characters
    this.#remembered.set(name, stack)
  }

  async #read(release: string, framed: FramedText): Promise<string | null> {
    const frames = framed.frames.filter((frame) => frame !== null)
    const finder = await this.#finderOf(release)
    const files = await finder.find(
      frames.map(({ file }) => file),
      () => this.#budget.takeFile(),
    )
    const places = new Map<object, SourcePlace | null>()
    // File by file, so that no more than one map is held at a time.
    for (const name of new Set(frames.map(({ file }) => file))) {
      const file = files.get(name)
      const map = file ? await this.#mapOf(file) : null
      if (map === null) continue
      for (const frame of frames) if (frame.file === name) places.set(frame, map.find(frame.line, frame.column))
    }
    return mapFrames(framed, (frame) => places.get(frame) ?? null)
  }

  async #finderOf(release: string): Promise<FileFinder> {
    const known = this.#finders.get(release)
    if (known) return known
    const { sourceMaps, now = Date.now } = this.#parts
    await sourceMaps.used(this.#projectId, release, now())
    const finder = new FileFinder(sourceMaps, this.#projectId, release)
    this.#finders.set(release, finder)
    return finder
  }

  async #mapOf(file: MappedFile): Promise<CompactMap | null> {
    const { sourceMaps, cache, log } = this.#parts
    const { digest, loadedBytes } = file
    const wanted = { projectId: this.#projectId, digest, bytes: loadedBytes }
    if (this.#missing.has(digest)) return null
    if (!cache.has(wanted) && !this.#budget.takeMap(loadedBytes)) return null
    const map = await cache.find(wanted, async () => {
      const content = await sourceMaps.content(this.#projectId, digest)
      return content && loadMap(content, file, log)
    })
    if (map === null) this.#missing.add(digest)
    return map
  }
}
