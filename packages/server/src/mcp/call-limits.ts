/**
 * How much one read key may ask: calls a minute (a token bucket) and calls at once. Held by each node for itself. At
 * either limit the call is refused with 429 and a time to wait; nothing is queued.
 */
import { AppError } from '../errors.ts'

export type CallLimitSettings = { callsPerMinute: number; atOnce: number }

export const DEFAULT_CALL_LIMITS: CallLimitSettings = { callsPerMinute: 600, atOnce: 8 }
/** Keys that were used least recently are forgotten at this many, unless a call of theirs is under way. */
const MAX_KEYS = 10_000

type KeyState = { tokens: number; atMs: number; running: number }

export class CallLimits {
  readonly #settings: CallLimitSettings
  readonly #keys = new Map<string, KeyState>()

  constructor(settings: CallLimitSettings) {
    this.#settings = settings
  }

  /** Takes `calls` at once, or none and throws. The answer gives their places back; calling it twice does no harm. */
  enter(keyId: string, calls: number, nowMs: number): () => void {
    const { callsPerMinute, atOnce } = this.#settings
    const state = this.#state(keyId, nowMs)
    if (state.running + calls > atOnce) {
      throw new AppError(
        'rate_limited',
        `This key has ${atOnce} calls under way, which is the most at once: wait for one to end.`,
        { retryAfterSeconds: 1 },
      )
    }
    if (state.tokens < calls) {
      const waitSeconds = ((calls - state.tokens) * 60) / callsPerMinute
      throw new AppError(
        'rate_limited',
        `This key has made ${callsPerMinute} calls in a minute, which is the most: wait, then ask fewer and narrower questions.`,
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

  #state(keyId: string, nowMs: number): KeyState {
    const { callsPerMinute } = this.#settings
    const state = this.#keys.get(keyId) ?? { tokens: callsPerMinute, atMs: nowMs, running: 0 }
    // A clock that jumps back must not empty a bucket.
    const elapsedMs = Math.max(0, nowMs - state.atMs)
    state.tokens = Math.min(callsPerMinute, state.tokens + (elapsedMs * callsPerMinute) / 60_000)
    state.atMs = nowMs
    this.#keys.delete(keyId)
    this.#keys.set(keyId, state)
    if (this.#keys.size > MAX_KEYS) this.#forgetOne()
    return state
  }

  #forgetOne(): void {
    for (const [keyId, { running }] of this.#keys) {
      if (running > 0) continue
      this.#keys.delete(keyId)
      return
    }
  }
}
