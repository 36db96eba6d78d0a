/** A bounded number of slots with a bounded queue in front. When the queue is full, the caller hears so at once. */
import { ENGINE_CODE, EngineError } from './engine-error.ts'
import type { SessionSlot } from './session-slot.ts'

export class SlotPool {
  readonly #maxSlots: number
  readonly #maxWaiting: number
  readonly #make: (index: number) => SessionSlot
  readonly #idle: SessionSlot[] = []
  readonly #waiting: ((slot: SessionSlot) => void)[] = []
  #made = 0

  constructor(limits: { slots: number; waiting: number }, make: (index: number) => SessionSlot) {
    this.#maxSlots = limits.slots
    this.#maxWaiting = limits.waiting
    this.#make = make
  }

  async use<T>(work: (slot: SessionSlot) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const slot = await this.#acquire(signal)
    try {
      return await work(slot)
    } finally {
      const next = this.#waiting.shift()
      if (next) next(slot)
      else this.#idle.push(slot)
    }
  }

  async #acquire(signal: AbortSignal | undefined): Promise<SessionSlot> {
    const idle = this.#idle.pop()
    if (idle) return idle
    if (this.#made < this.#maxSlots) return this.#make(this.#made++)
    if (this.#waiting.length >= this.#maxWaiting) {
      throw new EngineError(ENGINE_CODE.tooManyQueries, 'Code: 202. DB::Exception: Too many queries are waiting.')
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push(resolve)
      // Who gives up leaves the queue to others at once. After its turn came, this finds nothing to do.
      signal?.addEventListener('abort', () => {
        const place = this.#waiting.indexOf(resolve)
        if (place !== -1) this.#waiting.splice(place, 1)
        reject(signal.reason)
      })
    })
  }
}
