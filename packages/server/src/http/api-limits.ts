import { AppError } from '../errors.ts'
import { Rates } from '../ingest/rates.ts'

/** For each read key: calls in a minute, and calls that are being answered at one time. Past either: 429. */
const CALLS = { perSecond: 10, burst: 600 }
const MAX_AT_ONCE = 8

/** What one read key may ask of this node, through whichever door. */
export class ReaderLimits {
  readonly #rates = new Rates()
  readonly #running = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Counts a call in; the function it gives counts it out, once however often it is called. */
  enter(keyId: string): () => void {
    const waitMs = this.#rates.take(keyId, 1, CALLS, this.#now())
    if (waitMs > 0) {
      throw new AppError(
        'rate_limited',
        `A read key may call ${CALLS.burst} times a minute: wait as Retry-After says.`,
        {
          retryAfterSeconds: waitMs / 1_000,
        },
      )
    }
    const running = this.#running.get(keyId) ?? 0
    if (running >= MAX_AT_ONCE) {
      throw new AppError('rate_limited', `A read key may make ${MAX_AT_ONCE} calls at once: wait for one to end.`)
    }
    this.#running.set(keyId, running + 1)
    let isInside = true
    return () => {
      if (!isInside) return
      isInside = false
      const left = (this.#running.get(keyId) ?? 1) - 1
      if (left === 0) this.#running.delete(keyId)
      else this.#running.set(keyId, left)
    }
  }
}
