import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chanceOfRise, chanceOfSilence } from './poisson.ts'

const rate = (events: number, of: number) => ({ events, of })

describe('the chance of a rise', () => {
  it.each([
    // Of 10 events all in one of two equal halves: one in 2^10.
    [rate(0, 100), rate(10, 100), 1 / 1_024],
    [rate(5, 100), rate(5, 100), 638 / 1_024],
    // 3 of 4 events in a third: 4 * (1/27) * (2/3) + 1/81.
    [rate(1, 200), rate(3, 100), 9 / 81],
    [rate(0, 96), rate(1, 8), 8 / 104],
    // R: binom.test(58, 100, 0.5, alternative = "greater")
    [rate(42, 1_000), rate(58, 1_000), 0.0666053096],
    // The example of R's poisson.test, one-sided, added up with fractions.
    [rate(21, 3_011), rate(11, 800), 0.0560086598],
    [rate(3, 96), rate(9, 24), 6.219776e-5],
  ])('%j, then %j, is %d', (before, after, chance) => {
    expect(chanceOfRise(before, after)).toBeCloseTo(chance, 8)
  })

  it('is 1 without an event, and without anything to count in', () => {
    expect(chanceOfRise(rate(4, 10), rate(0, 10))).toBe(1)
    expect(chanceOfRise(rate(0, 0), rate(0, 0))).toBe(1)
  })

  it('is what adding up the terms one by one gives', () => {
    const choose = (all: number, chosen: number) => {
      let product = 1
      for (let at = 1; at <= chosen; at += 1) product = (product * (all - chosen + at)) / at
      return product
    }
    const slowly = (before: number, after: number, share: number) => {
      const all = before + after
      let sum = 0
      for (let count = after; count <= all; count += 1) {
        sum += choose(all, count) * share ** count * (1 - share) ** (all - count)
      }
      return sum
    }
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: 500 }),
        (before, after, ofBefore, ofAfter) => {
          const expected = slowly(before, after, ofAfter / (ofBefore + ofAfter))
          const found = chanceOfRise(rate(before, ofBefore), rate(after, ofAfter))
          expect(Math.abs(found - expected)).toBeLessThan(1e-9 + 1e-6 * expected)
        },
      ),
    )
  })

  it('stays a chance with very many events', () => {
    expect(chanceOfRise(rate(500_000, 1e7), rate(500_000, 1e7))).toBeCloseTo(0.5, 2)
    expect(chanceOfRise(rate(100_000, 1e6), rate(200_000, 1e6))).toBeLessThan(1e-300)
  })
})

describe('the chance of silence', () => {
  it('is that of a Poisson count', () => {
    expect(chanceOfSilence(0, 3)).toBeCloseTo(Math.exp(-3), 12)
    // R: ppois(2, 20)
    expect(chanceOfSilence(2, 20)).toBeCloseTo(4.55515e-7, 11)
    expect(chanceOfSilence(20, 20)).toBeCloseTo(0.5590926, 6)
    expect(chanceOfSilence(5, 0)).toBe(1)
  })
})
