import { describe, expect, it } from 'vitest'
import { sampledWords } from './facets.tsx'

describe('the head of the fields', () => {
  it('says whether all records were counted, or only the newest of how many', () => {
    expect(sampledWords(3_048, 3_048)).toBe('All 3,048 records')
    expect(sampledWords(3_050, 3_048), 'two came in between').toBe('All 3,050 records')
    expect(sampledWords(20_000, 81_345)).toBe('The newest 20,000 of 81,345 records')
    expect(sampledWords(1, 1)).toBe('The only record')
  })

  it('says neither while it is not known', () => {
    expect(sampledWords(374, undefined)).toBe('374 records')
  })
})
