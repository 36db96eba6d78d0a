/** Token buckets per key. Held by each node for itself: a shared one would stand in the hot path. */

export type Rate = { perSecond: number; burst: number }

/** Buckets that were full again are forgotten at this many, so that keys that come and go cost nothing. */
const MAX_BUCKETS = 10_000

type Bucket = { tokens: number; atMs: number }

export class Rates {
  readonly #buckets = new Map<string, Bucket>()

  /** Takes `amount` and answers 0, or takes nothing and answers how many milliseconds to wait. */
  take(key: string, amount: number, { perSecond, burst }: Rate, nowMs: number): number {
    const bucket = this.#bucket(key, burst, nowMs)
    // A clock that jumps back must not empty a bucket.
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, nowMs - bucket.atMs) / 1_000) * perSecond)
    bucket.atMs = nowMs
    // Larger than the whole bucket: let it through when full, and pay it back.
    if (bucket.tokens >= Math.min(amount, burst)) {
      bucket.tokens -= amount
      return 0
    }
    return Math.ceil(((Math.min(amount, burst) - bucket.tokens) / perSecond) * 1_000)
  }

  #bucket(key: string, burst: number, nowMs: number): Bucket {
    const known = this.#buckets.get(key)
    if (known) return known
    if (this.#buckets.size >= MAX_BUCKETS) this.#forgetOldest()
    const bucket = { tokens: burst, atMs: nowMs }
    this.#buckets.set(key, bucket)
    return bucket
  }

  /** In order of first use: a forgotten key starts again with a full bucket. */
  #forgetOldest(): void {
    const [oldest] = this.#buckets.keys()
    if (oldest !== undefined) this.#buckets.delete(oldest)
  }
}
