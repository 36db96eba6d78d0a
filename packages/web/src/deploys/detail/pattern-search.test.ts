import { describe, expect, it } from 'vitest'
import { patternSearch, patternsSince } from './pattern-search.ts'

const AT = '2026-11-16T10:00:00.000Z'
const search = (state: 'new' | 'gone', afterTo: string | null) =>
  patternSearch({ query: 'pattern:a1' }, state, {
    environment: 'production',
    deployedAt: AT,
    after: afterTo === null ? null : { from: AT, to: afterTo, records: 0, errors: 0 },
  })

describe('all patterns of a deploy', () => {
  const deploy = { id: 'dep_1', environment: 'production', deployedAt: AT }
  const since = (afterTo: string, now: string) =>
    patternsSince(deploy, { from: AT, to: afterTo, records: 0, errors: 0 }, Date.parse(now))

  it('are shown in the range in which they are counted, with as long before it drawn behind', () => {
    expect(since('2026-11-16T11:00:00Z', '2026-11-17T10:00:00Z')).toEqual({
      environment: 'production',
      from: AT,
      to: '2026-11-16T11:00:00.000Z',
      view: 'patterns',
      compare: 'dep_1',
      before: 'on',
    })
    expect(since('2026-11-16T10:16:00Z', '2026-11-17T10:00:00Z').to).toBe('2026-11-16T10:16:00.000Z')
  })

  it('are shown up to now while a young deploy runs', () => {
    expect(since('2026-11-16T10:16:00Z', '2026-11-16T10:16:30Z').to).toBeUndefined()
    expect(since('2026-11-16T11:00:00Z', '2026-11-16T11:00:30Z').to).toBe('2026-11-16T11:00:00.000Z')
    expect(patternsSince(deploy, null, Date.parse('2026-11-16T10:05:00Z')).to).toBeUndefined()
  })
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
