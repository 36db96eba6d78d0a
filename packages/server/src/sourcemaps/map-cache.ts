/**
 * Maps in memory, counted by what they really take. A request for one that is being loaded waits for that load. No
 * project has more than its share, so that one with many large maps does not push out those of the others.
 */
import type { CompactMap } from './compact-map.ts'
import { CACHE_BYTES, CACHE_BYTES_OF_A_PROJECT } from './limits.ts'

type Entry = { projectId: string; bytes: number; map: Promise<CompactMap | null>; isLoaded: boolean }
type Wanted = { projectId: string; digest: string; bytes: number }

export class MapCache {
  readonly #maxBytes: number
  readonly #maxBytesOfProject: number
  /** The one that was used least recently first. */
  readonly #entries = new Map<string, Entry>()
  readonly #bytesOf = new Map<string, number>()
  #bytes = 0

  constructor({ bytes = CACHE_BYTES, bytesOfProject = CACHE_BYTES_OF_A_PROJECT } = {}) {
    this.#maxBytes = bytes
    this.#maxBytesOfProject = bytesOfProject
  }

  get bytes(): number {
    return this.#bytes
  }

  bytesOf(projectId: string): number {
    return this.#bytesOf.get(projectId) ?? 0
  }

  /** Loaded, or being loaded. */
  has({ projectId, digest }: Wanted): boolean {
    return this.#entries.has(`${projectId} ${digest}`)
  }

  /** Null when there is none any more, or it cannot be read. `bytes` is what it will take, counted from now on. */
  async find(wanted: Wanted, load: () => Promise<CompactMap | null>): Promise<CompactMap | null> {
    const { projectId, digest, bytes } = wanted
    const name = `${projectId} ${digest}`
    const known = this.#entries.get(name)
    if (known) {
      this.#entries.delete(name)
      this.#entries.set(name, known)
      return known.map
    }
    const entry: Entry = { projectId, bytes, map: load(), isLoaded: false }
    this.#entries.set(name, entry)
    this.#count(entry, 1)
    this.#makeRoom(projectId)
    try {
      const map = await entry.map
      entry.isLoaded = true
      // What is not there takes no room, and may come any moment.
      if (map === null) this.#drop(name, entry)
      return map
    } catch (error) {
      this.#drop(name, entry)
      throw error
    }
  }

  #makeRoom(projectId: string): void {
    for (const [name, entry] of this.#entries) {
      const isOverShare = this.bytesOf(projectId) > this.#maxBytesOfProject
      if (!isOverShare && this.#bytes <= this.#maxBytes) return
      if (!entry.isLoaded || (isOverShare && entry.projectId !== projectId)) continue
      this.#drop(name, entry)
    }
  }

  /** Once for each: an entry that was dropped, and is there again, is another one. */
  #drop(name: string, entry: Entry): void {
    if (this.#entries.get(name) !== entry) return
    this.#entries.delete(name)
    this.#count(entry, -1)
  }

  #count({ projectId, bytes }: Entry, sign: 1 | -1): void {
    this.#bytes += sign * bytes
    const ofProject = this.bytesOf(projectId) + sign * bytes
    if (ofProject === 0) this.#bytesOf.delete(projectId)
    else this.#bytesOf.set(projectId, ofProject)
  }
}
