/**
 * How much one caller may ask, through whichever door: calls a minute (a token bucket) and calls at once. Each
 * node counts for itself. At either limit the call is refused with 429 and a time to wait; nothing is queued.
 */
import { MAX_CALLS_AT_ONCE } from '@tidemark/wire/limits'
import { AppError } from '../../errors.ts'
import { TokenBuckets } from '../../token-buckets.ts'

type CallLimitSettings = { callsPerMinute: number; atOnce: number }

/** Unless configured otherwise. */
export const KEY_LIMITS: CallLimitSettings = { callsPerMinute: 600, atOnce: MAX_CALLS_AT_ONCE }
/** What a configuration may set them to. */
export const MAX_KEY_LIMITS: CallLimitSettings = { callsPerMinute: 1_000_000, atOnce: 1_000 }
/** Waiting for a verdict holds a place for minutes, and a team has many pipelines. */
export const VERDICT_LIMITS: CallLimitSettings = { callsPerMinute: 600, atOnce: 32 }
/** A person has several pages open, and each asks for rows, counts and facets together. */
export const PERSON_LIMITS: CallLimitSettings = { callsPerMinute: 600, atOnce: 32 }

export class CallLimits {
  readonly #settings: CallLimitSettings
  readonly #buckets = new TokenBuckets()
  /** Only for callers that have a call under way. */
  readonly #running = new Map<string, number>()

  constructor(settings: CallLimitSettings) {
    this.#settings = settings
  }

  /** Takes `calls` at once, or none and throws. The returned function frees the places; twice is harmless. */
  enter(callerId: string, calls: number, nowMs: number): () => void {
    const { callsPerMinute, atOnce } = this.#settings
    const running = this.#running.get(callerId) ?? 0
    if (running + calls > atOnce) {
      throw new AppError(
        'rate_limited',
        `There are ${atOnce} calls under way, the most allowed at once: wait for one to end.`,
        { retryAfterSeconds: 1 },
      )
    }
    const rate = { perSecond: callsPerMinute / 60, burst: callsPerMinute }
    const waitMs = this.#buckets.take(callerId, calls, rate, nowMs)
    if (waitMs > 0) {
      throw new AppError(
        'rate_limited',
        `There were ${callsPerMinute} calls in a minute, the most allowed: wait, then ask fewer and narrower questions.`,
        { retryAfterSeconds: Math.ceil(waitMs / 1_000) },
      )
    }
    this.#running.set(callerId, running + calls)
    let isInside = true
    return () => {
      if (isInside) this.#leave(callerId, calls)
      isInside = false
    }
  }

  #leave(callerId: string, calls: number): void {
    const running = (this.#running.get(callerId) ?? 0) - calls
    if (running > 0) this.#running.set(callerId, running)
    else this.#running.delete(callerId)
  }
}
