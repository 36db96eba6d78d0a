import { AppError } from '../errors.ts'
import { Rates } from '../ingest/rates.ts'

/** For each read key and each person: calls in a minute, and calls that are being answered at one time. Past either: 429. */
const CALLS = { perSecond: 10, burst: 600 }
const MAX_AT_ONCE = 8

/** What one caller may ask of this node, through whichever door. */
export class ReaderLimits {
  readonly #rates = new Rates()
  readonly #running = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Counts a call in; the function it gives counts it out, once however often it is called. */
  enter(callerId: string): () => void {
    const waitMs = this.#rates.take(callerId, 1, CALLS, this.#now())
    if (waitMs > 0) {
      throw new AppError('rate_limited', `At most ${CALLS.burst} calls a minute: wait as Retry-After says.`, {
        retryAfterSeconds: waitMs / 1_000,
      })
    }
    const running = this.#running.get(callerId) ?? 0
    if (running >= MAX_AT_ONCE) {
      throw new AppError('rate_limited', `At most ${MAX_AT_ONCE} calls at once: wait for one to end.`)
    }
    this.#running.set(callerId, running + 1)
    let isInside = true
    return () => {
      if (!isInside) return
      isInside = false
      const left = (this.#running.get(callerId) ?? 1) - 1
      if (left === 0) this.#running.delete(callerId)
      else this.#running.set(callerId, left)
    }
  }
}
