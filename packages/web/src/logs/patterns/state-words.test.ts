import { describe, expect, it } from 'vitest'
import { stateWords } from './state-words.ts'

describe('why a pattern has its state', () => {
  it('is told by its shares, where the counts would tell something else', () => {
    expect(stateWords({ state: 'grown', share: 0.18, baseCount: 50 }, 466)).toBe('Grown: 11 % → 18 % of the records')
    expect(stateWords({ state: 'steady', share: 0.266, baseCount: 149 }, 466)).toBe(
      'Steady: 32 % → 27 % of the records, no clear change',
    )
    expect(stateWords({ state: 'shrunk', share: 0.02, baseCount: 60 }, 200)).toBe('Shrunk: 30 % → 2 % of the records')
    expect(stateWords({ state: 'gone', share: 0, baseCount: 45 }, 150)).toBe('Gone: 30 % → 0 % of the records')
  })

  it('is told of what is new, and of what cannot be called so', () => {
    expect(stateWords({ state: 'new', share: 0.001, baseCount: 0 }, 466)).toBe('New: none of the 466 records before')
    expect(stateWords({ state: 'steady', share: 0.1, baseCount: 0 }, 12)).toBe(
      'Not called new: 12 records before are too few to say so',
    )
  })

  it('is not told where nothing is compared', () => {
    expect(stateWords({ state: null, share: 0.1, baseCount: null }, 0)).toBe(null)
    expect(stateWords({ state: null, share: 0.1, baseCount: 0 }, 0)).toBe(null)
  })
})
