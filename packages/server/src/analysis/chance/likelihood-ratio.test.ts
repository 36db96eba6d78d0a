import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { likelihoodRatio } from './likelihood-ratio.ts'

describe('the likelihood ratio', () => {
  it('is known: ten of a hundred against none of a hundred', () => {
    expect(likelihoodRatio({ count: 10, total: 100, baseCount: 0, baseTotal: 100 })).toBeCloseTo(14.39, 1)
  })

  it('is never negative, nothing for equal shares, and the same from either side', () => {
    const total = fc.integer({ min: 1, max: 20_000 })
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(total, total, share, share, (a, b, x, y) => {
        const [count, baseCount] = [Math.round(a * x), Math.round(b * y)]
        const g = likelihoodRatio({ count, total: a, baseCount, baseTotal: b })
        expect(g).toBeGreaterThanOrEqual(0)
        expect(g).toBeCloseTo(likelihoodRatio({ count: baseCount, total: b, baseCount: count, baseTotal: a }), 5)
        expect(likelihoodRatio({ count, total: a, baseCount: count, baseTotal: a })).toBeCloseTo(0, 5)
      }),
    )
  })
})
