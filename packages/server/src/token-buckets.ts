/** How much each key may take per time. Each node has its own: a shared one would be in the hot path. */

export type Rate = { perSecond: number; burst: number }

/** At this many the one that was used least recently is forgotten. Its key starts again with a full bucket. */
const MAX_BUCKETS = 10_000

type Bucket = { tokens: number; atMs: number }

export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>()

  /** Takes `amount` and returns 0, or takes nothing and returns how many milliseconds to wait. */
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

  /** Takes `amount` of what was done already; the next `take` waits until it is paid back. */
  owe(key: string, amount: number, { perSecond, burst }: Rate, nowMs: number): void {
    this.take(key, 0, { perSecond, burst }, nowMs)
    this.#bucket(key, burst, nowMs).tokens -= amount
  }

  #bucket(key: string, burst: number, nowMs: number): Bucket {
    const bucket = this.#buckets.get(key) ?? { tokens: burst, atMs: nowMs }
    // Put last again: a Map keeps the order, so its first key is the one to forget.
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    const [oldest] = this.#buckets.size > MAX_BUCKETS ? this.#buckets.keys() : []
    if (oldest !== undefined) this.#buckets.delete(oldest)
    return bucket
  }
}
