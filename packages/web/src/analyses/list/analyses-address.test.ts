import { describe, expect, it } from 'vitest'
import { sortOf, stateOf } from './analyses-address.ts'

describe('the address of the list of analyses', () => {
  it('names a state and an order', () => {
    expect(stateOf('regressed')).toBe('regressed')
    expect(sortOf('count')).toBe('count')
  })

  it('counts what it misspells as not said', () => {
    expect(stateOf('Regressed')).toBeUndefined()
    expect(stateOf(undefined)).toBeUndefined()
    expect(sortOf('loudness')).toBe('rank')
  })
})
