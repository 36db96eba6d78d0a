import { describe, expect, it } from 'vitest'
import { parseQuery } from '../query/parse.ts'
import { logsPage, projectPath, readAddress } from './address.ts'
import { around, recordSearch, textSearch, traceSearch } from './records-page.ts'

const AT = '2026-01-31T12:00:00.123456Z'

describe('the page of a record', () => {
  it('has the record open, in a range that holds it however old it is', () => {
    const { pathname, search } = new URL(
      projectPath('prj_1', logsPage(recordSearch({ id: 'log_1', timestamp: AT }))),
      'https://logs.example',
    )
    expect(readAddress(pathname, search)?.page).toEqual({
      name: 'logs',
      search: { record: 'log_1', from: '2026-01-31T11:45:00.123Z', to: '2026-01-31T12:15:00.123Z' },
    })
  })
})

describe('the page of a trace', () => {
  it.each([
    '4bf92f3577b34da6a3ce929d0e0e4736',
    '1-5759e988-bd862e3fe1be46a994272793',
    '12345678901234567890',
    'of "a\tb": *',
  ])('asks for the records whose trace id is %s', (traceId) => {
    const { query = '' } = traceSearch(traceId, around(AT))
    expect(parseQuery(query)).toMatchObject({
      ok: true,
      query: {
        root: { kind: 'field', field: { kind: 'core', name: 'traceId' }, match: { kind: 'literal', value: traceId } },
      },
    })
  })

  it('is about all environments, and clears what was open and what was asked for before', () => {
    const before = { environment: 'staging', to: '-30d', live: 'on', record: 'log_1', pattern: 'pat_1' } as const
    const asked = { ...before, ...traceSearch('abc', { from: '-7d', to: undefined }) }
    expect(logsPage(asked)).toBe('logs?query=traceId%3Aabc&view=trace&from=-7d')
  })

  it('begins before the first of its records and ends after the last', () => {
    expect(around('2026-01-31T12:00:00Z', '2026-01-31T13:00:00Z')).toEqual({
      from: '2026-01-31T11:45:00.000Z',
      to: '2026-01-31T13:15:00.000Z',
    })
  })
})

describe('the page of a text', () => {
  it.each(['card declined', 'a\tb', 'say "no" \\ *', 'level:error', 'OR'])('asks for %j word for word', (text) => {
    const { query = '' } = textSearch(text)
    expect(parseQuery(query)).toMatchObject({
      ok: true,
      query: { root: { kind: 'text', match: { kind: 'literal', value: text } } },
    })
  })
})
