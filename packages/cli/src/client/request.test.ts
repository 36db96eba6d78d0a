import { describe, expect, it } from 'vitest'
import { hurriedClock } from '../testing/hurried-clock.ts'
import { listen, reply } from '../testing/listen.ts'
import { ask } from './ask.ts'
import { request } from './request.ts'

const get = (url: string) => ({ method: 'GET' as const, url })

describe('a request', () => {
  it.each([408, 429, 502, 503, 504])('is sent again after %i', async (status) => {
    const { url, received } = await listen((_, response) => {
      if (received.length < 3) reply(response, status, {}, { 'Retry-After': '0' })
      else reply(response, 200, { fine: true })
    })
    const answer = await request(get(url), hurriedClock())
    expect(answer).toMatchObject({ status: 200, body: { fine: true } })
    expect(received).toHaveLength(3)
  })

  it.each([400, 401, 403, 404, 413, 500])('is not sent again after %i', async (status) => {
    const { url, received } = await listen((_, response) => reply(response, status, {}))
    expect((await request(get(url))).status).toBe(status)
    expect(received).toHaveLength(1)
  })

  it('waits as long as Retry-After says', async () => {
    const { url, received } = await listen((_, response) =>
      reply(response, received.length === 1 ? 503 : 200, {}, { 'Retry-After': '2' }),
    )
    const waits: [string, number][] = []
    const clock = hurriedClock()
    // A question elsewhere takes about as long as one that did not wait would.
    const elsewhere = await listen((_, response) => reply(response, 200, {}))
    const sentMeanwhile: number[] = []
    const pause = async (ms: number) => {
      await request(get(elsewhere.url))
      sentMeanwhile.push(received.length)
      await clock.pause(ms)
    }
    await request(get(url), { ...clock, pause, onWait: (...wait) => waits.push(wait) })
    expect(waits).toEqual([['The service answered 503; trying again in 2 s.', 2_000]])
    expect(clock.pausesMs).toEqual([2_000])
    expect([sentMeanwhile, received.length]).toEqual([[1], 2])
  })

  it('gives the answer back instead of waiting longer than it may', async () => {
    const { url, received } = await listen((_, response) => reply(response, 429, {}, { 'Retry-After': '3600' }))
    expect((await request(get(url), { patienceMs: 3_599_000 })).status).toBe(429)
    expect(received).toHaveLength(1)
  })

  it('survives connections that break and names the address when none comes about', async () => {
    const { url, received } = await listen((_, response) => {
      if (received.length < 2) response.destroy()
      else reply(response, 200, {})
    })
    const told: string[] = []
    const onWait = (sentence: string) => void told.push(sentence)
    expect((await request(get(url), { ...hurriedClock(), onWait })).status).toBe(200)
    expect(told).toEqual(['The service cannot be reached (UND_ERR_SOCKET); trying again in 1 s.'])
    const closed = await listen(() => {})
    await new Promise((resolve) => closed.server.close(resolve))
    await expect(request(get(closed.url), { ...hurriedClock(), patienceMs: 1_000 })).rejects.toThrow(
      `${closed.url} cannot be reached (ECONNREFUSED): check TIDEMARK_URL (or --url) and`,
    )
  })

  it('does not follow a redirect, which would carry the key along', async () => {
    const elsewhere = await listen((_, response) => reply(response, 200, {}))
    const { url } = await listen((_, response) => reply(response, 307, '', { Location: elsewhere.url }))
    await expect(ask({ url, key: 'k' }, '/api/logs', {})).rejects.toThrow(
      `redirected to ${elsewhere.url}: set TIDEMARK_URL (or --url) to where the service is.`,
    )
    expect(elsewhere.received).toEqual([])
  })

  it('that is refused tells what the service said, or that this is no Tidemark', async () => {
    const service = await listen((_, response) =>
      reply(response, 401, { error: { code: 'unauthorized', message: 'The key was revoked.' } }),
    )
    await expect(ask({ url: service.url, key: 'k' }, '/x', {})).rejects.toMatchObject({
      code: 'unauthorized',
      message: 'The question was not answered. The key was revoked.',
    })
    const other = await listen((_, response) => reply(response, 404, '<html>nginx</html>'))
    await expect(ask({ url: other.url, key: 'k' }, '/x', {})).rejects.toThrow(
      'The answer was 404, beginning with "<html>nginx</html>": check that TIDEMARK_URL (or --url) is the address of a Tidemark',
    )
  })
})
