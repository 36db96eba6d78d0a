/**
 * How much one caller may ask, through whichever door: calls a minute (a token bucket) and calls at once. Held by each
 * node for itself. At either limit the call is refused with 429 and a time to wait; nothing is queued.
 */
import { AppError } from '../../errors.ts'

export type CallLimitSettings = { callsPerMinute: number; atOnce: number }

export const KEY_LIMITS: CallLimitSettings = { callsPerMinute: 600, atOnce: 8 }
/** A person has several pages open, and each asks for rows, counts and facets together. */
export const PERSON_LIMITS: CallLimitSettings = { callsPerMinute: 600, atOnce: 32 }
/** Callers that were used least recently are forgotten at this many, unless a call of theirs is under way. */
const MAX_CALLERS = 10_000

type CallerState = { tokens: number; atMs: number; running: number }

export class CallLimits {
  readonly #settings: CallLimitSettings
  readonly #callers = new Map<string, CallerState>()

  constructor(settings: CallLimitSettings) {
    this.#settings = settings
  }

  /** Takes `calls` at once, or none and throws. The answer gives their places back; calling it twice does no harm. */
  enter(callerId: string, calls: number, nowMs: number): () => void {
    const { callsPerMinute, atOnce } = this.#settings
    const state = this.#state(callerId, nowMs)
    if (state.running + calls > atOnce) {
      throw new AppError(
        'rate_limited',
        `There are ${atOnce} calls under way, which is the most at once: wait for one to end.`,
        { retryAfterSeconds: 1 },
      )
    }
    if (state.tokens < calls) {
      const waitSeconds = ((calls - state.tokens) * 60) / callsPerMinute
      throw new AppError(
        'rate_limited',
        `There were ${callsPerMinute} calls in a minute, which is the most: wait, then ask fewer and narrower questions.`,
        { retryAfterSeconds: Math.max(1, Math.ceil(waitSeconds)) },
      )
    }
    state.tokens -= calls
    state.running += calls
    let isInside = true
    return () => {
      if (isInside) state.running -= calls
      isInside = false
    }
  }

  #state(callerId: string, nowMs: number): CallerState {
    const { callsPerMinute } = this.#settings
    const state = this.#callers.get(callerId) ?? { tokens: callsPerMinute, atMs: nowMs, running: 0 }
    // A clock that jumps back must not empty a bucket.
    const elapsedMs = Math.max(0, nowMs - state.atMs)
    state.tokens = Math.min(callsPerMinute, state.tokens + (elapsedMs * callsPerMinute) / 60_000)
    state.atMs = nowMs
    this.#callers.delete(callerId)
    this.#callers.set(callerId, state)
    if (this.#callers.size > MAX_CALLERS) this.#forgetOne()
    return state
  }

  #forgetOne(): void {
    for (const [callerId, { running }] of this.#callers) {
      if (running > 0) continue
      this.#callers.delete(callerId)
      return
    }
  }
}
