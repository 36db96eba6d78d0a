import { parseQuery } from '@tidemark/wire/query/parse'
import { describe, expect, it } from 'vitest'
import { ERRORS, lastWordsSearch, logsSearch, serviceTerm } from './links.ts'

describe('the way to the logs', () => {
  it('names the window, the service and the level, in a query that can be read', () => {
    const asked = { environment: 'production', from: '-24h', to: undefined }
    expect(logsSearch(asked, serviceTerm('check out'), ERRORS)).toEqual({
      ...asked,
      query: 'service:"check out" level:>=error',
    })
    expect(logsSearch(asked).query).toBeUndefined()
  })

  it.each(['', 'a"b', '-x', 'a:b', '<img src=x>', 'OR'])(
    'can be read whatever the service is called: %j',
    (service) => {
      expect(parseQuery(`${serviceTerm(service)} ${ERRORS}`).ok).toBe(true)
    },
  )

  it('to a silent service holds the last it said', () => {
    const silent = { service: 'worker', environment: 'staging', lastSeen: '2026-01-20T10:00:00Z' }
    expect(lastWordsSearch({ ...silent, silentSeconds: 7_200, longestGapSeconds: 600 })).toEqual({
      environment: 'staging',
      query: 'service:worker',
      from: '2026-01-20T09:00:00.000Z',
      to: '2026-01-20T10:10:00.000Z',
    })
  })
})
