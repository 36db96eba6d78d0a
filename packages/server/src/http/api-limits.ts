import { AppError } from '../errors.ts'
import { Rates } from '../ingest/rates.ts'

/** For each read key and each person: calls in a minute, and calls that are being answered at one time. Past either: 429. */
const CALLS = { perSecond: 10, burst: 600 }
const KEY_AT_ONCE = 8
/** A person has several pages open, and each asks for rows, counts and facets together. */
export const PERSON_AT_ONCE = 32

/** What one caller may ask of this node, through whichever door. */
export class ReaderLimits {
  readonly #rates = new Rates()
  readonly #running = new Map<string, number>()
  readonly #now: () => number
  readonly #atOnce: number

  constructor(now: () => number = Date.now, atOnce: number = KEY_AT_ONCE) {
    this.#now = now
    this.#atOnce = atOnce
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
    if (running >= this.#atOnce) {
      throw new AppError('rate_limited', `At most ${this.#atOnce} calls at once: wait for one to end.`)
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
