/** What one project may still cost in a round of work. Time is that of reading its stacks, waiting for the store included. */
import { ROUND_LIMITS } from './limits.ts'

export type RoundLimits = typeof ROUND_LIMITS

export class RoundBudget {
  readonly #left: RoundLimits
  readonly #clock: () => number
  readonly #releases = new Set<string>()
  #sinceMs = 0

  constructor(clock: () => number, limits: Partial<RoundLimits> = {}) {
    this.#left = { ...ROUND_LIMITS, ...limits }
    this.#clock = clock
  }

  begin(): void {
    this.#sinceMs = this.#clock()
  }

  /** Counts the time since the beginning, or since this was last asked. */
  hasTime(): boolean {
    const nowMs = this.#clock()
    this.#left.workMs -= nowMs - this.#sinceMs
    this.#sinceMs = nowMs
    return this.#left.workMs > 0
  }

  takeStack(): boolean {
    return this.#left.stacks-- > 0
  }

  takeFile(): boolean {
    return this.#left.files-- > 0
  }

  /** True for one that was taken before. */
  takeRelease(release: string): boolean {
    if (!this.#releases.has(release) && this.#releases.size >= this.#left.releases) return false
    this.#releases.add(release)
    return true
  }

  /** A large one that there is no room for leaves the room to smaller ones. */
  takeMap(bytes: number): boolean {
    if (this.#left.maps <= 0 || this.#left.bytes < bytes || !this.hasTime()) return false
    this.#left.maps--
    this.#left.bytes -= bytes
    return true
  }
}
