/**
 * A bounded number of slots with a bounded queue in front. When the queue is full, the call fails at once. One project
 * gets no more than its share of either.
 */

import type { ConnectionSlot } from './connection-slot.ts'
import { ENGINE_CODE, EngineError } from './error.ts'

/** `share`: between 0 and 1. Calls without a project are not bounded by it. */
type PoolLimits = { slots: number; waiting: number; share: number }
type Asking = { project?: string | undefined; signal?: AbortSignal | undefined }
type Waiting = { project: string | undefined; begin: (slot: ConnectionSlot) => void }

export class SlotPool {
  readonly #limits: PoolLimits
  readonly #make: (index: number) => ConnectionSlot
  readonly #idle: ConnectionSlot[] = []
  readonly #waiting: Waiting[] = []
  readonly #running = new Map<string, number>()
  #made = 0

  constructor(limits: PoolLimits, make: (index: number) => ConnectionSlot) {
    this.#limits = limits
    this.#make = make
  }

  async use<T>(work: (slot: ConnectionSlot) => Promise<T>, asking: Asking = {}): Promise<T> {
    const slot = await this.#acquire(asking)
    try {
      return await work(slot)
    } finally {
      this.#count(asking.project, -1)
      this.#release(slot)
    }
  }

  async #acquire({ project, signal }: Asking): Promise<ConnectionSlot> {
    const slot = this.#mayRun(project) ? this.#free() : undefined
    if (slot !== undefined) {
      this.#count(project, 1)
      return slot
    }
    if (!this.#mayWait(project)) {
      throw new EngineError(ENGINE_CODE.tooManyQueries, 'Code: 202. DB::Exception: Too many queries are waiting.')
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { project, begin: resolve }
      this.#waiting.push(waiting)
      // A caller that gives up leaves the queue at once. After its turn has come, this finds nothing to do.
      signal?.addEventListener('abort', () => {
        const place = this.#waiting.indexOf(waiting)
        if (place !== -1) this.#waiting.splice(place, 1)
        reject(signal.reason)
      })
    })
  }

  #free(): ConnectionSlot | undefined {
    return this.#idle.pop() ?? (this.#made < this.#limits.slots ? this.#make(this.#made++) : undefined)
  }

  /** To the first in the queue who may have it. */
  #release(slot: ConnectionSlot): void {
    const place = this.#waiting.findIndex(({ project }) => this.#mayRun(project))
    const [next] = place === -1 ? [] : this.#waiting.splice(place, 1)
    if (next === undefined) {
      this.#idle.push(slot)
      return
    }
    this.#count(next.project, 1)
    next.begin(slot)
  }

  #mayRun(project: string | undefined): boolean {
    const { slots, share } = this.#limits
    return project === undefined || (this.#running.get(project) ?? 0) < slots * share
  }

  #mayWait(project: string | undefined): boolean {
    const { waiting, share } = this.#limits
    if (this.#waiting.length >= waiting) return false
    return project === undefined || this.#waiting.filter((one) => one.project === project).length < waiting * share
  }

  #count(project: string | undefined, change: number): void {
    if (project === undefined) return
    const running = (this.#running.get(project) ?? 0) + change
    if (running === 0) this.#running.delete(project)
    else this.#running.set(project, running)
  }
}
