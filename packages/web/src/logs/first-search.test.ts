import { QueryClient } from '@tanstack/react-query'
import { logFilter } from '@tidemark/wire/dashboard/first-requests'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { searchQuery } from '../api/logs.ts'
import { searchAhead, takeAsked } from './first-search.ts'

const OPENED = 1_000
const MOUNTED = 1_200
const LATER = 600_000

describe('the first search of a page opened by its address', () => {
  let asked: string[]
  beforeEach(() => {
    asked = []
    vi.stubGlobal('fetch', async (path: string) => {
      asked.push(path)
      return new Response('{"rows":[]}')
    })
  })
  afterEach(() => {
    takeAsked()
    vi.unstubAllGlobals()
  })

  it('is found by the page under the same name', async () => {
    const queryClient = new QueryClient()
    const search = { query: 'level:error', environment: 'production', order: 'oldest' } as const
    searchAhead(queryClient, 'prj_1', search, OPENED)

    const { queryKey } = searchQuery('prj_1', logFilter(search), takeAsked(MOUNTED), { order: 'oldest' })
    await vi.waitFor(() => expect(queryClient.getQueryData(queryKey)).toMatchObject({ pages: [{ rows: [] }] }))
    expect(asked).toEqual([
      '/api/projects/prj_1/logs?query=level%3Aerror&environment=production&from=-1h&order=oldest&limit=200',
    ])
  })

  it('is used once: whoever comes back to the page asks again', () => {
    searchAhead(new QueryClient(), 'prj_1', {}, OPENED)
    expect([takeAsked(MOUNTED), takeAsked(LATER)]).toEqual([OPENED, LATER])
  })

  it('is not used by a page that came much later', () => {
    searchAhead(new QueryClient(), 'prj_1', {}, OPENED)
    expect(takeAsked(LATER)).toBe(LATER)
  })

  it.each([
    ['a query that cannot be read', { query: 'level:(' }],
    ['a page that shows no stream', { view: 'patterns' }],
  ] as const)('is not asked for %s', (_, search) => {
    searchAhead(new QueryClient(), 'prj_1', search, OPENED)
    expect(asked).toEqual([])
    expect(takeAsked(MOUNTED)).toBe(MOUNTED)
  })
})
