import { describe, expect, it } from 'vitest'
import { TokenBuckets } from './token-buckets.ts'

const RATE = { perSecond: 10, burst: 20 }

describe('a token bucket', () => {
  it('gives its burst at once, then what comes back, and says how long to wait', () => {
    const buckets = new TokenBuckets()
    expect(buckets.take('a', 20, RATE, 0)).toBe(0)
    expect(buckets.take('a', 5, RATE, 0)).toBe(500)
    expect(buckets.take('a', 5, RATE, 500)).toBe(0)
    expect(buckets.take('b', 20, RATE, 500)).toBe(0)
  })

  it('lets through what is larger than itself when it is full, and has it paid back', () => {
    const buckets = new TokenBuckets()
    expect(buckets.take('a', 50, RATE, 0)).toBe(0)
    expect(buckets.take('a', 1, RATE, 3_000)).toBe(100)
    expect(buckets.take('a', 1, RATE, 3_100)).toBe(0)
  })

  it('owes what was taken without asking', () => {
    const buckets = new TokenBuckets()
    buckets.owe('a', 50, RATE, 0)
    buckets.owe('a', 10, RATE, 1_000)
    expect(buckets.take('a', 1, RATE, 1_000)).toBe(3_100)
    expect(buckets.take('a', 1, RATE, 4_100)).toBe(0)
  })

  it('is not emptied by a clock that jumps back', () => {
    const buckets = new TokenBuckets()
    buckets.take('a', 1, RATE, 60_000)
    expect(buckets.take('a', 19, RATE, 0)).toBe(0)
  })

  it('is forgotten only when it was used least recently', () => {
    const buckets = new TokenBuckets()
    buckets.take('steady', 20, RATE, 0)
    for (let other = 0; other < 20_000; other++) {
      buckets.take(`other ${other}`, 1, RATE, 0)
      if (other % 1_000 === 0) expect(buckets.take('steady', 1, RATE, 0)).toBeGreaterThan(0)
    }
    buckets.take('gone', 20, RATE, 0)
    for (let other = 0; other < 10_000; other++) buckets.take(`another ${other}`, 1, RATE, 0)
    expect(buckets.take('gone', 20, RATE, 0)).toBe(0)
  })
})
