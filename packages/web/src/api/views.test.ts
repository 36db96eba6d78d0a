import { describe, expect, it } from 'vitest'
import { searchOfView, showsView, viewOfSearch } from './views.ts'

describe('a saved view', () => {
  it('is what the address holds, without what happens to be open', () => {
    expect(
      viewOfSearch({
        query: 'level:error',
        columns: 'host',
        live: 'on',
        environment: 'production',
        record: 'log_1',
        pattern: 'pat_1',
        saved: 'viw_1',
        start: 'open',
        to: undefined,
      }),
    ).toEqual({ query: 'level:error', columns: 'host', live: 'on', environment: 'production', from: '-1h' })
  })

  it('leaves nothing of the page before when it is opened', () => {
    const search = searchOfView({ id: 'viw_1', search: { query: 'a', from: '-1h' } })
    expect(search).toEqual({ query: 'a', from: '-1h', saved: 'viw_1' })
    expect('environment' in search && 'to' in search).toBe(true)
  })

  it('is unchanged whatever the order of its parts, and while a record is open', () => {
    const view = { search: { query: 'a', columns: 'host', from: '-1h' } }
    expect(showsView({ columns: 'host', query: 'a', record: 'log_1', saved: 'viw_1' }, view)).toBe(true)
    expect(showsView({ columns: 'host', query: 'a', from: '-6h' }, view)).toBe(false)
    expect(showsView({ query: 'a', columns: 'host', environment: 'staging' }, view)).toBe(false)
  })
})
