import { describe, expect, it } from 'vitest'
import { patternSearch } from './pattern-search.ts'

const AT = '2026-11-16T10:00:00.000Z'
const search = (state: 'new' | 'gone', afterTo: string | null) =>
  patternSearch({ query: 'pattern:a1' }, state, {
    environment: 'production',
    deployedAt: AT,
    after: afterTo === null ? null : { from: AT, to: afterTo, records: 0, errors: 0 },
  })

describe('the records of a pattern', () => {
  it('that is new are looked for since the deploy, of one that is gone before it, as long as it ran', () => {
    const place = { query: 'pattern:a1', environment: 'production' }
    expect(search('new', '2026-11-16T10:16:00Z')).toEqual({ ...place, from: AT, to: '2026-11-16T10:16:00.000Z' })
    expect(search('gone', '2026-11-16T10:16:00Z')).toEqual({ ...place, from: '2026-11-16T09:44:00.000Z', to: AT })
  })

  it('are looked for in five minutes at least and an hour at most', () => {
    expect(search('new', '2026-11-16T10:00:20Z')?.to).toBe('2026-11-16T10:05:00.000Z')
    expect(search('gone', null)?.from).toBe('2026-11-16T09:00:00.000Z')
  })

  it('have no address where no query finds them', () => {
    expect(patternSearch({ query: null }, 'new', { environment: 'a', deployedAt: AT, after: null })).toBeNull()
  })
})
