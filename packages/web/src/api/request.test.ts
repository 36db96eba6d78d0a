import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ask } from './asked-ahead.ts'
import {
  holdRequests,
  isAskedAheadBeside,
  isToldByField,
  keepOfProject,
  mayComeBack,
  RequestError,
  request,
  takeAnswers,
} from './request.ts'

it('expects only silence and what is marked as passing to go away by itself', () => {
  const statuses = [0, 400, 401, 404, 408, 409, 429, 500, 502, 503, 504]
  expect(statuses.filter((status) => mayComeBack(new RequestError(status, '', '')))).toEqual([
    0, 408, 429, 502, 503, 504,
  ])
  expect(mayComeBack(new Error('not from the service'))).toBe(false)
})

it('is told once where a field says the same', () => {
  const fault = (field: string) =>
    new RequestError(400, 'invalid_request', 'No such host.', [{ path: 'url', message: field }])
  expect([fault('No such host'), fault('No such host.'), fault('is taken')].map(isToldByField)).toEqual([
    true,
    true,
    false,
  ])
  const length = [{ path: 'password', message: 'must have 8 to 256 characters' }]
  expect(isToldByField(new RequestError(400, '', 'The password must have 8 to 256 characters.', length))).toBe(true)
  expect(isToldByField(new Error('No such host.'))).toBe(false)
})

it('shows an earlier answer while the next is on its way, but never one of another project', () => {
  const previous = { queryKey: ['project', 'prj_1', 'histogram', 'a'] }
  expect(keepOfProject('prj_1')('earlier', previous)).toBe('earlier')
  expect(keepOfProject('prj_2')('earlier', previous)).toBeUndefined()
  expect(keepOfProject('prj_1')(undefined, undefined)).toBeUndefined()
})

describe('what is asked for ahead', () => {
  const askAhead = (path: string, nowMs?: number) => takeAnswers(new Map([[path, ask(path, nowMs)]]))
  let asked: string[]
  let signals: (AbortSignal | null | undefined)[]
  let answer: () => Promise<Response>
  beforeEach(() => {
    asked = []
    signals = []
    answer = async () => new Response(JSON.stringify(asked.length))
    vi.stubGlobal('fetch', (path: string, { method = 'GET', signal }: RequestInit) => {
      asked.push(`${method} ${path}`)
      signals.push(signal)
      return answer()
    })
  })
  afterEach(() => vi.unstubAllGlobals())

  it('is given once, to whoever asks for the same first; the next one asks again', async () => {
    askAhead('/api/session')
    expect([await request('/api/other'), await request('/api/session'), await request('/api/session')]).toEqual([
      2, 1, 3,
    ])
    expect(asked).toEqual(['GET /api/session', 'GET /api/other', 'GET /api/session'])
  })

  it('is given while everything else waits for its turn', async () => {
    let end = () => {}
    holdRequests(new Promise((resolve) => (end = resolve)))
    askAhead('/api/session')
    const other = request('/api/other')
    expect(await request('/api/session')).toBe(1)
    expect(asked).toEqual(['GET /api/session'])
    end()
    expect(await other).toBe(2)
    expect(asked).toEqual(['GET /api/session', 'GET /api/other'])
  })

  it('is known to be more than the session only where something else was asked for', async () => {
    askAhead('/api/session')
    expect(isAskedAheadBeside('/api/session')).toBe(false)
    askAhead('/api/logs')
    expect(isAskedAheadBeside('/api/session')).toBe(true)
    await request('/api/session')
    await request('/api/logs')
    expect(isAskedAheadBeside('/api/session')).toBe(false)
  })

  it('answers no change, and is given to nobody after one: somebody else may be signed in', async () => {
    askAhead('/api/session')
    askAhead('/api/logs')
    await request('/api/session', { method: 'DELETE' })
    await request('/api/session')
    await request('/api/logs')
    expect(asked.slice(2)).toEqual(['DELETE /api/session', 'GET /api/session', 'GET /api/logs'])
  })

  it.each(['before', 'after'])('is no longer waited for when who took it stops waiting (%s)', async (when) => {
    const taker = new AbortController()
    askAhead('/api/logs')
    if (when === 'before') taker.abort()
    await request('/api/logs', { signal: taker.signal })
    taker.abort()
    expect(signals.map((signal) => signal?.aborted)).toEqual([true])
  })

  it('is asked for again when it is too old to be true', async () => {
    askAhead('/api/session', Date.now() - 60_000)
    await request('/api/session')
    expect(asked).toHaveLength(2)
  })

  it('fails as it would have failed later', async () => {
    answer = async () => new Response('{"error":{"code":"unauthorized","message":"Sign in."}}', { status: 401 })
    askAhead('/api/session')
    await expect(request('/api/session')).rejects.toMatchObject({ status: 401, message: 'Sign in.' })
    answer = () => Promise.reject(new TypeError('no network'))
    askAhead('/api/session')
    await expect(request('/api/session')).rejects.toMatchObject({ status: 0, code: 'no_answer' })
  })
})
